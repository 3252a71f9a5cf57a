#if Command
internal import ArgumentParser
internal import Taffrail
#if Configuration
internal import TaffrailConfiguration
#endif

/// `taffrail recover DIR`.
struct RecoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Write what killed programs left in their queues to their logs.",
        discussion: """
            A program does this for its own log when it starts. Queues of running programs are left alone.

            Example:
              taffrail recover ~/.local/state/ferry
            """)

    @Argument(help: ArgumentHelp("The directory of the logs.", valueName: "dir"))
    var directory: String

    @Option(
        help: ArgumentHelp(
            "The program's configuration, whose processors the records go through (default: $TAFFRAIL_CONFIG).",
            valueName: "file"))
    var config: String?

    @Flag(help: "Also write what processors would have removed, where there is no configuration.")
    var raw = false

    /// The processors of the configuration; `nil` where there is none.
    private func processors() throws -> [any Processor]? {
        #if Configuration
        guard let named = config ?? Environment["TAFFRAIL_CONFIG"] else { return nil }
        return try ConfigurationFlag.plan(named)?.plan.makeProcessors()
        #else
        if config != nil { throw ValidationError("taffrail was built without the trait Configuration") }
        return nil
        #endif
    }

    func run() throws {
        let report: LogRecovery.Report
        let processors = try processors()
        do throws(SinkError) {
            report = try LogRecovery.recover(directory: directory, processors: processors, isRaw: raw)
        } catch {
            StandardStream.complain(error.reason)
            throw ExitCode.noInput
        }
        let files = report.files.isEmpty ? "" : " into \(report.files.joined(separator: ", "))"
        print("recovered \(report.records) \(report.records == 1 ? "record" : "records")\(files)")
        for path in report.withheld {
            StandardStream.complain(
                "\(path): its program has processors; --config FILE names them, --raw writes what they would remove")
        }
        for path in report.left { StandardStream.complain("\(path): not drained, try again") }
        if let failure = report.failure {
            StandardStream.complain(failure)
            throw ExitCode.inputOutput
        }
        guard report.refused.isEmpty && report.withheld.isEmpty else { throw ExitCode.dataError }
    }
}
#endif
