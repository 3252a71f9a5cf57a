#if Command
internal import ArgumentParser
internal import TaffrailTracks

/// `taffrail recordings cut NAME OUT`.
struct RecordingsCut: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cut",
        abstract: "Write part of a recording to a new recording or track.",
        discussion: """
            A time is a duration from the start (90, 1m30s), a time of day in UTC (14:30:05), a date and time \
            (2026-01-05T14:30:00Z) or an event (#120), as for taffrail replay. Events at both times belong to the part.

            Examples:
              taffrail recordings cut geo_log_2026-01-05_14-30-00.json harbour.json --from 14:35 --to 14:50
              taffrail recordings cut drive.json end.gpx --from 1h30m
            """)
    @Argument(
        help: ArgumentHelp("The recording, by name or path.", valueName: "name"),
        completion: RecordingNames.completion)
    var name: String
    @OptionGroup var target: RecordingsTarget
    @Option(help: ArgumentHelp("The start of the part (default: that of the recording).", valueName: "time"))
    var from: ReplayPoint?
    @Option(help: ArgumentHelp("The end of the part (default: that of the recording).", valueName: "time"))
    var to: ReplayPoint?
    @OptionGroup var flags: RecordingsFlags

    func validate() throws {
        guard from != nil || to != nil else { throw ValidationError("give --from or --to") }
    }

    func run() throws {
        try RecordingsEdit.write([name], to: target, of: flags) { CutTrack($0[0].track, from: from, to: to) }
    }
}
#endif
