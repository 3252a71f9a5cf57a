#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore

/// `taffrail history days`.
struct HistoryDays: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "days", abstract: "Summarize each day: its trips, their length, and its visits.",
        discussion: "Days are in local time. A trip counts for the day on which it begins.")
    @OptionGroup var flags: JourneyFlags

    func validate() throws {
        guard ![.gpx, .geojson, .kml].contains(flags.format) else {
            throw ValidationError(
                "--format \(flags.format.rawValue): a day has no coordinates; only trips and visits have")
        }
    }

    func run() throws {
        flags.print(
            try flags.journeys(flags.store.reader()).days(.local), HistoryJourneys.dayColumns,
            json: HistoryJourneys.json,
            fields: HistoryJourneys.fields, text: HistoryJourneys.text)
    }
}
#endif
