#if Command && Store
internal import ArgumentParser
internal import TaffrailStore

/// `taffrail history trips`.
struct HistoryTrips: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips", abstract: "List the trips: the journeys between visits.",
        discussion: """
            A visit is a stay of 5 minutes or more within 100 m, even if there were no fixes during it. Jumps, drift \
            and inaccurate fixes are not part of trips; taffrail history list --all shows them. Times are local. In \
            gpx, geojson and kml, each trip is a track of its fixes.
            """)
    @OptionGroup var flags: JourneyFlags

    @Flag(help: "Print why each trip begins and ends where it does, and how many fixes were left out.")
    var explain = false

    func run() throws {
        let reader = try flags.store.reader()
        let trips = try flags.journeys(reader).trips
        let lines = HistoryJourneys(places: try flags.store.places())
        if try flags.map(trips, lines, text: { try $0.text($1, along: reader.path(of: $1)) }) { return }
        flags.print(trips, HistoryJourneys.tripColumns, json: lines.json, fields: lines.fields) { trip in
            explain ? lines.text(trip) + "\n" + lines.explanation(of: trip) : lines.text(trip)
        }
    }
}
#endif
