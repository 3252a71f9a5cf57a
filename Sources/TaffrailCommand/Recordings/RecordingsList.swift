#if Command
internal import ArgumentParser
internal import TaffrailRecording

/// `taffrail recordings list`.
struct RecordingsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the recordings, oldest first.")
    @OptionGroup var flags: RecordingsFlags

    func run() throws { RecordingsAnswer.show(try flags.manager().listRecordings(), flags.format) }
}
#endif
