#if Command && Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailStore
internal import TaffrailText

/// Visits, trips and days as lines.
struct HistoryJourneys {
    /// The named places.
    var places: [NamedPlace]

    func text(_ trip: Trip) -> String {
        "\(Self.time(trip.departure, trip.localOffset))  \(Self.time(trip.arrival, trip.localOffset))  "
            + "\(ClockText.minutes(trip.duration))  \(Self.kilometres(trip.distance))  \(ends(of: trip))  "
            + TerminalText.safe(trip.device)
    }

    func text(_ visit: PlaceVisit) -> String {
        let end = visit.isOpen ? "still there" : Self.time(visit.departure, visit.localOffset)
        return "\(Self.time(visit.arrival, visit.localOffset))  \(end)  \(ClockText.minutes(visit.duration))  "
            + "\(name(visit.center))  \(TerminalText.safe(visit.device))"
    }

    static func text(_ day: DaySummary) -> String {
        let (trips, visits) = (CountText.text(day.trips, "trip"), CountText.text(day.visits, "visit"))
        return "\(day.date)  \(trips)  \(kilometres(day.distance))  \(ClockText.minutes(day.moving)) moving  "
            + "\(visits)  \(ClockText.minutes(day.staying)) stopped  \(TerminalText.safe(day.device))"
    }

    func explanation(of trip: Trip) -> String {
        var lines: [String] = []
        switch trip.start {
        case .visit: lines.append("begins when the device was last near \(name(trip.from)), where it had stayed")
        case .first: lines.append("begins with the first fix of the device")
        case .gap: lines.append("begins with the first fix after an hour or more without any")
        }
        switch trip.end {
        case .visit: lines.append("ends at the first fix near \(name(trip.to)), where it then stayed 5 minutes or more")
        case .gap: lines.append("ends with the last fix before an hour or more without any")
        case .open: lines.append("has not ended at the last fix")
        }
        lines.append(
            "\(CountText.text(trip.points, "fix", "fixes")), \(trip.omittedFixes) left out as jumps or as inaccurate; "
                + "at most \(ClockText.minutes(trip.longestGap)) without a fix")
        return lines.map { "    \($0)" }.joined(separator: "\n")
    }

    func json(_ trip: Trip) -> String { object(trip).string }

    /// Returns the known values of a trip, with the names of `--format json`.
    func object(_ trip: Trip) -> JSONObject {
        var line = JSONObject()
        line.add("device", trip.device)
        line.add("departure", RFC3339.string(trip.departure))
        line.add("arrival", RFC3339.string(trip.arrival))
        line.add("duration", trip.duration / .seconds(1))
        line.add("distance", trip.distance)
        line.add("from", place(trip.from))
        line.add("to", place(trip.to))
        line.add("start", trip.start.rawValue)
        line.add("end", trip.end.rawValue)
        line.add("points", whole: trip.points)
        line.add("leftOut", whole: trip.omittedFixes)
        line.add("longestGap", trip.longestGap / .seconds(1))
        return line
    }

    func json(_ visit: PlaceVisit) -> String { object(visit).string }

    /// Returns the known values of a visit, with the names of `--format json`.
    func object(_ visit: PlaceVisit) -> JSONObject {
        var line = JSONObject()
        line.add("device", visit.device)
        line.add("arrival", RFC3339.string(visit.arrival))
        if visit.isOpen {
            line.add("departure", json: "null")
        } else {
            line.add("departure", RFC3339.string(visit.departure))
        }
        line.add("duration", visit.duration / .seconds(1))
        line.add("place", place(visit.center))
        line.add("points", whole: visit.points)
        line.add("longestGap", visit.longestGap / .seconds(1))
        return line
    }

    static func json(_ day: DaySummary) -> String {
        var line = JSONObject()
        line.add("device", day.device)
        line.add("date", "\(day.date)")
        line.add("trips", whole: day.trips)
        line.add("distance", day.distance)
        line.add("moving", day.moving / .seconds(1))
        line.add("visits", whole: day.visits)
        line.add("staying", day.staying / .seconds(1))
        return line.string
    }

    // MARK: CSV

    static let tripColumns = [
        "device", "departure", "arrival", "duration", "distance", "from_lat", "from_lon", "from", "to_lat", "to_lon",
        "to", "start", "end", "points", "left_out", "longest_gap",
    ]
    static let visitColumns = [
        "device", "arrival", "departure", "duration", "lat", "lon", "place", "points", "longest_gap",
    ]
    static let dayColumns = ["device", "date", "trips", "distance", "moving", "visits", "staying"]

    func fields(_ trip: Trip) -> [String] {
        [
            trip.device, RFC3339.string(trip.departure), RFC3339.string(trip.arrival), Self.seconds(trip.duration),
            "\(trip.distance)",
        ] + fields(trip.from) + fields(trip.to) + [
            trip.start.rawValue, trip.end.rawValue, "\(trip.points)", "\(trip.omittedFixes)",
            Self.seconds(trip.longestGap),
        ]
    }

    func fields(_ visit: PlaceVisit) -> [String] {
        [
            visit.device, RFC3339.string(visit.arrival), visit.isOpen ? "" : RFC3339.string(visit.departure),
            Self.seconds(visit.duration),
        ] + fields(visit.center) + ["\(visit.points)", Self.seconds(visit.longestGap)]
    }

    static func fields(_ day: DaySummary) -> [String] {
        [
            day.device, "\(day.date)", "\(day.trips)", "\(day.distance)", seconds(day.moving), "\(day.visits)",
            seconds(day.staying),
        ]
    }

    private func fields(_ coordinate: Coordinate) -> [String] {
        ["\(coordinate.latitude)", "\(coordinate.longitude)", named(coordinate) ?? ""]
    }

    static func seconds(_ duration: Duration) -> String { "\(duration / .seconds(1))" }

    static func csv(_ fields: [String]) -> String {
        var bytes: [UInt8] = []
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            CSVText.append(field, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func place(_ coordinate: Coordinate) -> JSONObject {
        var object = JSONObject()
        object.add("lat", coordinate.latitude)
        object.add("lon", coordinate.longitude)
        object.add("name", known: named(coordinate))
        return object
    }

    private func named(_ coordinate: Coordinate) -> String? {
        places.first { $0.center.distance(to: coordinate) <= $0.radius }?.name
    }

    /// Returns the name of a place, else its coordinates with five decimals (a metre).
    func name(_ coordinate: Coordinate) -> String {
        named(coordinate)
            ?? DecimalText.string(coordinate.latitude, decimals: 5) + ","
            + DecimalText.string(coordinate.longitude, decimals: 5)
    }

    static func kilometres(_ metres: Double) -> String { DecimalText.string(metres / 1_000, decimals: 3) + " km" }

    /// Returns a time in seconds with the offset of local time, such as `2026-01-05T15:30:00+01:00`.
    static func time(_ time: Timestamp, _ offset: Duration?) -> String {
        RFC3339.string(time, offset: offset?.components.seconds ?? ZoneOffset.local.seconds(time.wholeSeconds))
    }

    /// Returns the places at the ends of a trip; `...` for the end of one that has not ended.
    func ends(of trip: Trip) -> String { "\(name(trip.from)) to \(trip.end == .open ? "..." : name(trip.to))" }
}
#endif
