#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailReading
#if Configuration
internal import TaffrailConfiguration
internal import TaffrailDelivery
#endif

/// `taffrail status [PATH]`.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the queues of running and dead programs, and what was dropped.",
        discussion: """
            Reads the files of the queues and the ledger, and the levels of programs that have a control socket. Such a \
            program (started by taffrail run) is also listed if its queue is in memory: with durable: false, on file \
            systems such as btrfs and NFS, and, until the program ends, if the disk was full at its first record. A \
            queue in memory does not survive kill -9.

            The exit status is that of the worst queue: 0 if records are written without delay, 75 (waiting) if a \
            running program has records that a sink does not accept, 74 (degraded, in JSON and metrics) if a running \
            program has dropped records or a sink has lost some, 69 (dead) if a program has ended and its queue has to \
            be recovered. With --metrics it is 0, because the metrics contain the state. It is 65 if a queue or an \
            entry of the ledger is invalid.

            Examples:
              taffrail status ~/.local/state/ferry
              taffrail status --config /etc/taffrail/taffrail.yaml --json
              taffrail status --metrics /var/log/ferry > /var/lib/node_exporter/taffrail.prom
            """)

    @Argument(
        help: ArgumentHelp(
            "The directory of the logs, or a log in it (default: the location of a log without a configuration).",
            valueName: "path"),
        completion: .file())
    var path: String?

    @Option(
        help: ArgumentHelp("Show the queues of the program that has this configuration.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Flag(help: "Print a line of JSON for each directory.")
    var json = false

    @Flag(help: "Print metrics in the text format of Prometheus.")
    var metrics = false

    func validate() throws {
        if path != nil && config != nil { throw ValidationError("give a path or --config, not both") }
        if json && metrics { throw ValidationError("give --json or --metrics, not both") }
    }

    func run() throws {
        var reports: [StatusReport] = []
        let directories = try directories()
        if directories.isEmpty, let config {
            guard let report = StatusReport(configuration: config) else {
                throw ExitCode.noInput.reporting(
                    "\(config): none of its sinks keeps a queue on disk, and no running program uses it")
            }
            reports = [report]
        }
        for directory in directories {
            // A log in a directory may be named, too.
            try DirectoryArgument.check(directory, mustExist: false)
            do throws(SinkError) { reports.append(try StatusReport.read(directory)) } catch {
                throw ExitCode.noInput.reporting(error.reason)
            }
        }
        if metrics {
            print(StatusMetrics(reports).text, terminator: "")
        } else {
            for report in reports {
                if json { print(StatusJSON.line(report)) } else { for line in StatusText(report).lines { print(line) } }
            }
        }
        for problem in reports.flatMap(\.problems) { StandardStream.report(problem) }
        guard reports.allSatisfy(\.problems.isEmpty) else { throw ExitCode.dataError }
        if !metrics, let code = reports.map(\.health).max()?.exitCode { throw code }
    }

    /// Returns the directories to report; none if the sinks of a configuration have no directory.
    private func directories() throws -> [String] {
        if let path { return [path] }
        if let config {
            #if Configuration
            let plan = try ConfigurationFlag.requiredPlan(config).plan
            var directories = plan.stateDirectories
            // The status of a spool in another directory is next to the spool.
            for part in plan.plugins {
                guard let options = part.plugin.options as? any SpoolingOptions else { continue }
                let directory = options.resolvedSpool(of: part.plugin.instance).stateDirectory
                if !directories.contains(directory), Directory.exists(directory) { directories.append(directory) }
            }
            return directories
            #else
            throw MissingTrait.configuration
            #endif
        }
        let log = DefaultLog.settings(program: "taffrail").file.path
        return [Directory.parent(of: log) ?? "."]
    }
}
#endif
