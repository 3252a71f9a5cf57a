#if Command && Store
internal import ArgumentParser
internal import Glibc
internal import Taffrail
internal import TaffrailReading
internal import TaffrailStore

/// `taffrail history purge`.
struct HistoryPurge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Delete old points; they are then in neither the database nor its log.")
    @OptionGroup var store: HistoryStore

    @Option(help: ArgumentHelp("Delete what is older than that, such as 30d (default: 30d).", valueName: "age"))
    var olderThan: String?

    @Option(help: ArgumentHelp("Delete what is before that time: \(TimeArgument.forms).", valueName: "time"))
    var before: String?

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    func run() throws {
        guard before == nil || olderThan == nil else { throw ValidationError("--older-than or --before, not both") }
        let time = try HistoryFilter.moment(before ?? olderThan ?? "30d", before == nil ? "--older-than" : "--before")
        try HistoryConsent.ask("Delete all points before \(time)?", isGiven: yes)
        let command = ControlCommand("purge", [LogValueEntry("before", .string("\(time.nanoseconds)"))])
        let answer = try store.carryOut(command) { store in
            ControlCommand.Answer([LogValueEntry("purged", .int(Int64(try store.purge(before: time))))])
        }
        print("\(answer["purged"] ?? .int(0)) points deleted")
    }
}

/// `taffrail history clear`.
struct HistoryClear: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Delete all points; they are then in neither the database nor its log.")
    @OptionGroup var store: HistoryStore

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    func run() throws {
        try HistoryConsent.ask("Delete all points?", isGiven: yes)
        let answer = try store.carryOut(ControlCommand("clear")) { store in
            ControlCommand.Answer([LogValueEntry("purged", .int(Int64(try store.clear())))])
        }
        print("\(answer["purged"] ?? .int(0)) points deleted")
    }
}

/// `taffrail history maintain`.
struct HistoryMaintain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintain",
        abstract: "Delete what is beyond an age, a number or a size, thin old days, and tidy up: for a timer.")
    @OptionGroup var store: HistoryStore

    @Option(help: ArgumentHelp("How old points may become, such as 30d.", valueName: "age"))
    var age: String?

    @Option(help: ArgumentHelp("How many points there may be.", valueName: "count"))
    var rows: Int?

    @Option(help: ArgumentHelp("How large the database may become, such as 500MiB.", valueName: "size"))
    var size: String?

    @Option(help: ArgumentHelp("How old days may become until they are thinned, such as 90d.", valueName: "age"))
    var thinAfter: String?

    @Option(help: ArgumentHelp("How far thinning may move a track, in metres.", valueName: "m"))
    var tolerance = 10.0

    func validate() throws {
        if let rows, rows < 0 { throw ValidationError("--rows must not be negative") }
        guard (0.1...10_000).contains(tolerance) else {
            throw ValidationError("--tolerance must be from 0.1 to 10000 metres")
        }
    }

    func run() throws {
        var retention = TrackRetention()
        retention.age = try Self.age(age, "--age")
        retention.thinAge = try Self.age(thinAfter, "--thin-after")
        retention.thinTolerance = tolerance
        if let size {
            guard let found = ByteSize(size) else { throw ValidationError("--size \(size): not such as 500MiB") }
            retention.size = found
        }
        retention.rows = rows
        let answer = try store.carryOut(ControlCommand("maintain", retention.arguments)) { [retention] store in
            ControlCommand.Answer([LogValueEntry("purged", .int(Int64(try store.maintain(retention))))])
        }
        print("\(answer["purged"] ?? .int(0)) points deleted")
    }

    private static func age(_ text: String?, _ flag: String) throws -> Duration? {
        guard let text else { return nil }
        guard let age = DurationText.duration(text), age <= .days(36_600) else {
            throw ValidationError("\(flag) \(text): not such as 30d")
        }
        return age
    }
}

/// Asks for confirmation before a deletion.
enum HistoryConsent {
    /// Asks on the terminal; without a terminal `--yes` is required.
    static func ask(_ question: String, isGiven: Bool) throws {
        if isGiven { return }
        guard isatty(0) == 1, isatty(2) == 1 else {
            throw ValidationError("nothing is deleted without a terminal: add --yes")
        }
        StandardStream.complain("\(question) [y/N]", isPrefixed: false)
        guard ["y", "yes"].contains(readLine()?.lowercased()) else { throw ExitCode(1) }
    }
}
#endif
