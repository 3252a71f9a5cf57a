#if Command
public import ArgumentParser
public import Taffrail

/// Path and rotation of the log: flags of `log`, instead of a configuration.
struct FileFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The log file (default: $TAFFRAIL_FILE, else app.log in $LOGS_DIRECTORY, $XDG_STATE_HOME/taffrail or \
            ~/.local/state/taffrail).
            """, valueName: "path"), completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp(
            """
            Rotate before the file exceeds this size (default: $TAFFRAIL_ROTATE_SIZE, else 10MiB; a single record does \
            not rotate a log other than the command's own without this option, the variable or --keep).
            """, valueName: "size"))
    var rotateSize: ByteSize?

    @Option(
        help: ArgumentHelp(
            """
            The number of rotated files to keep (default: $TAFFRAIL_KEEP, else 5 for the command's own log, and all \
            for any other).
            """, valueName: "count"))
    var keep: Int?
}

extension ByteSize: ExpressibleByArgument {
    /// Parses a size with a unit.
    public init?(argument: String) { self.init(argument) }
}

extension Level: ExpressibleByArgument {
    /// Parses a level's name.
    public init?(argument: String) { self.init(name: argument) }
    /// The names of all levels, for the help.
    public static var allValueStrings: [String] { allCases.map(\.name) }
}
#endif
