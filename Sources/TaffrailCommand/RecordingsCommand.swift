#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailRecording
internal import TaffrailTracks

/// `taffrail recordings list|info|cut|merge|simplify|export|import|delete|verify|repair`.
struct RecordingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recordings",
        abstract: "List, edit, share, check and repair recordings.",
        discussion: """
            Examples:
              taffrail recordings list --directory drives --format json
              taffrail recordings cut geo_log_2026-01-05_14-30-00.json harbour.json --from 14:35 --to 14:50
              taffrail recordings export geo_log_2026-01-05_14-30-00.json /media/stick/drive.gpx
              taffrail recordings verify
            """,
        subcommands: [
            RecordingsList.self, RecordingsInfo.self, RecordingsCut.self, RecordingsMerge.self,
            RecordingsSimplify.self, RecordingsExport.self, RecordingsImport.self,
            RecordingsDelete.self, RecordingsVerify.self, RecordingsRepair.self,
        ],
        defaultSubcommand: RecordingsList.self)
}

/// The directory of the recordings, and the output format.
struct RecordingsFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The directory (default: $XDG_STATE_HOME/taffrail/recordings or ~/.local/state/taffrail/recordings).",
            valueName: "dir"), completion: .directory)
    var directory: String?

    @Option(help: "The output format.")
    var format = AnswerFormat.text

    /// Returns the manager of the directory.
    ///
    /// - Throws: Exit code 66 if the named directory does not exist, which has been printed on stderr.
    func manager() throws -> RecordingManager {
        if let directory, !Directory.exists(directory) {
            StandardStream.complain("\(directory): no such directory")
            throw ExitCode.noInput
        }
        return creatingManager
    }

    /// The manager of a directory that is created if missing.
    var creatingManager: RecordingManager { RecordingManager(path: directory ?? RecordingOptions.defaultDirectory) }

    /// Returns the manager and name of a recording that is given by its name in the directory or by its path, which
    /// contains a slash or is a name in the working directory.
    func recording(_ given: String) throws -> (manager: RecordingManager, name: String) {
        guard let slash = given.lastIndex(of: "/") else {
            let manager = try manager()
            let isElsewhere = directory == nil && (try? manager.existingPath(name: given)) == nil
            return (isElsewhere && FileName.exists(given) ? RecordingManager(path: ".") : manager, given)
        }
        let directory = slash == given.startIndex ? "/" : String(given[..<slash])
        return (RecordingManager(path: directory), String(given[given.index(after: slash)...]))
    }
}

/// Completes the names of recordings, and the paths of files.
enum RecordingNames {
    static let completion = CompletionKind.custom { words, _, prefix in names(words, prefix) }

    /// Returns the completions of a prefix for the shell.
    ///
    /// - Parameter words: The command line, in which `--directory` may name the directory.
    static func names(_ words: [String], _ prefix: String) -> [String] {
        if let slash = prefix.lastIndex(of: "/") {
            let head = String(prefix[...slash])
            return Directory.names(in: head).filter { !$0.hasPrefix(".") }.map { name in
                head + name + (Directory.exists(head + name) ? "/" : "")
            }
        }
        let flag = words.firstIndex(of: "--directory").map { words.index(after: $0) }
        let directory = flag.flatMap { words.indices.contains($0) ? words[$0] : nil }
        let names = Directory.names(in: directory ?? RecordingOptions.defaultDirectory)
        return names.filter { ($0.hasSuffix(".json") || $0.hasSuffix(".json.gz")) && !$0.hasPrefix(".") }.sorted()
    }
}

/// The output format of a command.
enum AnswerFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

/// `taffrail recordings list`.
struct RecordingsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the recordings, oldest first.")
    @OptionGroup var flags: RecordingsFlags

    func run() throws { RecordingsAnswer.show(try flags.manager().listRecordings(), flags.format) }
}

/// `taffrail recordings info NAME…`.
struct RecordingsInfo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show the metadata of recordings without reading whole files.")
    @Argument(
        help: ArgumentHelp("The recordings, by name or path.", valueName: "name"),
        completion: RecordingNames.completion)
    var names: [String]
    @OptionGroup var flags: RecordingsFlags

    func run() throws {
        var found: [RecordingInfo] = []
        let code = try RecordingsAnswer.each(names, of: flags) { manager, name throws(RecordingError) in
            found.append(try manager.recording(name: name))
        }
        if flags.format == .json {
            RecordingsAnswer.show(found, .json)
        } else {
            for info in found { print(RecordingsAnswer.details(info)) }
        }
        if let code { throw code }
    }
}

/// `taffrail recordings export NAME FILE`.
struct RecordingsExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Copy a recording to a new file, or convert it; never overwrites.",
        discussion: """
            The file's format is the one that its name ends in: .json and .json.gz are copies; .gpx, .geojson, .kml, .csv \
            and .nmea are converted, as taffrail convert does.
            """)
    @Argument(
        help: ArgumentHelp("The recording, by name or path.", valueName: "name"),
        completion: RecordingNames.completion)
    var name: String
    @Argument(help: ArgumentHelp("The file.", valueName: "file"), completion: .file()) var destination: String
    @OptionGroup var flags: RecordingsFlags

    func run() throws {
        let (manager, name) = try flags.recording(name)
        let isArchive = name.hasSuffix(".gz")
        if destination.hasSuffix(isArchive ? ".json.gz" : ".json") {
            let code = RecordingsAnswer.each([name]) { name throws(RecordingError) in
                try manager.exportRecording(name: name, toPath: destination)
            }
            if let code { throw code }
            return
        }
        let format = try TrackFile.format(destination, nil)
        do throws(RecordingError) {
            let source = try manager.existingPath(name: name)
            try TrackFile.report(TrackConversion(from: source, .json, to: destination, format), as: format)
        } catch {
            throw TrackFile.exitCode(error)
        }
    }
}

/// `taffrail recordings import FILE…`.
struct RecordingsImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Check recordings and copy them into the directory.",
        discussion: "Prints their names in the directory.")
    @Argument(help: ArgumentHelp("The files.", valueName: "file"), completion: .file()) var files: [String]
    @OptionGroup var flags: RecordingsFlags

    func run() throws {
        var imported: [RecordingInfo] = []
        let code = RecordingsAnswer.each(files) { file throws(RecordingError) in
            imported.append(try flags.creatingManager.importRecording(fromPath: file))
        }
        if flags.format == .json {
            RecordingsAnswer.show(imported, .json)
        } else {
            for info in imported { print(info.name) }
        }
        if let code { throw code }
    }
}

/// `taffrail recordings delete NAME…`.
struct RecordingsDelete: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete recordings.")
    @Argument(
        help: ArgumentHelp("The recordings, by name or path.", valueName: "name"),
        completion: RecordingNames.completion)
    var names: [String]
    @OptionGroup var flags: RecordingsFlags

    func run() throws {
        let code = try RecordingsAnswer.each(names, of: flags) { manager, name throws(RecordingError) in
            try manager.deleteRecording(name: name)
        }
        if let code { throw code }
    }
}
#endif
