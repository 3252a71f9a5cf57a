#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailReading
#if Configuration
internal import TaffrailConfiguration
#endif

/// `taffrail recover DIR`.
struct RecoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Write the records that killed programs left in their queues.",
        discussion: """
            A program does this itself when it starts. Queues of running programs are skipped.

            With the program's configuration all of its sinks get their records; without it, only its log file. A \
            queue is kept while it has records for another sink: use --config, start the program, or drop those records \
            with --drop. The exit status is then 65; it is 74 when a queue could not be drained or a sink failed.

            A queue of a program with processors is also kept if the configuration has none; any processors are \
            accepted, because a queue does not show which ones its program had. With --raw, only the processors of \
            the configuration are applied, if it has any.

            Examples:
              taffrail recover ~/.local/state/ferry --config /etc/taffrail/taffrail.yaml
              taffrail recover ~/.local/state/ferry --drop console
            """)

    @Argument(
        help: ArgumentHelp("The directory of the logs, of another sink's data, or of queues.", valueName: "dir"),
        completion: .directory)
    var directory: String

    @Option(
        help: ArgumentHelp(
            "The program's configuration, whose sinks get the records (default: $TAFFRAIL_CONFIG).",
            valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Drop the records that this sink has not written; \"tail --verify\" then lists them. May be repeated.",
            valueName: "sink"))
    var drop: [String] = []

    @Flag(
        help: ArgumentHelp(
            "Also write records that processors and filters which the configuration lacks would remove."))
    var raw = false

    private func recover() throws -> LogRecovery.Report {
        #if Configuration
        if let named = config ?? Environment["TAFFRAIL_CONFIG"] {
            let plan = try ConfigurationFlag.planForRecovery(named)
            Home.shared.restore(from: plan.stateDirectories)
            return try LogRecovery.recover(
                directory: directory, setup: plan.setup, isRaw: raw, dropping: Set(drop))
        }
        #else
        if config != nil { throw MissingTrait.configuration }
        #endif
        return try LogRecovery.recover(directory: directory, isRaw: raw, dropping: Set(drop))
    }

    func run() throws {
        try DirectoryArgument.check(directory, mustExist: false)
        let report: LogRecovery.Report
        do {
            report = try recover()
        } catch let error as SinkError {
            throw ExitCode.noInput.reporting(error.reason)
        }
        let files = report.files.isEmpty ? "" : " into \(report.files.joined(separator: ", "))"
        print("recovered \(CountText.text(report.records, "record"))\(files)")
        for path in report.withheld {
            StandardStream.report(
                "\(path): its program has processors or a filter; --config FILE names them, --raw writes what they would "
                    + "remove")
        }
        for reason in report.refused { StandardStream.report(reason) }
        for path in report.left { StandardStream.report("\(path): not drained completely; try again") }
        for waiting in report.waiting {
            let count = CountText.text(waiting.records, "record waits", "records wait")
            StandardStream.report("\(waiting.ring): \(count) for \(waiting.sink)")
        }
        if let failure = report.failure {
            throw ExitCode.inputOutput.reporting(failure)
        }
        guard report.left.isEmpty else { throw ExitCode.inputOutput }
        guard report.refused.isEmpty && report.withheld.isEmpty && report.waiting.isEmpty else {
            throw ExitCode.dataError
        }
    }
}
#endif
