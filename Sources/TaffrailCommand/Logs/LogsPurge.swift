#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailQuery
internal import TaffrailStore

/// `taffrail logs purge`.
struct LogsPurge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Delete old records; no trace remains in the database or its write-ahead log.",
        discussion: "Ages count from the arrival of a record. With a query, only matching records are deleted.")
    @OptionGroup var store: LogsStore

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("The query; without one, all records.", valueName: "query"))
    var query: [String] = []

    @OptionGroup var age: DeletionTime
    @OptionGroup var consent: DeletionConsent

    func run() throws {
        let time = try age.time()
        var filter = LogsFilter()
        (filter.query, filter.since, filter.until) = (query, nil, nil)
        let selection = try filter.selection()
        let what = selection.conditions.isEmpty ? "all records" : "all records of \(selection)"
        try consent.ask("Delete \(what) that arrived before \(time)?")
        var arguments = [LogValueEntry("before", .string("\(time.nanoseconds)"))]
        if !selection.conditions.isEmpty { arguments.append(LogValueEntry("query", .string("\(selection)"))) }
        let answer = try store.execute(ControlCommand("purge", arguments)) { store in
            try store.purge(before: time, selection)
        }
        print(StoreFlags.deleted(answer, "record"))
    }
}
#endif
