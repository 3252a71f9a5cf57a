#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailQuery
internal import TaffrailReading
internal import TaffrailStore

/// `taffrail logs purge`.
struct LogsPurge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Delete old records; they are then in neither the database nor its log.",
        discussion: "The age is that since a record arrived. With a query, only records that it finds are deleted.")
    @OptionGroup var store: LogsStore

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("The query; without one, all records.", valueName: "query"))
    var query: [String] = []

    @Option(help: ArgumentHelp("Delete what is older than that, such as 30d (default: 30d).", valueName: "age"))
    var olderThan: String?

    @Option(help: ArgumentHelp("Delete what arrived before that time: \(TimeArgument.forms).", valueName: "time"))
    var before: String?

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    func run() throws {
        guard before == nil || olderThan == nil else { throw ValidationError("--older-than or --before, not both") }
        let time = try HistoryFilter.moment(before ?? olderThan ?? "30d", before == nil ? "--older-than" : "--before")
        var filter = LogsFilter()
        (filter.query, filter.since, filter.until) = (query, nil, nil)
        let selection = try filter.selection()
        let what = selection.conditions.isEmpty ? "all records" : "all records of \(selection)"
        try HistoryConsent.ask("Delete \(what) that arrived before \(time)?", isGiven: yes)
        var arguments = [LogValueEntry("before", .string("\(time.nanoseconds)"))]
        if !selection.conditions.isEmpty { arguments.append(LogValueEntry("query", .string("\(selection)"))) }
        let answer = try store.carryOut(ControlCommand("purge", arguments)) { store in
            try store.purge(before: time, selection)
        }
        print("\(answer) records deleted")
    }
}

/// `taffrail logs clear`.
struct LogsClear: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Delete all records; they are then in neither the database nor its log.")
    @OptionGroup var store: LogsStore

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    func run() throws {
        try HistoryConsent.ask("Delete all records?", isGiven: yes)
        print("\(try store.carryOut(ControlCommand("clear")) { try $0.clear() }) records deleted")
    }
}

/// `taffrail logs backup FILE`.
struct LogsBackup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the store, which may be in use, into a file that must not exist.")
    @Argument(help: ArgumentHelp("The new file.", valueName: "file"))
    var file: String

    @OptionGroup var store: LogsStore

    func run() throws {
        let reader = try store.reader()
        do throws(StoreError) { try reader.backUp(to: file) } catch {
            StandardStream.complain("\(error)")
            throw ExitCode.cannotCreate
        }
    }
}

extension LogsStore {
    /// Has records deleted by the program that writes the store, or else by this one. Returns how many.
    fileprivate func carryOut(
        _ command: ControlCommand, _ body: (LogStore) throws -> LogDeletionResult
    ) throws -> LogValue {
        let place = try place()
        guard FileName.exists(place.path) else {
            StandardStream.complain("\(place.path): there is no store")
            throw ExitCode.noInput
        }
        let answer = try place.carryOut(command) {
            try body(LogStore.at(place.path)).answer
        }
        if answer["erased"] == .bool(false) {
            StandardStream.complain(
                "a part of the deleted records is still in the log of the database, because it is being read; repeat the "
                    + "command later, or restart the program that writes it")
        }
        return answer["purged"] ?? .int(0)
    }
}
#endif
