#if Command
internal import ArgumentParser

/// The command `taffrail`: the list of its subcommands.
///
/// A subcommand is in the folder of its name, or in that of its subject: `Configuration` contains `check` and `plugins`,
/// `Control` contains `ctl` and `pinger`, `Log` contains `log`, `recover` and `rotate`, `Service` contains `run` and
/// `serve`, `Tracks` contains `convert` and `track`. The other folders are shared.
struct CommandRoot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "taffrail",
        abstract: "Write, read and keep logs that survive kill -9.",
        discussion: """
            Exit statuses follow sysexits.h: 0 done, 64 wrong usage, 65 bad input, 66 no such input, 69 unavailable, \
            73 cannot create, 74 input or output failed, 75 try again later, 77 no permission, 78 bad configuration.
            """,
        version: Version.text,
        subcommands: [
            LogCommand.self, RecoverCommand.self, RotateCommand.self, PluginsCommand.self, StatusCommand.self,
            TailCommand.self,
            ReplayCommand.self, ConvertCommand.self, TrackCommand.self,
            RecordCommand.self, RecordingsCommand.self, GeocoderCommand.self,
            RunCommand.self, CtlCommand.self, HomeCommand.self, PingerCommand.self, CheckCommand.self,
        ] + serving + viewing + history + configured)

    #if Configuration
    private static let configured: [any ParsableCommand.Type] = [
        DoctorCommand.self, PolicyCommand.self, SpoolCommand.self,
    ]
    #else
    private static let configured: [any ParsableCommand.Type] = []
    #endif

    #if Configuration && Server
    private static let serving: [any ParsableCommand.Type] = [ServeCommand.self]
    #else
    private static let serving: [any ParsableCommand.Type] = []
    #endif

    #if Server && Store
    private static let viewing: [any ParsableCommand.Type] = [ViewCommand.self]
    #else
    private static let viewing: [any ParsableCommand.Type] = []
    #endif

    #if Store
    private static let history: [any ParsableCommand.Type] = [HistoryCommand.self, LogsCommand.self]
    #else
    private static let history: [any ParsableCommand.Type] = []
    #endif

    /// Runs a command line and ends the process on failure.
    static func run(_ words: [String]) async {
        do {
            var command = try await asyncParseAsRoot(words)
            do {
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
                try StandardStream.flush()
            } catch {
                end(error, in: type(of: command))
            }
        } catch {
            exit(withError: error)
        }
    }

    /// Runs `taffrail log` for one record and ends the process; returns for any other command line. Neither the
    /// argument parser nor the concurrency runtime is started, which would take most of the time.
    static func logOneRecord(_ words: [String]) {
        guard let request = LogRequest(words) else { return }
        do { try request.run() } catch { end(error, in: LogCommand.self) }
        exit()
    }

    /// Reports an error of a subcommand and ends the process. Wrong usage detected by the subcommand is reported with
    /// its usage.
    private static func end(_ error: any Error, in command: any ParsableCommand.Type) -> Never {
        guard let error = error as? ValidationError else {
            // What has been printed counts, unless it could not be written.
            do { try StandardStream.flush() } catch let failure { exit(withError: failure) }
            exit(withError: error)
        }
        let usage = usageString(for: command)
        let name = usage.split(separator: " ").prefix { $0.first?.isLetter == true }.joined(separator: " ")
        StandardStream.report(
            "Error: \(error.message)\nUsage: \(usage)\n  See '\(name) --help' for more information.",
            isPrefixed: false)
        exit(withError: ExitCode.validationFailure)
    }
}
#endif
