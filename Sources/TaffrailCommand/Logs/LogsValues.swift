#if Command && Store
internal import ArgumentParser
internal import TaffrailQuery
internal import TaffrailStore

/// `taffrail logs values`.
struct LogsValues: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "values", abstract: "Count the values of a field, the most frequent first.")
    @Argument(help: ArgumentHelp("level, logger, device, event, or the name of an attribute.", valueName: "field"))
    var field: String

    @OptionGroup var store: LogsStore
    @OptionGroup var filter: LogsFilter

    @Option(help: "The maximum number of values to print.")
    var limit = 50

    @Option(help: "The output format: table, json or csv.")
    var format = LogsOutput.Format.table

    func validate() throws { try LimitOption.validate(limit) }

    func run() throws {
        var request = ValuesRequest(field, try filter.selection())
        request.limit = limit
        request.effort = .max
        try store.print(as: format) { (reader, output) throws(LogQueryError) in
            output.print(try reader.values(request))
        }
    }
}
#endif
