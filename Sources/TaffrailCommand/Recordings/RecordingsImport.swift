#if Command
internal import ArgumentParser
internal import TaffrailRecording

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
#endif
