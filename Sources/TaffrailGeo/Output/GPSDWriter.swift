package import Taffrail

/// Writes gpsd's protocol, in the version of release 3.22.
package struct GPSDWriter: Sendable {
    /// The name of the one device.
    private let device: String

    package init(device: String) { self.device = device }

    /// The greeting.
    package func version() -> [UInt8] {
        Array(#"{"class":"VERSION","release":"3.22","rev":"taffrail","proto_major":3,"proto_minor":14}"#.utf8)
            + [13, 10]
    }

    /// The device, as gpsd describes it.
    private func device(_ time: Timestamp, to bytes: inout [UInt8]) {
        bytes.append("{\"class\":\"DEVICE\",\"path\":")
        bytes.append(json: device)
        bytes.append(",\"activated\":\"")
        RFC3339.append(time, to: &bytes)
        bytes.append(
            "\",\"flags\":1,\"driver\":\"Taffrail\",\"native\":0,\"bps\":9600,\"parity\":\"N\",\"stopbits\":1}")
    }

    func devices(_ time: Timestamp) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append("{\"class\":\"DEVICES\",\"devices\":[")
        device(time, to: &bytes)
        bytes.append("]}\r\n")
        return bytes
    }

    func watch(_ kinds: GPSDWatchers.Kinds) -> [UInt8] {
        let text = """
            {"class":"WATCH","enable":\(!kinds.isEmpty),"json":\(kinds.contains(.reports)),\
            "nmea":\(kinds.contains(.sentences)),"raw":0,"scaled":false,"timing":false,"split24":false,"pps":false}
            """
        return Array(text.utf8) + [13, 10]
    }

    func error(_ message: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append("{\"class\":\"ERROR\",\"message\":")
        bytes.append(json: message)
        bytes.append("}\r\n")
        return bytes
    }

    /// What ``append(_:to:)`` gave last, as an answer to `?POLL`.
    func poll(_ latest: [UInt8], time: Timestamp) -> [UInt8] {
        let lines = latest.split(separator: 10).map { $0.last == 13 ? $0.dropLast() : $0 }
        func list(_ kind: String) -> [UInt8] {
            Array(lines.filter { $0.starts(with: "{\"class\":\"\(kind)\"".utf8) }.joined(separator: [44]))
        }
        var bytes: [UInt8] = []
        bytes.append("{\"class\":\"POLL\",\"time\":\"")
        RFC3339.append(time, to: &bytes)
        bytes.append(latest.isEmpty ? "\",\"active\":0,\"tpv\":[" : "\",\"active\":1,\"tpv\":[")
        bytes += list("TPV")
        bytes.append("],\"gst\":[],\"sky\":[")
        bytes += list("SKY")
        bytes.append("]}\r\n")
        return bytes
    }

    /// Appends the reports of a position: SKY where something is known about satellites, and TPV.
    package func append(_ location: Location, to bytes: inout [UInt8]) {
        sky(location, to: &bytes)
        let hasAltitude = location.altitude != nil || location.ellipsoidalAltitude != nil
        begin("TPV", to: &bytes)
        if location.isSimulated { bytes.append(",\"status\":8") }
        bytes.append(hasAltitude ? ",\"mode\":3" : ",\"mode\":2")
        if location.extra.hasNoTime != true {
            bytes.append(",\"time\":\"")
            RFC3339.append(location.timestamp, to: &bytes)
            bytes.append("\"")
        }
        number("lat", location.coordinate.latitude, 9, &bytes)
        number("lon", location.coordinate.longitude, 9, &bytes)
        number("altHAE", location.ellipsoidalAltitude, 4, &bytes)
        number("altMSL", location.altitude, 4, &bytes)
        // Deprecated, but what older clients read.
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

    /// Appends the report that there is no fix.
    package func appendNoFix(at moment: Timestamp, to bytes: inout [UInt8]) {
        begin("TPV", to: &bytes)
        bytes.append(",\"mode\":1,\"time\":\"")
        RFC3339.append(moment, to: &bytes)
        bytes.append("\"}\r\n")
    }

    private func sky(_ location: Location, to bytes: inout [UInt8]) {
        let extra = location.extra
        guard extra.satellites != nil || extra.hdop != nil || extra.vdop != nil || extra.pdop != nil else { return }
        begin("SKY", to: &bytes)
        number("hdop", extra.hdop, 2, &bytes)
        number("vdop", extra.vdop, 2, &bytes)
        number("pdop", extra.pdop, 2, &bytes)
        if let satellites = extra.satellites {
            bytes.append(",\"uSat\":")
            bytes.append(decimal: satellites)
        }
        bytes.append("}\r\n")
    }

    private func begin(_ kind: StaticString, to bytes: inout [UInt8]) {
        bytes.append("{\"class\":\"")
        bytes.append(kind)
        bytes.append("\",\"device\":")
        bytes.append(json: device)
    }

    private func number(_ key: StaticString, _ value: Double?, _ decimals: Int, _ bytes: inout [UInt8]) {
        guard let value, value.isFinite else { return }
        bytes.append(",\"")
        bytes.append(key)
        bytes.append("\":")
        bytes.append(real: value, decimals: decimals)
    }
}
