#if Command
internal import ArgumentParser

/// The command `taffrail`: the list of its subcommands.
struct CommandRoot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "taffrail",
        abstract: "Write, read and keep logs that survive kill -9.",
        discussion: """
            Exit codes follow sysexits.h: 0 done, 64 wrong usage, 65 bad input, 66 no such input, 69 unavailable, \
            73 cannot create, 74 input or output failed, 75 try again later, 78 bad configuration.
            """,
        version: Version.text,
        subcommands: [
            LogCommand.self, RecoverCommand.self, RotateCommand.self, PluginsCommand.self, StatusCommand.self,
            TailCommand.self,
            ReplayCommand.self, ConvertCommand.self, TrackCommand.self,
            RecordCommand.self, RecordingsCommand.self, GeocoderCommand.self,
            RunCommand.self, CtlCommand.self, HomeCommand.self, CheckCommand.self,
        ] + history + configured)

    #if Configuration
    private static let configured: [any ParsableCommand.Type] = [
        DoctorCommand.self, PolicyCommand.self, SpoolCommand.self,
    ]
    #else
    private static let configured: [any ParsableCommand.Type] = []
    #endif

    #if Store
    private static let history: [any ParsableCommand.Type] = [HistoryCommand.self]
    #else
    private static let history: [any ParsableCommand.Type] = []
    #endif
}
#endif
