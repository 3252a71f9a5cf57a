internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

extension TrackStatistics {
    /// A line for each value, for users; unknown ones are `-`.
    public var table: String {
        let rows: [(String, String)] = [
            ("points", "\(points)"), ("gaps", "\(gaps)"),
            ("start", start.map { RFC3339.string($0) } ?? "-"), ("end", end.map { RFC3339.string($0) } ?? "-"),
            ("duration", Self.duration(duration)), ("moving", Self.duration(movingTime)),
            ("stopped", Self.duration(stoppedTime)), ("distance", Self.number(distance / 1_000, 3, "km")),
            ("speed, average", Self.number(averageSpeed.map { $0 * 3.6 }, 1, "km/h")),
            ("speed, moving", Self.number(averageMovingSpeed.map { $0 * 3.6 }, 1, "km/h")),
            ("speed, highest", Self.number(maximumSpeed.map { $0 * 3.6 }, 1, "km/h")),
            ("climb", Self.number(minimumAltitude == nil ? nil : ascent, 1, "m")),
            ("descent", Self.number(minimumAltitude == nil ? nil : descent, 1, "m")),
            ("altitude, lowest", Self.number(minimumAltitude, 1, "m")),
            ("altitude, highest", Self.number(maximumAltitude, 1, "m")),
            ("south west", bounds.map { "\(Coordinate(latitude: $0.south, longitude: $0.west))" } ?? "-"),
            ("north east", bounds.map { "\(Coordinate(latitude: $0.north, longitude: $0.east))" } ?? "-"),
        ]
        return rows.map { name, value in
            name + String(repeating: " ", count: max(1, 20 - name.count)) + value + "\n"
        }.joined()
    }

    /// A JSON object in one line, in metres, seconds and degrees; unknown values are omitted.
    public var json: String {
        var bytes = Array("{\"points\":\(points),\"gaps\":\(gaps)".utf8)
        for (name, time) in [("start", start), ("end", end)] {
            guard let time else { continue }
            bytes.append(contentsOf: ",\"\(name)\":\"\(RFC3339.string(time))\"".utf8)
        }
        let hasAltitude = minimumAltitude != nil
        let numbers: [(String, Double?)] = [
            ("duration", duration), ("movingTime", movingTime), ("stoppedTime", stoppedTime), ("distance", distance),
            ("movingDistance", movingDistance), ("averageSpeed", averageSpeed),
            ("averageMovingSpeed", averageMovingSpeed), ("maximumSpeed", maximumSpeed),
            ("ascent", hasAltitude ? ascent : nil), ("descent", hasAltitude ? descent : nil),
            ("minimumAltitude", minimumAltitude), ("maximumAltitude", maximumAltitude), ("south", bounds?.south),
            ("west", bounds?.west), ("north", bounds?.north), ("east", bounds?.east),
        ]
        for (name, number) in numbers {
            guard let number, number.isFinite else { continue }
            bytes.append(contentsOf: ",\"\(name)\":".utf8)
            bytes.append(real: number)
        }
        bytes.append("}\n")
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func number(_ value: Double?, _ decimals: Int, _ unit: String) -> String {
        guard let value, value.isFinite else { return "-" }
        var bytes: [UInt8] = []
        bytes.append(real: value, decimals: decimals)
        return String(decoding: bytes, as: UTF8.self) + " " + unit
    }

    /// For example `1:02:03.5`.
    private static func duration(_ seconds: Double) -> String {
        let tenths = Int(min((seconds * 10).rounded(), 1e15))
        var bytes: [UInt8] = []
        bytes.append(decimal: tenths / 36_000)
        bytes.append(":")
        bytes.append(tenths / 600 % 60, width: 2)
        bytes.append(":")
        bytes.append(tenths / 10 % 60, width: 2)
        bytes.append(".")
        bytes.append(decimal: tenths % 10)
        return String(decoding: bytes, as: UTF8.self)
    }
}
