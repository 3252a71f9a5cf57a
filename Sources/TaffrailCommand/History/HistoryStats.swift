#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailStore
internal import TaffrailText
internal import TaffrailTracks

/// `taffrail history stats`.
struct HistoryStats: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Count points, sessions, bytes, distances and times.")
    @OptionGroup var store: HistoryStore
    @OptionGroup var filter: HistoryFilter

    @Option(
        help: """
            The maximum number of points: the newest of all devices, and the trips and visits since the first of them.
            """)
    var limit: Int?

    @Option(help: "The output format; gpx, geojson and kml are not possible for statistics.")
    var format = HistoryFormat.table

    @Flag(help: "Include points that are left out of trips: jumps, drift and inaccurate ones.")
    var all = false

    private static let columns = ["device", "sessions", "trips", "visits", "odometer"] + TrackStatistics.columns

    func validate() throws {
        try LimitOption.validate(limit)
        guard [.table, .json, .csv].contains(format) else {
            throw ValidationError(
                "--format \(format.rawValue): statistics have no coordinates; only list, trips and visits have")
        }
    }

    func run() throws {
        let reader = try store.reader()
        do {
            let sessions = try reader.sessions()
            var query = try filter.query(store)
            let journeys = try reader.journeys(query)
            query.includesExcluded = all
            let newest = try limit.map { try NewestPoints($0, query, reader) }
            if format == .csv { print(HistoryJourneys.csv(Self.columns)) }
            // There is no path between two devices.
            for device in try query.device.map({ [$0] }) ?? reader.devices() {
                var one = query
                one.device = device
                var statistics = TrackStatistics()
                if let newest {
                    try newest.forEach(of: device) { statistics.add(.location($0.location)) }
                } else {
                    try reader.forEach(one) { statistics.add(.location($0.location)) }
                }
                let own = newest?.journeys(in: journeys, of: device) ?? journeys.of(device)
                let count = sessions.count { $0.device == device }
                show(statistics, own, sessions: count, of: device)
            }
            if format == .table {
                print("rows                \(try reader.count())")
                print("sessions            \(sessions.count)")
                print("bytes               \(reader.size.bytes)")
            }
        } catch let error as StoreError {
            throw ExitCode(error).reporting(error)
        }
    }

    private func show(_ statistics: TrackStatistics, _ journeys: Journeys, sessions: Int, of device: String) {
        let (trips, visits) = (journeys.trips.count, journeys.visits.count)
        let odometer = journeys.trips.reduce(0) { $0 + $1.distance }
        switch format {
        case .json:
            var line = JSONObject()
            line.add("device", device)
            line.add("sessions", whole: sessions)
            line.add("trips", whole: trips)
            line.add("visits", whole: visits)
            line.add("odometer", odometer)
            statistics.add(to: &line)
            print(line.string)
        case .csv:
            print(
                HistoryJourneys.csv(
                    [device, "\(sessions)", "\(trips)", "\(visits)", "\(odometer)"] + statistics.fields))
        default:
            print("device              \(TerminalText.safe(device))\n\(statistics.table)", terminator: "")
            print("trips               \(trips)")
            print("visits              \(visits)")
            print("odometer            \(HistoryJourneys.kilometres(odometer))\n")
        }
    }
}
#endif
