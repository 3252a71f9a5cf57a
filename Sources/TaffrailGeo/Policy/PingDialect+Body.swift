package import Taffrail
package import TaffrailText

extension PingDialect {
    /// Returns the body of a request.
    ///
    /// - Parameters:
    ///   - pings: At least one; at most ``batchLimit``, further ones are omitted.
    ///   - user: The name in OwnTracks' topic.
    public func body(_ pings: [Ping], user: String = "taffrail") -> [UInt8] {
        guard let first = pings.first else { return [] }
        switch self {
        case .ping: return Self.object(first)
        case .owntracks: return Self.ownTracks(first, user)
        case .overland: return Self.overland(pings.prefix(batchLimit))
        case .osmand: return Self.osmAnd(first)
        }
    }

    private static func object(_ ping: Ping) -> [UInt8] {
        object(
            ping.location, device: ping.deviceID, mode: .string(ping.mode.rawValue),
            battery: ping.battery?.level.flatMap { $0.isFinite ? .double($0) : nil }
        ).closed
    }

    /// Returns a ping in the dialect ``ping``; unknown values are null.
    package static func object(
        _ location: Location, device: String?, mode: LogValue?, battery: LogValue?
    ) -> JSONObject {
        var json = JSONObject()
        func add(_ name: String, _ value: LogValue?) {
            if let value { json.add(name, value: value) } else { json.add(name, json: "null") }
        }
        add("deviceId", device.map { .string($0) })
        json.add("timestamp", time(location.timestamp))
        json.add("latitude", location.coordinate.latitude)
        json.add("longitude", location.coordinate.longitude)
        json.add("horizontalAccuracyMeters", location.horizontalAccuracy)
        json.add("speedMps", location.speed)
        add("mode", mode)
        add("batteryLevel", battery)
        return json
    }

    /// Returns RFC 3339 in UTC, without milliseconds for a whole second, since some parsers do not accept them.
    package static func time(_ time: Timestamp) -> String {
        RFC3339.string(time, decimals: time.nanoseconds % 1_000_000_000 == 0 ? 0 : 3)
    }

    /// Unknown values are omitted.
    private static func ownTracks(_ ping: Ping, _ user: String) -> [UInt8] {
        let fix = ping.location
        var json = JSONObject()
        json.add("_type", "location")
        json.add("lat", fix.coordinate.latitude)
        json.add("lon", fix.coordinate.longitude)
        json.add("tst", whole: fix.timestamp.wholeSeconds)
        json.add("acc", whole: rounded(fix.horizontalAccuracy))
        json.add("alt", whole: rounded(fix.altitude))
        json.add("vac", whole: rounded(fix.verticalAccuracy))
        json.add("vel", whole: rounded(fix.speed.map { $0 * 3.6 }))
        json.add("cog", whole: rounded(fix.course).map { $0 % 360 })
        json.add("batt", whole: rounded(ping.battery?.level.map { $0 * 100 }))
        if let battery = ping.battery { json.add("bs", whole: battery.isCharging ? 2 : 1) }
        json.add("m", whole: ping.mode == .moving ? 2 : 1)
        json.add("t", ping.isHeartbeat ? "p" : ping.trigger == .visit ? "v" : "t")
        json.add("tid", String(ping.deviceID.suffix(2)))
        json.add("topic", "owntracks/\(user)/\(ping.deviceID)")
        return json.closed
    }

    private static func overland(_ pings: some Sequence<Ping>) -> [UInt8] {
        var body: [UInt8] = []
        body.append("{\"locations\":[")
        for (index, ping) in pings.enumerated() {
            let fix = ping.location
            if index > 0 { body.append(",") }
            body.append("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[")
            body.append(real: fix.coordinate.longitude)
            body.append(",")
            body.append(real: fix.coordinate.latitude)
            body.append("]},\"properties\":")
            var json = JSONObject()
            json.add("timestamp", time(fix.timestamp))
            if let altitude = fix.altitude { json.add("altitude", altitude) }
            json.add("speed", fix.speed ?? -1)
            json.add("horizontal_accuracy", fix.horizontalAccuracy ?? -1)
            json.add("vertical_accuracy", fix.verticalAccuracy ?? -1)
            json.add("course", fix.course ?? -1)
            json.add("motion", ping.mode == .moving ? [] : ["stationary"])
            json.add("battery_state", ping.battery.map { $0.isCharging ? "charging" : "unplugged" } ?? "unknown")
            if let level = ping.battery?.level { json.add("battery_level", level) }
            json.add("device_id", ping.deviceID)
            body += json.closed
            body.append("}")
        }
        body.append("]}")
        return body
    }

    /// Speeds are in knots. Times are in milliseconds: a number this large is not mistaken for seconds.
    private static func osmAnd(_ ping: Ping) -> [UInt8] {
        let fix = ping.location
        var form: [UInt8] = []
        func add(_ name: StaticString, _ value: [UInt8]) {
            if !form.isEmpty { form.append("&") }
            form.append(name)
            form.append("=")
            form += value
        }
        func add(_ name: StaticString, _ value: Double?, decimals: Int? = nil) {
            guard let value, value.isFinite else { return }
            var text: [UInt8] = []
            if let decimals {
                text.append(real: value, decimals: decimals)
            } else {
                text.append(real: value, exponent: false)
            }
            add(name, text)
        }
        // RFC 3986's unreserved characters stay.
        let id = PercentText.encoded(ping.deviceID) { byte, _ in "-.~".utf8.contains(byte) }
        add("id", Array(id.utf8))
        add("timestamp", Array("\(fix.timestamp.milliseconds())".utf8))
        add("lat", fix.coordinate.latitude)
        add("lon", fix.coordinate.longitude)
        add("accuracy", fix.horizontalAccuracy)
        add("altitude", fix.altitude)
        add("speed", fix.speed.map { $0 * 3_600 / NauticalUnits.mile }, decimals: 3)
        add("bearing", fix.course)
        add("batt", ping.battery?.level.map { $0 * 100 }, decimals: 0)
        if let battery = ping.battery { add("charge", Array("\(battery.isCharging)".utf8)) }
        add("mode", Array(ping.mode.rawValue.utf8))
        return form
    }

    private static func rounded(_ value: Double?) -> Int64? {
        value.flatMap { Int64(exactly: $0.rounded()) }
    }
}
