#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore

/// `taffrail history purge`.
struct HistoryPurge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract:
            "Delete old points, or those of a time or a device; nothing of them remains in the database or its log.",
        discussion: """
            Visits and trips are found again in the remaining points.

            Examples:
              taffrail history purge --older-than 90d
              taffrail history purge --device ferry --since 2026-01-05T14:30:00Z --until 2026-01-05T15:10:00Z
            """)
    @OptionGroup var store: HistoryStore
    @OptionGroup var age: DeletionTime

    @Option(help: ArgumentHelp("Delete only points of this time or later.", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("The same as --before (default with --since: now).", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("Delete only points of a device.", valueName: "name"))
    var device: String?

    @OptionGroup var consent: DeletionConsent

    func validate() throws {
        guard until == nil || age.before == nil && age.olderThan == nil else {
            throw ValidationError("--until, --before or --older-than, not several of them")
        }
    }

    func run() throws {
        let start = try since.map { try HistoryFilter.time($0, "--since") }
        let isOpen = since != nil && age.before == nil && age.olderThan == nil
        let end =
            if let until { try HistoryFilter.time(until, "--until") } else { try isOpen ? Timestamp.now : age.time() }
        guard start.map({ $0 < end }) ?? true else { throw ValidationError("--since must be before the end") }
        let whose = device.map { "all points of \($0)" } ?? "all points"
        try consent.ask("Delete \(whose) \(start.map { "from \($0) " } ?? "")before \(end)?")
        var arguments = [LogValueEntry("before", .string("\(end.nanoseconds)"))]
        if let start { arguments.append(LogValueEntry("since", .string("\(start.nanoseconds)"))) }
        if let device { arguments.append(LogValueEntry("device", .string(device))) }
        try store.delete(ControlCommand("purge", arguments)) {
            try $0.purge(since: start, until: end, device: device)
        }
    }
}

/// `taffrail history clear`.
struct HistoryClear: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete all points; nothing of them remains in the database or its write-ahead log.")
    @OptionGroup var store: HistoryStore
    @OptionGroup var consent: DeletionConsent

    func run() throws {
        try consent.ask("Delete all points?")
        try store.delete(ControlCommand("clear")) { try $0.clear() }
    }
}

/// `taffrail history maintain`.
struct HistoryMaintain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintain",
        abstract: "Apply retention by age, count and size, thin old days, and shrink the database: for a timer.",
        discussion: "Limits that are not given are those of the configuration, if the store is found by it.")
    @OptionGroup var store: HistoryStore

    @Option(help: ArgumentHelp("Delete points that are older than this, such as 30d.", valueName: "age"))
    var age: String?

    @Option(help: ArgumentHelp("The most points to keep.", valueName: "count"))
    var rows: Int?

    @Option(help: ArgumentHelp("The largest size of the database, such as 500MiB.", valueName: "size"))
    var size: String?

    @Option(help: ArgumentHelp("The age at which days are thinned, such as 90d.", valueName: "age"))
    var thinAfter: String?

    @Option(help: ArgumentHelp("The distance by which thinning may move a track, in metres.", valueName: "m"))
    var tolerance: Double?

    func validate() throws {
        if let rows, rows < 0 { throw ValidationError("--rows must not be negative") }
        guard (0.1...10_000).contains(tolerance ?? 10) else {
            throw ValidationError("--tolerance must be from 0.1 to 10000 metres")
        }
    }

    func run() throws {
        var retention = (try store.place().options as? any TrackStoreOptions)?.keep ?? TrackRetention()
        retention.age = try DeletionTime.age(age, "--age") ?? retention.age
        retention.thinAge = try DeletionTime.age(thinAfter, "--thin-after") ?? retention.thinAge
        retention.thinTolerance = tolerance ?? retention.thinTolerance
        retention.size = try DeletionTime.size(size, "--size") ?? retention.size
        retention.rows = rows ?? retention.rows
        try store.delete(ControlCommand("maintain", retention.arguments)) { [retention] in try $0.maintain(retention) }
    }
}
#endif
