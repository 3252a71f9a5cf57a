#if Command && Store
internal import ArgumentParser
internal import TaffrailStore

/// `taffrail history visits`.
struct HistoryVisits: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "visits", abstract: "List the visits: stays of 5 minutes or more within 100 m.",
        discussion: "In gpx, geojson and kml, each visit is a point with its name and times.")
    @OptionGroup var flags: JourneyFlags

    func run() throws {
        let visits = try flags.journeys(flags.store.reader()).visits
        let lines = HistoryJourneys(places: try flags.store.places())
        if try flags.map(visits, lines, text: { $0.text($1) }) { return }
        flags.print(
            visits, HistoryJourneys.visitColumns, json: lines.json, fields: lines.fields, text: lines.text)
    }
}
#endif
