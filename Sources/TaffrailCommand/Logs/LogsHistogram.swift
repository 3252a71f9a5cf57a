#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailQuery
internal import TaffrailStore

/// `taffrail logs histogram`.
struct LogsHistogram: ParsableCommand {
    /// The fields by which counts are grouped.
    enum Grouping: String, ExpressibleByArgument, CaseIterable { case level, logger, device, event }

    static let configuration = CommandConfiguration(
        commandName: "histogram", abstract: "Count the records that match a query, over time. Times are in UTC.")
    @OptionGroup var store: LogsStore
    @OptionGroup var filter: LogsFilter

    @Option(help: "The field by which counts are grouped: level, logger, device or event (default: none).")
    var by: Grouping?

    @Option(help: ArgumentHelp("The length of a bucket, such as 5m (default: by the period).", valueName: "duration"))
    var interval: String?

    @Option(help: "The output format: table, json or csv.")
    var format = LogsOutput.Format.table

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
#endif
