#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore

/// `taffrail history purge`.
struct HistoryPurge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Delete old points; nothing of them remains in the database or its write-ahead log.")
    @OptionGroup var store: HistoryStore
    @OptionGroup var age: DeletionTime
    @OptionGroup var consent: DeletionConsent

    func run() throws {
        let time = try age.time()
        try consent.ask("Delete all points before \(time)?")
        let command = ControlCommand("purge", [LogValueEntry("before", .string("\(time.nanoseconds)"))])
        try store.delete(command) { try $0.purge(before: time) }
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

    @Option(help: ArgumentHelp("How many points there may be.", valueName: "count"))
    var rows: Int?

    @Option(help: ArgumentHelp("How large the database may become, such as 500MiB.", valueName: "size"))
    var size: String?

    @Option(help: ArgumentHelp("How old days may become until they are thinned, such as 90d.", valueName: "age"))
    var thinAfter: String?

    @Option(help: ArgumentHelp("How far thinning may move a track, in metres.", valueName: "m"))
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
