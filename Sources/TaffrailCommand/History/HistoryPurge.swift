#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore

/// `taffrail history purge`.
struct HistoryPurge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract:
            "Delete old points, or those of a period or device; none of them remains in the database or write-ahead log.",
        discussion: """
            Visits and trips are then computed again from the remaining points. The names of devices and sources remain
            until `taffrail history clear`.

            Examples:
              taffrail history purge --older-than 90d
              taffrail history purge --device ferry --since 2026-01-05T14:30:00Z --until 2026-01-05T15:10:00Z
            """)
    @OptionGroup var store: HistoryStore
    @OptionGroup var age: DeletionTime

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Delete only points of this time or later.", valueName: "time"),
        transform: TimeOption.time)
    var since: Timestamp?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The same as --before (default with --since: now).", valueName: "time"),
        transform: TimeOption.time)
    var until: Timestamp?

    @Option(help: ArgumentHelp("Delete only points of a device.", valueName: "name"))
    var device: String?

    @OptionGroup var consent: DeletionConsent

    func validate() throws {
        guard until == nil || age.before == nil && age.olderThan == nil else {
            throw ValidationError("give only one of --until, --before and --older-than")
        }
    }

    func run() throws {
        let isOpen = since != nil && age.before == nil && age.olderThan == nil
        let end = try until ?? (isOpen ? .now : age.time())
        guard since.map({ $0 < end }) ?? true else { throw ValidationError("--since must be before the end") }
        let whose = device.map { "all points of \($0)" } ?? "all points"
        try consent.ask("Delete \(whose) \(since.map { "from \($0) " } ?? "")before \(end)?")
        var arguments = [LogValueEntry("before", .string("\(end.nanoseconds)"))]
        if let since { arguments.append(LogValueEntry("since", .string("\(since.nanoseconds)"))) }
        if let device { arguments.append(LogValueEntry("device", .string(device))) }
        try store.delete(ControlCommand("purge", arguments)) {
            try $0.purge(since: since, until: end, device: device)
        }
    }
}
#endif
