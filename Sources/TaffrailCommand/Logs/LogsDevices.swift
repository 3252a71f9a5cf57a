#if Command && Store
internal import ArgumentParser
internal import TaffrailQuery
internal import TaffrailStore

/// `taffrail logs devices`.
struct LogsDevices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List the devices with their last records and positions.")
    @OptionGroup var store: LogsStore

    @Option(help: "The output format: table, json or csv.")
    var format = LogsOutput.Format.table

    func run() throws {
        try store.print(as: format) { (reader, output) throws(LogQueryError) in
            output.print(try reader.devices())
        }
    }
}
#endif
