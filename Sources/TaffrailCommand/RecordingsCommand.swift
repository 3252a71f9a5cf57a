#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailRecording

/// `taffrail recordings list|info|export|import|delete|verify|repair`.
struct RecordingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recordings",
        abstract: "List, share, check and repair recordings.",
        discussion: """
            Examples:
              taffrail recordings list --directory drives --format json
              taffrail recordings export geo_log_2026-01-05_14-30-00.json /media/stick/drive.json
              taffrail recordings verify
            """,
        subcommands: [
            RecordingsList.self, RecordingsInfo.self, RecordingsExport.self, RecordingsImport.self,
            RecordingsDelete.self, RecordingsVerify.self, RecordingsRepair.self,
        ],
        defaultSubcommand: RecordingsList.self)
}

/// The directory of the recordings, and the output format.
struct RecordingsFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder (default: $XDG_STATE_HOME/taffrail/recordings or ~/.local/state/taffrail/recordings).",
            valueName: "dir"))
    var directory: String?

    @Option(help: "How to answer.")
    var format = AnswerFormat.text

    var manager: RecordingManager { RecordingManager(path: directory ?? RecordingOptions.defaultDirectory) }
}

/// The output format of a command.
enum AnswerFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

/// `taffrail recordings list`.
struct RecordingsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the recordings, oldest first.")
    @OptionGroup var flags: RecordingsFlags

    func run() throws { RecordingsAnswer.show(flags.manager.listRecordings(), flags.format) }
}

/// `taffrail recordings info NAME…`.
struct RecordingsInfo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Say what is known about recordings, from their heads and tails alone.")
    @Argument(help: ArgumentHelp("The recordings.", valueName: "name")) var names: [String]
    @OptionGroup var flags: RecordingsFlags

    func run() throws {
        var found: [RecordingInfo] = []
        let code = RecordingsAnswer.each(names) { name throws(RecordingError) in
            found.append(try flags.manager.recording(name: name))
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
        commandName: "export", abstract: "Copy a recording to a file that must not exist.")
    @Argument(help: ArgumentHelp("The recording.", valueName: "name")) var name: String
    @Argument(help: ArgumentHelp("The file.", valueName: "file")) var destination: String
    @OptionGroup var flags: RecordingsFlags

    func run() throws {
        let code = RecordingsAnswer.each([name]) { name throws(RecordingError) in
            try flags.manager.exportRecording(name: name, toPath: destination)
        }
        if let code { throw code }
    }
}

/// `taffrail recordings import FILE…`.
struct RecordingsImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Copy recordings from elsewhere into the folder, after they have been read whole.",
        discussion: "It prints the names that they have there.")
    @Argument(help: ArgumentHelp("The files.", valueName: "file")) var files: [String]
    @OptionGroup var flags: RecordingsFlags

    func run() throws {
        var imported: [RecordingInfo] = []
        let code = RecordingsAnswer.each(files) { file throws(RecordingError) in
            imported.append(try flags.manager.importRecording(fromPath: file))
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
    @Argument(help: ArgumentHelp("The recordings.", valueName: "name")) var names: [String]
    @OptionGroup var flags: RecordingsFlags

    func run() throws {
        let code = RecordingsAnswer.each(names) { name throws(RecordingError) in
            try flags.manager.deleteRecording(name: name)
        }
        if let code { throw code }
    }
}
#endif
