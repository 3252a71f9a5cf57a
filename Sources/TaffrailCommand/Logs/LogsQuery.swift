#if Command && Store
internal import ArgumentParser
internal import TaffrailQuery
internal import TaffrailStore

/// `taffrail logs query`.
struct LogsQuery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Print the newest records that match a query, in chronological order.",
        discussion: "JSON has one object per line, with the keys of JSON logs and id, arrival, device, lat and lon.")
    @OptionGroup var store: LogsStore
    @OptionGroup var filter: LogsFilter

    @Option(help: "The maximum number of records to print.")
    var limit = 100

    @Option(help: "The output format: table, json or csv.")
    var format = LogsOutput.Format.table

    @Flag(help: "Print the oldest records instead of the newest.")
    var oldest = false

    func validate() throws { try LimitOption.validate(limit) }

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

    /// Pages back to the first of the newest records and prints it: only one page is in memory at a time.
    ///
    /// - Returns: Whether there is such a record.
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
#endif
