#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore

/// `taffrail history maintain`.
struct HistoryMaintain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintain",
        abstract:
            "Apply retention by age, count and size, thin old days, shrink the database; meant to be run from a timer.",
        discussion: "Limits that are not given come from the configuration, unless --store is given.")
    @OptionGroup var store: HistoryStore

    @Option(help: ArgumentHelp("Delete points that are older than this, such as 30d.", valueName: "age"))
    var age: String?

    @Option(help: ArgumentHelp("The maximum number of points to keep.", valueName: "count"))
    var rows: Int?

    @Option(help: ArgumentHelp("The maximum size of the database, such as 500MiB.", valueName: "size"))
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
        var retention = try store.location().retention() ?? TrackRetention()
        retention.age = try DeletionTime.age(age, "--age") ?? retention.age
        retention.thinAge = try DeletionTime.age(thinAfter, "--thin-after") ?? retention.thinAge
        retention.thinTolerance = tolerance ?? retention.thinTolerance
        retention.size = try DeletionTime.size(size, "--size") ?? retention.size
        retention.rows = rows ?? retention.rows
        try store.delete(ControlCommand("maintain", retention.arguments)) { [retention] in try $0.maintain(retention) }
    }
}
#endif
