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
        abstract: "Delete what is beyond an age, a number or a size, and tidy up: for a timer.")
    @OptionGroup var store: HistoryStore

    @Option(help: ArgumentHelp("How old points may become, such as 30d.", valueName: "age"))
    var age: String?

    @Option(help: ArgumentHelp("How many points there may be.", valueName: "count"))
    var rows: Int?

    @Option(help: ArgumentHelp("How large the database may become, such as 500MiB.", valueName: "size"))
    var size: String?

    func run() throws {
        var retention = TrackRetention()
        if let age {
            guard let found = DurationText.duration(age) else { throw ValidationError("--age \(age): not such as 30d") }
            retention.age = found
        }
        if let size {
            guard let found = ByteSize(size) else { throw ValidationError("--size \(size): not such as 500MiB") }
            retention.size = found
        }
        retention.rows = rows
        let place = try store.place()
        do throws(StoreError) {
            print("\(try TrackStore.at(place.path).maintain(retention)) points deleted")
        } catch {
            throw HistoryStore.exitCode(error)
        }
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
