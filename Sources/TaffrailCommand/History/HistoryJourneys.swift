#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailStore
internal import TaffrailText

/// How trips, visits and days are listed.
enum JourneyFormat: String, ExpressibleByArgument, CaseIterable { case table, json }

/// What `trips` and `visits` have in common.
struct JourneyFlags: ParsableArguments {
    @OptionGroup var store: HistoryStore
    @OptionGroup var filter: HistoryFilter

    @Option(help: "How many at most: the newest.")
    var limit = 100

    @Option(help: "How to answer.")
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
}

/// `taffrail history trips`.
struct HistoryTrips: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips", abstract: "List the trips: the ways from one visit to the next.",
        discussion: """
            A visit is a stay of 5 minutes or more within 100 m, also one without fixes in between. Jumps, drift and \
            inaccurate fixes are not part of trips; taffrail history list --all shows them. Times are local.
            """)
    @OptionGroup var flags: JourneyFlags

    @Flag(help: "Print for each trip why it begins and ends where it does, and what was left out.")
    var explain = false

    func run() throws {
        let journeys = try flags.journeys()
        let print = HistoryJourneys(places: try flags.store.places())
        for trip in journeys.trips.suffix(flags.limit) {
            Swift.print(flags.format == .json ? print.json(trip) : print.text(trip))
            if explain && flags.format == .table { Swift.print(print.explanation(of: trip)) }
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
        let print = HistoryJourneys(places: try flags.store.places())
        for visit in journeys.visits.suffix(flags.limit) {
            Swift.print(flags.format == .json ? print.json(visit) : print.text(visit))
        }
    }
}

/// `taffrail history days`.
struct HistoryDays: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "days", abstract: "Sum up each day: trips, their length, visits.",
        discussion: "Days are those of local time. A trip counts for the day on which it begins.")
    @OptionGroup var flags: JourneyFlags

    func run() throws {
        for day in try flags.journeys().days(.local).suffix(flags.limit) {
            print(flags.format == .json ? HistoryJourneys.json(day) : HistoryJourneys.text(day))
        }
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
            + trip.device
    }

    func text(_ visit: PlaceVisit) -> String {
        let end = visit.isOpen ? "still there" : Self.time(visit.departure, visit.localOffset)
        return "\(Self.time(visit.arrival, visit.localOffset))  \(end)  \(Self.duration(visit.duration))  "
            + "\(name(visit.center))  \(visit.device)"
    }

    static func text(_ day: DaySummary) -> String {
        "\(day.date)  \(day.trips) trips  \(kilometres(day.distance))  \(duration(day.moving)) on the way  "
            + "\(day.visits) visits  \(duration(day.staying)) there  \(day.device)"
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
        "{\"device\":\(HistoryLine.quoted(trip.device)),\"departure\":\"\(RFC3339.string(trip.departure))\","
            + "\"arrival\":\"\(RFC3339.string(trip.arrival))\",\"duration\":\(trip.duration / .seconds(1)),"
            + "\"distance\":\(trip.distance),\"from\":\(place(trip.from)),\"to\":\(place(trip.to)),"
            + "\"start\":\"\(trip.start.rawValue)\",\"end\":\"\(trip.end.rawValue)\",\"points\":\(trip.points),"
            + "\"leftOut\":\(trip.leftOut),\"longestGap\":\(trip.longestGap / .seconds(1))}"
    }

    func json(_ visit: PlaceVisit) -> String {
        "{\"device\":\(HistoryLine.quoted(visit.device)),\"arrival\":\"\(RFC3339.string(visit.arrival))\","
            + "\"departure\":\(visit.isOpen ? "null" : "\"\(RFC3339.string(visit.departure))\""),"
            + "\"duration\":\(visit.duration / .seconds(1)),\"place\":\(place(visit.center)),\"points\":\(visit.points),"
            + "\"longestGap\":\(visit.longestGap / .seconds(1))}"
    }

    static func json(_ day: DaySummary) -> String {
        "{\"device\":\(HistoryLine.quoted(day.device)),\"date\":\"\(day.date)\",\"trips\":\(day.trips),"
            + "\"distance\":\(day.distance),\"moving\":\(day.moving / .seconds(1)),\"visits\":\(day.visits),"
            + "\"staying\":\(day.staying / .seconds(1))}"
    }

    private func place(_ coordinate: Coordinate) -> String {
        var text = "{\"lat\":\(coordinate.latitude),\"lon\":\(coordinate.longitude)"
        if let name = named(coordinate) { text += ",\"name\":\(HistoryLine.quoted(name))" }
        return text + "}"
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
