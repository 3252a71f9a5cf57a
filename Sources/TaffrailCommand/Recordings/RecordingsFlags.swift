#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailRecording

/// The directory of the recordings, and the output format.
struct RecordingsFlags: ParsableArguments {
    /// The formats of answers.
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

    /// The help for a directory of recordings.
    static let directoryHelp = ArgumentHelp(
        "The directory (default: $XDG_STATE_HOME/taffrail/recordings or ~/.local/state/taffrail/recordings).",
        valueName: "dir")

    @Option(help: directoryHelp, completion: .directory)
    var directory: String?

    @Option(help: "The output format.")
    var format = Format.text

    /// Returns the manager of the directory, to list it.
    ///
    /// - Throws: Exit status 66 if the named directory does not exist, 77 if it cannot be read, which has been reported.
    func manager() throws -> RecordingManager {
        try DirectoryArgument.check(
            directory ?? RecordingOptions.defaultDirectory, mustExist: directory != nil)
        return creatingManager
    }

    /// The manager of a directory that is created if missing.
    var creatingManager: RecordingManager { RecordingManager(path: directory ?? RecordingOptions.defaultDirectory) }

    /// Returns the manager and name of a recording that is given by its name in the directory or by its path, which
    /// contains a slash or is a name in the working directory.
    func recording(_ given: String) -> (manager: RecordingManager, name: String) {
        guard let slash = given.lastIndex(of: "/") else {
            let manager = creatingManager
            let isElsewhere = directory == nil && (try? manager.existingPath(name: given)) == nil
            return (isElsewhere && FileName.exists(given) ? RecordingManager(path: ".") : manager, given)
        }
        let directory = slash == given.startIndex ? "/" : String(given[..<slash])
        return (RecordingManager(path: directory), String(given[given.index(after: slash)...]))
    }
}
#endif
