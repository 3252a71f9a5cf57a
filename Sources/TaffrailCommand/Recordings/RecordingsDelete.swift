#if Command
internal import ArgumentParser
internal import TaffrailRecording

/// `taffrail recordings delete NAME…`.
struct RecordingsDelete: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete recordings.")
    @Argument(
        help: ArgumentHelp("The recordings, by name or path.", valueName: "name"),
        completion: RecordingNames.completion)
    var names: [String]
    @OptionGroup var flags: RecordingsFlags

    func run() throws {
        let code = RecordingsAnswer.each(names, of: flags) { manager, name throws(RecordingError) in
            try manager.deleteRecording(name: name)
        }
        if let code { throw code }
    }
}
#endif
