#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailStore
internal import TaffrailText

/// How trips, visits and days are listed.
enum JourneyFormat: String, ExpressibleByArgument, CaseIterable { case table, json, csv }

/// What `trips` and `visits` have in common.
struct JourneyFlags: ParsableArguments {
    @OptionGroup var store: HistoryStore
    @OptionGroup var filter: HistoryFilter

    @Option(help: "How many at most: the newest.")
    var limit = 100

    @Option(help: "The output format: table, json or csv.")
    var format = JourneyFormat.table

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be at least 1") }
        if filter.session != nil {
            throw ValidationError("--session: visits and trips belong to a device, not a session")
        }
    }

    func journeys() throws -> Journeys {
        let reader = try store.reader()
        let query = try filter.query(store)
        do throws(StoreError) { return try reader.journeys(query) } catch { throw HistoryStore.exitCode(error) }
    }

    /// Prints the newest of some, a line each; CSV has a line with its columns before them.
    func print<Item>(
        _ items: [Item], _ columns: [String], json: (Item) -> String, fields: (Item) -> [String],
        text: (Item) -> String
    ) {
        if format == .csv { Swift.print(HistoryJourneys.csv(columns)) }
        for item in items.suffix(limit) {
            switch format {
            case .table: Swift.print(text(item))
            case .json: Swift.print(json(item))
            case .csv: Swift.print(HistoryJourneys.csv(fields(item)))
            }
        }
    }
}

/// `taffrail history trips`.
struct HistoryTrips: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips", abstract: "List the trips: the journeys between visits.",
        discussion: """
            A visit is a stay of 5 minutes or more within 100 m, also one without fixes in between. Jumps, drift and \
            inaccurate fixes are not part of trips; taffrail history list --all shows them. Times are local.
            """)
    @OptionGroup var flags: JourneyFlags

    @Flag(help: "Print for each trip why it begins and ends where it does, and what was left out.")
    var explain = false

    func run() throws {
        let journeys = try flags.journeys()
        let lines = HistoryJourneys(places: try flags.store.places())
        flags.print(journeys.trips, HistoryJourneys.tripColumns, json: lines.json, fields: lines.fields) { trip in
            explain ? lines.text(trip) + "\n" + lines.explanation(of: trip) : lines.text(trip)
        }
    }
}

/// `taffrail history visits`.
struct HistoryVisits: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "visits", abstract: "List the visits: stays of 5 minutes or more within 100 m.")
    @OptionGroup var flags: JourneyFlags

    func run() throws {
        let journeys = try flags.journeys()
        let lines = HistoryJourneys(places: try flags.store.places())
        flags.print(
            journeys.visits, HistoryJourneys.visitColumns, json: lines.json, fields: lines.fields, text: lines.text)
    }
}

/// `taffrail history days`.
struct HistoryDays: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "days", abstract: "Summarize each day: trips, their length, visits.",
        discussion: "Days are those of local time. A trip counts for the day on which it begins.")
    @OptionGroup var flags: JourneyFlags

    func run() throws {
        flags.print(
            try flags.journeys().days(.local), HistoryJourneys.dayColumns, json: HistoryJourneys.json,
            fields: HistoryJourneys.fields, text: HistoryJourneys.text)
    }
}

/// Visits, trips and days as lines.
struct HistoryJourneys {
    /// Places that have names.
    var places: [NamedPlace]

    func text(_ trip: Trip) -> String {
        let end = trip.end == .open ? "..." : name(trip.to)
        return "\(Self.time(trip.departure, trip.localOffset))  \(Self.time(trip.arrival, trip.localOffset))  "
            + "\(Self.duration(trip.duration))  \(Self.kilometres(trip.distance))  \(name(trip.from)) to \(end)  "
            + TerminalText.safe(trip.device)
    }

    func text(_ visit: PlaceVisit) -> String {
        let end = visit.isOpen ? "still there" : Self.time(visit.departure, visit.localOffset)
        return "\(Self.time(visit.arrival, visit.localOffset))  \(end)  \(Self.duration(visit.duration))  "
            + "\(name(visit.center))  \(TerminalText.safe(visit.device))"
    }

    static func text(_ day: DaySummary) -> String {
        "\(day.date)  \(day.trips) trips  \(kilometres(day.distance))  \(duration(day.moving)) moving  "
            + "\(day.visits) visits  \(duration(day.staying)) there  \(TerminalText.safe(day.device))"
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
            "\(trip.points) fixes, \(trip.leftOut) left out as jumps or as inaccurate; "
                + "at most \(Self.duration(trip.longestGap)) without a fix")
        return lines.map { "    \($0)" }.joined(separator: "\n")
    }

    func json(_ trip: Trip) -> String {
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
        line.add("leftOut", whole: trip.leftOut)
        line.add("longestGap", trip.longestGap / .seconds(1))
        return line.string
    }

    func json(_ visit: PlaceVisit) -> String {
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
        return line.string
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
            trip.start.rawValue, trip.end.rawValue, "\(trip.points)", "\(trip.leftOut)", Self.seconds(trip.longestGap),
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

    private static func seconds(_ duration: Duration) -> String { "\(duration / .seconds(1))" }

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

    /// The name of a place, else its coordinates with five decimals (a metre).
    private func name(_ coordinate: Coordinate) -> String {
        named(coordinate) ?? "\(Self.decimal(coordinate.latitude, 5)),\(Self.decimal(coordinate.longitude, 5))"
    }

    private static func decimal(_ number: Double, _ decimals: Int) -> String {
        var bytes: [UInt8] = []
        bytes.append(real: number, decimals: decimals)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func kilometres(_ metres: Double) -> String { decimal(metres / 1_000, 3) + " km" }

    /// A time in seconds with the offset of local time, such as `2026-01-05T15:30:00+01:00`.
    private static func time(_ time: Timestamp, _ offset: Duration?) -> String {
        let seconds = CivilTime.floorDivide(time.nanoseconds, by: 1_000_000_000)
        let offset = offset?.components.seconds ?? ZoneOffset.local.seconds(seconds)
        let local = Timestamp(nanoseconds: (seconds &+ offset) &* 1_000_000_000)
        let (hours, minutes) = (abs(offset) / 3_600, abs(offset) / 60 % 60)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return RFC3339.string(local).prefix(19) + (offset < 0 ? "-" : "+") + two(hours) + ":" + two(minutes)
    }

    /// A duration in words, such as `1 h 05 min`.
    static func duration(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        if seconds < 3_600 { return "\((seconds + 30) / 60) min" }
        let minutes = (seconds + 30) / 60
        return "\(minutes / 60) h \(minutes % 60 < 10 ? "0" : "")\(minutes % 60) min"
    }
}
#endif
