#if Command
internal import ArgumentParser
internal import TaffrailRecording

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
        let code = RecordingsAnswer.each(names, of: flags) { manager, name throws(RecordingError) in
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
#endif
