#if Command
internal import ArgumentParser
internal import Taffrail

/// The path and rotation of the log given by flags of `log`, instead of a configuration.
struct LogFileChoice: Equatable {
    /// The log file; `nil` for the command's own.
    var path: String?
    /// The size at which it rotates; `nil` for the size in the environment, else 10 MiB, and none for a single record
    /// in a log other than the command's own.
    var rotateSize: ByteSize?
    /// The number of rotated files to keep; `nil` for the number in the environment, else all, and 5 for the command's
    /// own log.
    var keep: Int?

    /// Whether any of them is set.
    var isGiven: Bool { path != nil || rotateSize != nil || keep != nil }

    /// Returns the options of the file sink: those of the environment, overridden by the flags. A file named by a flag
    /// or by the environment may be the log of another program: without a count none of its files are deleted. A single
    /// record does not rotate it, unless a size or a count is given: the program may delete files after each rotation,
    /// and rotate at another size.
    ///
    /// - Parameter isSingle: Whether the log gets a single record.
    func options(isSingle: Bool) throws -> FileOptions {
        let settings = DefaultLog.settings(program: "taffrail")
        for problem in settings.problems { StandardStream.report(problem) }
        var options = settings.file
        if let path { options.path = path }
        let isOwn = path == nil && Environment["TAFFRAIL_FILE"] == nil && Environment["LOGS_DIRECTORY"] == nil
        if !isOwn && Environment["TAFFRAIL_KEEP"] == nil { options.rotate.keep = nil }
        if isSingle, !isOwn, keep == nil, Environment["TAFFRAIL_ROTATE_SIZE"] == nil { options.rotate.size = nil }
        if let rotateSize { options.rotate.size = rotateSize }
        if let keep { options.rotate.keep = keep }
        do throws(OptionError) { try options.validate() } catch { throw ValidationError("\(error)") }
        let isNamed = path != nil || Environment["TAFFRAIL_FILE"] != nil
        if isNamed, let missing = DefaultLog.missingDirectory(of: options.path) {
            throw ExitCode.cannotCreate.reporting("\(options.path): no such directory: \(missing)")
        }
        return options
    }
}
#endif
