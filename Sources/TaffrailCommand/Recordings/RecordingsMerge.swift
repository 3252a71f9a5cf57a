#if Command
internal import ArgumentParser
internal import TaffrailTracks

/// `taffrail recordings merge NAME… OUT`.
struct RecordingsMerge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge recordings into a new recording or track, in chronological order.",
        discussion: """
            Between a recording and one that begins after its end there is a gap. Events contained in \
            several recordings are written once. If the recordings come from several devices, each position is labelled \
            with its device.

            Examples:
              taffrail recordings merge morning.json afternoon.json day.json
              taffrail recordings merge geo_log_2026-01-05_*.json day.gpx
            """)
    @Argument(
        help: ArgumentHelp("The recordings, by name or path, and last the new file.", valueName: "name"),
        completion: RecordingNames.completion)
    var names: [String]
    @Flag(help: "Replace the new file if it exists.") var force = false
    @OptionGroup var flags: RecordingsFlags

    func validate() throws {
        guard names.count >= 3 else { throw ValidationError("give at least two recordings and the new file") }
    }

    func run() throws {
        let out = names[names.count - 1]
        try RecordingsEdit.write(Array(names.dropLast()), to: out, force: force, of: flags) { MergedTrack($0) }
    }
}
#endif
