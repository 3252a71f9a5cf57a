#if Command
public import ArgumentParser
public import Taffrail

/// Path and rotation of the log: flags of `log`, instead of a configuration.
struct FileFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The log file (default: app.log in $LOGS_DIRECTORY, $XDG_STATE_HOME/taffrail or ~/.local/state/taffrail).",
            valueName: "path"), completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("Rotate before the file exceeds this size (default: 10MiB).", valueName: "size"))
    var rotateSize: ByteSize?

    @Option(
        help: ArgumentHelp(
            "How many rotated files to keep (default: all; 5 for the command's own log).", valueName: "count"))
    var keep: Int?

    /// Whether any of them is set.
    var isGiven: Bool { file != nil || rotateSize != nil || keep != nil }

    /// The options of the file sink: those of the environment, overridden by the flags. A file named by a flag or by
    /// the environment may be the log of another program: without a count none of its files are deleted.
    func options() throws -> FileOptions {
        let settings = DefaultLog.settings(program: "taffrail")
        for problem in settings.problems { StandardStream.complain(problem) }
        var options = settings.file
        if let file { options.path = file }
        let isOwn = file == nil && Environment["TAFFRAIL_FILE"] == nil && Environment["LOGS_DIRECTORY"] == nil
        if !isOwn && Environment["TAFFRAIL_KEEP"] == nil { options.rotate.keep = nil }
        if let rotateSize { options.rotate.size = rotateSize }
        if let keep { options.rotate.keep = keep }
        do throws(OptionError) { try options.validate() } catch { throw ValidationError("\(error)") }
        let isNamed = file != nil || Environment["TAFFRAIL_FILE"] != nil
        if isNamed, let missing = DefaultLog.missingDirectory(of: options.path) {
            StandardStream.complain("\(options.path): there is no directory \(missing)")
            throw ExitCode.cannotCreate
        }
        return options
    }
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
