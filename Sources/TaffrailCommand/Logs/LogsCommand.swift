#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailQuery
internal import TaffrailReading
internal import TaffrailStore

/// `taffrail logs query|histogram|values|devices|purge|clear|backup|maintain`.
struct LogsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs",
        abstract: "Find, count and delete the records of a log store.",
        discussion: """
            The store is that of the configuration, or the one that --store names. It may be in use: changes are then \
            made by the program that has it open.

            A query has conditions, all of which must hold; ! or - before one inverts it:
              level>=warning  logger:net  logger=net.http  device:ferry,tender*  event:geo.*
              "disk full"  "time"*  message~"k fu"  status>=500  path=/a,/b  user:*  @level=3
              since:-1h  until:2026-01-05T14:30:00Z  near:55.68,12.57,500m  box:55.5,12.4,55.8,12.7
              trace:4bf92f3577b34da6a3ce929d0e0e4736  span:00f067aa0ba902b7  run:RUN

            Examples:
              taffrail logs query --store logs.sqlite 'level>=warning "timeout"'
              taffrail logs histogram --by logger 'since:yesterday'
              taffrail logs values status 'logger:net'
            """,
        subcommands: [
            LogsQuery.self, LogsHistogram.self, LogsValues.self, LogsDevices.self, LogsPurge.self, LogsClear.self,
            LogsBackup.self, LogsMaintain.self,
        ],
        defaultSubcommand: LogsQuery.self)
}

/// The log store of a command.
struct LogsStore: ParsableArguments {
    @OptionGroup var flags: StoreFlags

    func place() throws -> StorePlace { try flags.place(of: "log-store", standard: LogStore.defaultPath) }

    /// Opens the store for reading.
    func reader() throws -> LogStoreReader {
        let place = try place()
        do throws(StoreError) { return try LogStoreReader(place.path) } catch { throw StorePlace.exitCode(error) }
    }

    /// Prints what a body finds.
    func print(
        as format: LogsFormat, _ body: (LogStoreReader, LogsOutput) throws(LogQueryError) -> Void
    ) throws {
        let output = LogsOutput(format)
        let reader = try reader()
        do throws(LogQueryError) { try body(reader, output) } catch { throw Self.exitCode(error) }
        guard output.finish() else { throw ExitCode.inputOutput }
    }

    /// Prints what is wrong, and returns the exit code for it.
    private static func exitCode(_ error: LogQueryError) -> ExitCode {
        StandardStream.complain("\(error)")
        switch error.kind {
        case .invalid, .unreadable: return .dataError
        case .missing: return .noInput
        case .unavailable, .tooLong: return .inputOutput
        }
    }
}

/// The selection of records for a command.
struct LogsFilter: ParsableArguments {
    // A condition with - before it looks like an option.
    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("The query; without one, all records.", valueName: "query"))
    var query: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only records of this time or later: \(TimeArgument.forms).", valueName: "time"))
    var since: TimeOption?

    @Option(parsing: .unconditional, help: ArgumentHelp("Only records before this time.", valueName: "time"))
    var until: TimeOption?

    func selection() throws -> LogSelection {
        // A mistyped option must not become the condition that a word is missing.
        for word in query where word.hasPrefix("-") {
            guard !word.hasPrefix("--"), word.contains(where: { ":=<>~".contains($0) }) else {
                throw ValidationError("Unknown option '\(word)'; records without a word are found by '!word'")
            }
        }
        let text = query.joined(separator: " ")
        do throws(SelectionError) {
            return try LogSelection(parsing: text).between(
                since.map { Timestamp(nanoseconds: $0.nanoseconds) },
                until.map { Timestamp(nanoseconds: $0.nanoseconds) })
        } catch {
            let mark = String(repeating: " ", count: max(0, error.column - 1)) + "^"
            throw ValidationError("the query is wrong in \(error)\n  \(text)\n  \(mark)")
        }
    }
}

