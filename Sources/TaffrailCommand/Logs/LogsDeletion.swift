#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailQuery
internal import TaffrailStore

/// `taffrail logs purge`.
struct LogsPurge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Delete old records; nothing of them remains in the database or its write-ahead log.",
        discussion: "The age is that since a record arrived. With a query, only records that it finds are deleted.")
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
        print("\(answer) records deleted")
    }
}

/// `taffrail logs clear`.
struct LogsClear: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete all records; nothing of them remains in the database or its write-ahead log.")
    @OptionGroup var store: LogsStore

    @OptionGroup var consent: DeletionConsent

    func run() throws {
        try consent.ask("Delete all records?")
        print("\(try store.execute(ControlCommand("clear")) { try $0.clear() }) records deleted")
    }
}

/// `taffrail logs maintain`.
struct LogsMaintain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintain",
        abstract: "Apply retention by age, size and streams, and shrink the database: for a timer.",
        discussion: "Limits that are not given are those of the configuration, if the store is found by it.")
    @OptionGroup var store: LogsStore

    @Option(help: ArgumentHelp("Delete records that arrived longer ago than this, such as 30d.", valueName: "age"))
    var age: String?

    @Option(help: ArgumentHelp("The largest size of the database, such as 500MiB.", valueName: "size"))
    var size: String?

    func run() throws {
        let place = try store.place()
        var retention = (place.options as? any LogStoreRetention)?.keep ?? LogRetention()
        retention.age = try DeletionTime.age(age, "--age") ?? retention.age
        retention.size = try DeletionTime.size(size, "--size") ?? retention.size
        let command = ControlCommand("maintain", retention.arguments)
        // A timer may fire before the first record.
        let answer = try place.execute(command, mayBeMissing: true) { [retention] in
            let deleted = try LogStore.at(place.path).maintain(retention)
            return ControlCommand.Answer([LogValueEntry("purged", .int(Int64(deleted)))])
        }
        print("\(answer["purged"] ?? .int(0)) records deleted")
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
        try StoreFlags.backUp { () throws(StoreError) in try reader.backUp(to: file) }
    }
}

extension LogsStore {
    /// Deletes records in the program that writes the store, or else in this one. Returns how many.
    fileprivate func execute(
        _ command: ControlCommand, _ body: (LogStore) throws -> LogDeletionResult
    ) throws -> LogValue {
        let place = try place()
        let answer = try place.execute(command) { try body(LogStore.at(place.path)).answer }
        StoreFlags.complainOfRest(answer, of: "records")
        return answer["purged"] ?? .int(0)
    }
}
#endif
