#if Command
internal import ArgumentParser
internal import TaffrailTracks

/// `taffrail recordings simplify NAME OUT`.
struct RecordingsSimplify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simplify",
        abstract: "Simplify a recording: remove positions that do not affect its shape.",
        discussion: """
            A position is dropped if it is within the tolerance of the line between those that remain \
            (Douglas-Peucker), as by taffrail history thin. Errors and log records remain.

            Examples:
              taffrail recordings simplify drive.json small.json --tolerance 5
              taffrail recordings simplify drive.json drive.gpx --tolerance 20 --force
            """)
    @Argument(
        help: ArgumentHelp("The recording, by name or path.", valueName: "name"),
        completion: RecordingNames.completion)
    var name: String
    @OptionGroup var target: RecordingsTarget
    @Option(help: ArgumentHelp("The maximum distance of a dropped position from the line, in metres.", valueName: "m"))
    var tolerance = 10.0
    @OptionGroup var flags: RecordingsFlags

    func validate() throws {
        guard tolerance.isFinite, tolerance > 0 else { throw ValidationError("--tolerance must be more than 0 metres") }
    }

    func run() throws {
        try RecordingsEdit.write([name], to: target, of: flags) { SimplifiedTrack($0[0].track, tolerance: tolerance) }
    }
}
#endif
