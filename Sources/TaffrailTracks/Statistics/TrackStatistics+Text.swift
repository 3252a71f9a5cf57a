internal import Taffrail
internal import TaffrailGeo
package import TaffrailText

extension TrackStatistics {
    /// One line for each value, for users; unknown values are `-`.
    public var table: String { table(in: .metric) }

    /// Returns the table with distances and speeds in the given units.
    public func table(in units: TrackUnits) -> String {
        func speed(_ value: Double?) -> String { Self.number(value.map { units.speed($0) }, 1, units.speedName) }
        let rows: [(String, String)] = [
            ("points", "\(points)"), ("gaps", "\(gaps)"),
            ("start", start.map { RFC3339.string($0) } ?? "-"), ("end", end.map { RFC3339.string($0) } ?? "-"),
            ("duration", Self.duration(seconds)), ("moving", Self.duration(movingSeconds)),
            ("stopped", Self.duration(stoppedSeconds)),
            ("distance", Self.number(distance / units.metres, 3, units.distanceName)),
            ("speed, average", speed(averageSpeed)),
            ("speed, moving", speed(averageMovingSpeed)),
            ("speed, highest", speed(maximumSpeed)),
            ("climb", Self.number(minimumAltitude == nil ? nil : ascent, 1, "m")),
            ("descent", Self.number(minimumAltitude == nil ? nil : descent, 1, "m")),
            ("altitude, lowest", Self.number(minimumAltitude, 1, "m")),
            ("altitude, highest", Self.number(maximumAltitude, 1, "m")),
            ("south west", bounds.map { "\($0.southWest)" } ?? "-"),
            ("north east", bounds.map { "\($0.northEast)" } ?? "-"),
        ]
        return rows.map { name, value in
            name + String(repeating: " ", count: max(1, 20 - name.count)) + value + "\n"
        }.joined()
    }

    /// A JSON object in one line, in metres, seconds and degrees; unknown values are omitted.
    public var json: String {
        var object = JSONObject()
        add(to: &object)
        return object.string + "\n"
    }

    /// Adds the values of ``json`` to an object.
    package func add(to object: inout JSONObject) {
        object.add("points", whole: points)
        object.add("gaps", whole: gaps)
        object.add("start", known: start.map { RFC3339.string($0) })
        object.add("end", known: end.map { RFC3339.string($0) })
        for (name, number) in numbers {
            if let number, number.isFinite { object.add(name, number) }
        }
    }

    /// The names of ``fields``, in `snake_case`.
    package static var columns: [String] {
        ["points", "gaps", "start", "end"]
            + TrackStatistics().numbers.map { name, _ in
                name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
            }
    }

    /// The values of ``json`` as the fields of a line of CSV; unknown values are empty.
    package var fields: [String] {
        ["\(points)", "\(gaps)", start.map { RFC3339.string($0) } ?? "", end.map { RFC3339.string($0) } ?? ""]
            + numbers.map { _, number in
                guard let number, number.isFinite else { return "" }
                var bytes: [UInt8] = []
                bytes.append(real: number)
                return String(decoding: bytes, as: UTF8.self)
            }
    }

    /// The values in metres, seconds and degrees.
    private var numbers: [(String, Double?)] {
        let hasAltitude = minimumAltitude != nil
        return [
            ("duration", seconds), ("movingTime", movingSeconds), ("stoppedTime", stoppedSeconds),
            ("distance", distance),
            ("movingDistance", movingDistance), ("averageSpeed", averageSpeed),
            ("averageMovingSpeed", averageMovingSpeed), ("maximumSpeed", maximumSpeed),
            ("ascent", hasAltitude ? ascent : nil), ("descent", hasAltitude ? descent : nil),
            ("minimumAltitude", minimumAltitude), ("maximumAltitude", maximumAltitude),
            ("south", bounds?.southWest.latitude), ("west", bounds?.southWest.longitude),
            ("north", bounds?.northEast.latitude), ("east", bounds?.northEast.longitude),
        ]
    }

    private static func number(_ value: Double?, _ decimals: Int, _ unit: String) -> String {
        guard let value, value.isFinite else { return "-" }
        var bytes: [UInt8] = []
        bytes.append(real: value, decimals: decimals)
        return String(decoding: bytes, as: UTF8.self) + " " + unit
    }

    /// Returns a duration as text, for example `1:02:03.5`.
    private static func duration(_ seconds: Double) -> String {
        let tenths = Int(min((seconds * 10).rounded(), 1e15))
        return ClockText.string(.seconds(tenths / 10)) + ".\(tenths % 10)"
    }
}
