#if Command
internal import ArgumentParser

/// The command `taffrail`: the list of its subcommands.
struct CommandRoot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "taffrail",
        abstract: "Write, read and keep logs that survive kill -9.",
        discussion: """
            Exit codes follow sysexits.h: 0 done, 64 wrong usage, 65 bad input, 66 no such input, 69 unavailable, \
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

    /// Runs a command line and ends the process on failure. Wrong usage that a subcommand itself finds is reported with
    /// that subcommand's usage.
    static func run(_ words: [String]) async {
        do {
            var command = try await asyncParseAsRoot(words)
            do {
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch let error as ValidationError {
                let usage = usageString(for: type(of: command))
                let name = usage.split(separator: " ").prefix { $0.first?.isLetter == true }.joined(separator: " ")
                StandardStream.complain(
                    "Error: \(error.message)\nUsage: \(usage)\n  See '\(name) --help' for more information.",
                    isPrefixed: false)
                throw ExitCode.validationFailure
            }
        } catch {
            exit(withError: error)
        }
    }
}
#endif
