#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore

/// `taffrail history thin`.
struct HistoryThin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thin",
        abstract: "Delete points of old days that are near the line between the remaining points.",
        discussion: """
            Each day of a device is thinned only once, so that repeated runs never move the track by more than the \
            tolerance.
            """)
    @OptionGroup var store: HistoryStore

    @Option(
        help: ArgumentHelp(
            "Only days before this time or older than this, such as 90d (default: 90d).", valueName: "age"),
        transform: TimeOption.time)
    var olderThan: Timestamp?

    @Option(help: ArgumentHelp("The maximum distance of a deleted point from the line, in metres.", valueName: "m"))
    var tolerance = 10.0

    @OptionGroup var consent: DeletionConsent

    func validate() throws {
        guard (0.1...10_000).contains(tolerance) else {
            throw ValidationError("--tolerance must be from 0.1 to 10000 metres")
        }
    }

    func run() throws {
        let time = olderThan ?? .now - .days(90)
        try consent.ask("Thin all days before \(time)?")
        let command = ControlCommand(
            "thin",
            [LogValueEntry("before", .string("\(time.nanoseconds)")), LogValueEntry("tolerance", .double(tolerance))])
        try store.delete(command) { try $0.thin(before: time, tolerance: tolerance) }
    }
}
#endif