/// `taffrail logs query`.
struct LogsQuery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Print the newest records that a query finds, the oldest of them first.",
        discussion: "JSON has one object a line, with the keys of JSON logs and id, arrival, device, lat and lon.")
    @OptionGroup var store: LogsStore
    @OptionGroup var filter: LogsFilter

    @Option(help: "The most records to print.")
    var limit = 100

    @Option(help: "The output format: table, json or csv.")
    var format = LogsFormat.table

    @Flag(help: "Print the oldest records instead of the newest.")
    var oldest = false

    func validate() throws { if limit < 1 { throw ValidationError("--limit must be at least 1") } }

    func run() throws {
        var request = RecordRequest(try filter.selection())
        request.isNewestFirst = !oldest
        try store.print(as: format) { (reader, output) throws(LogQueryError) in
            var mayBeMore = true
            if !oldest { mayBeMore = try skip(&request, reader, output) }
            request.isNewestFirst = false
            while mayBeMore, output.count < limit, !output.isClosed {
                request.limit = min(1_000, limit - output.count)
                let page = try reader.records(request)
                page.records.forEach(output.print)
                request.cursor = page.next
                mayBeMore = page.next != nil
            }
        }
    }

    /// Goes back to the first of the newest records, page by page, and prints it: only one page is ever in memory.
    ///
    /// - Returns: Whether there is one.
    private func skip(
        _ request: inout RecordRequest, _ reader: LogStoreReader, _ output: LogsOutput
    ) throws(LogQueryError) -> Bool {
        var (left, first) = (limit, StoredRecord?.none)
        repeat {
            request.limit = min(1_000, left)
            let page = try reader.records(request)
            left -= page.records.count
            first = page.records.last ?? first
            request.cursor = page.next
        } while request.cursor != nil && left > 0
        guard let first else { return false }
        output.print(first)
        request.cursor = first.id
        return true
    }
}

/// `taffrail logs histogram`.
struct LogsHistogram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "histogram", abstract: "Count the records that a query finds over time. Times are UTC.")
    @OptionGroup var store: LogsStore
    @OptionGroup var filter: LogsFilter

    @Option(help: "The field by which counts are grouped: level, logger, device or event (default: none).")
    var by: LogsGrouping?

    @Option(help: ArgumentHelp("The length of a bucket, such as 5m (default: a round one).", valueName: "time"))
    var interval: String?

    @Option(help: "The output format: table, json or csv.")
    var format = LogsFormat.table

    func run() throws {
        var request = HistogramRequest(try filter.selection())
        request.grouping = by.flatMap { LogGrouping(rawValue: $0.rawValue) }
        request.effort = .max
        if let interval {
            guard let length = DurationText.duration(interval), length >= .milliseconds(1) else {
                throw ValidationError("--interval \(interval): not a duration such as 30s, 5m or 1h")
            }
            request.interval = length
        }
        try store.print(as: format) { (reader, output) throws(LogQueryError) in
            output.print(try reader.histogram(request))
        }
    }
}

/// The fields by which counts are grouped.
enum LogsGrouping: String, ExpressibleByArgument, CaseIterable { case level, logger, device, event }

/// `taffrail logs values`.
struct LogsValues: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "values", abstract: "Count the values of a field, the most frequent first.")
    @Argument(help: ArgumentHelp("level, logger, device, event, or the name of an attribute.", valueName: "field"))
    var field: String

    @OptionGroup var store: LogsStore
    @OptionGroup var filter: LogsFilter

    @Option(help: "The most values to print.")
    var limit = 50

    @Option(help: "The output format: table, json or csv.")
    var format = LogsFormat.table

    func validate() throws { if limit < 1 { throw ValidationError("--limit must be at least 1") } }

    func run() throws {
        var request = ValuesRequest(field, try filter.selection())
        request.limit = limit
        request.effort = .max
        try store.print(as: format) { (reader, output) throws(LogQueryError) in
            output.print(try reader.values(request))
        }
    }
}

/// `taffrail logs devices`.
struct LogsDevices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List the devices with their last records and positions.")
    @OptionGroup var store: LogsStore

    @Option(help: "The output format: table, json or csv.")
    var format = LogsFormat.table

    func run() throws {
        try store.print(as: format) { (reader, output) throws(LogQueryError) in
            output.print(try reader.devices())
        }
    }
}
#endif
