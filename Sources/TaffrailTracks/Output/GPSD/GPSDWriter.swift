package import Taffrail
package import TaffrailGeo
internal import TaffrailText

/// Writes the protocol of gpsd release 3.22, with its fields in its order.
package struct GPSDWriter: Sendable {
    package init() {}

    /// Returns the greeting.
    package func version() -> [UInt8] {
        Array(#"{"class":"VERSION","release":"3.22","rev":"taffrail","proto_major":3,"proto_minor":14}"#.utf8)
            + [13, 10]
    }

    /// Appends a device, in gpsd's description of a serial line.
    private func append(device: String, to bytes: inout [UInt8]) {
        bytes.append("{\"class\":\"DEVICE\",\"path\":")
        bytes.append(json: device)
        bytes.append(",\"driver\":\"Taffrail\",\"activated\":\"")
        RFC3339.append(.now, to: &bytes)
        bytes.append(
            "\",\"flags\":1,\"native\":0,\"bps\":9600,\"parity\":\"N\",\"stopbits\":1,\"cycle\":1.00}")
    }

    func device(_ device: String) -> [UInt8] {
        var bytes: [UInt8] = []
        append(device: device, to: &bytes)
        return bytes + [13, 10]
    }

    func devices(_ devices: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append("{\"class\":\"DEVICES\",\"devices\":[")
        for (index, device) in devices.enumerated() {
            if index > 0 { bytes.append(",") }
            append(device: device, to: &bytes)
        }
        bytes.append("]}\r\n")
        return bytes
    }

    func watch(_ policy: GPSDPolicy) -> [UInt8] {
        let text = """
            {"class":"WATCH","enable":\(policy.isWatcher),"json":\(policy.json),"nmea":\(policy.nmea),\
            "raw":\(policy.raw),"scaled":\(policy.scaled),"timing":\(policy.timing),"split24":\(policy.split24),\
            "pps":\(policy.pps)
            """
        var bytes = Array(text.utf8)
        if let device = policy.device {
            bytes.append(",\"device\":")
            bytes.append(json: device)
        }
        bytes.append("}\r\n")
        return bytes
    }

    func error(_ message: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append("{\"class\":\"ERROR\",\"message\":")
        bytes.append(json: message)
        bytes.append("}\r\n")
        return bytes
    }

    /// Returns the latest reports of the devices, as an answer to `?POLL`.
    func poll(_ devices: [GPSDSessions.Device]) -> [UInt8] {
        let known = devices.filter { !$0.tpv.isEmpty }
        var bytes: [UInt8] = []
        bytes.append("{\"class\":\"POLL\",\"time\":\"")
        RFC3339.append(.now, to: &bytes)
        bytes.append("\",\"active\":")
        bytes.append(decimal: devices.count)
        func list(_ key: StaticString, _ object: (GPSDSessions.Device) -> [UInt8]) {
            bytes.append(key)
            bytes += known.map { Array(object($0).trimmed) }.filter { !$0.isEmpty }.joined(separator: [44])
            bytes.append("]")
        }
        list(",\"tpv\":[") { $0.tpv }
        list(",\"gst\":[") { device in
            var gst: [UInt8] = []
            begin("GST", device.name, to: &gst)
            gst.append("}")
            return gst
        }
        list(",\"sky\":[") { device in
            guard device.sky.isEmpty else { return device.sky }
            var sky: [UInt8] = []
            begin("SKY", device.name, to: &sky)
            sky.append(",\"nSat\":0,\"uSat\":0}")
            return sky
        }
        bytes.append("}\r\n")
        return bytes
    }

    /// Appends the report of a position.
    package func append(_ location: Location, _ device: String, to bytes: inout [UInt8]) {
        begin("TPV", device, to: &bytes)
        if location.isSimulated { bytes.append(",\"status\":8") }
        bytes.append(location.hasAltitude ? ",\"mode\":3" : ",\"mode\":2")
        time(location.fixTime, &bytes)
        number("lat", location.coordinate.latitude, 9, &bytes)
        number("lon", location.coordinate.longitude, 9, &bytes)
        number("altHAE", location.ellipsoidalAltitude, 4, &bytes)
        number("altMSL", location.altitude, 4, &bytes)
        // Deprecated, but read by older clients.
        number("alt", location.altitude ?? location.ellipsoidalAltitude, 4, &bytes)
        number("epv", location.verticalAccuracy, 3, &bytes)
        number("track", location.course, 4, &bytes)
        number("speed", location.speed, 3, &bytes)
        number("climb", location.extra.climb, 3, &bytes)
        number("epd", location.courseAccuracy, 4, &bytes)
        number("eps", location.speedAccuracy, 3, &bytes)
        number("epc", location.extra.climbAccuracy, 3, &bytes)
        number("geoidSep", location.extra.geoidSeparation, 3, &bytes)
        number("eph", location.horizontalAccuracy, 3, &bytes)
        bytes.append("}\r\n")
    }

    /// Appends a report without a fix; without a time if the time is unknown.
    package func appendNoFix(_ device: String, at time: Timestamp?, to bytes: inout [UInt8]) {
        begin("TPV", device, to: &bytes)
        bytes.append(",\"mode\":1")
        self.time(time, &bytes)
        bytes.append("}\r\n")
    }

    /// Returns the satellites; `nil` if nothing is known. Only their number is known, and some clients count the list,
    /// so each satellite in use is listed with a number from 1.
    func sky(_ location: Location, _ device: String) -> [UInt8]? {
        let extra = location.extra
        guard extra.satellites != nil || extra.hdop != nil || extra.vdop != nil || extra.pdop != nil else { return nil }
        var bytes: [UInt8] = []
        begin("SKY", device, to: &bytes)
        number("vdop", extra.vdop, 2, &bytes)
        number("hdop", extra.hdop, 2, &bytes)
        number("pdop", extra.pdop, 2, &bytes)
        let count = max(0, min(extra.satellites ?? 0, Self.satelliteLimit))
        bytes.append(",\"nSat\":")
        bytes.append(decimal: count)
        bytes.append(",\"uSat\":")
        bytes.append(decimal: count)
        if count > 0 {
            bytes.append(",\"satellites\":[")
            for number in 1...count {
                bytes.append(number == 1 ? "{\"PRN\":" : ",{\"PRN\":")
                bytes.append(decimal: number)
                bytes.append(",\"used\":true}")
            }
            bytes.append("]")
        }
        bytes.append("}\r\n")
        return bytes
    }

    /// gpsd's own limit.
    private static let satelliteLimit = 140

    private func begin(_ kind: StaticString, _ device: String, to bytes: inout [UInt8]) {
        bytes.append("{\"class\":\"")
        bytes.append(kind)
        bytes.append("\",\"device\":")
        bytes.append(json: device)
    }

    private func time(_ time: Timestamp?, _ bytes: inout [UInt8]) {
        guard let time else { return }
        bytes.append(",\"time\":\"")
        RFC3339.append(time, to: &bytes)
        bytes.append("\"")
    }

    private func number(_ key: StaticString, _ value: Double?, _ decimals: Int, _ bytes: inout [UInt8]) {
        guard let value, value.isFinite else { return }
        bytes.append(",\"")
        bytes.append(key)
        bytes.append("\":")
        bytes.append(real: value, decimals: decimals)
    }
}
