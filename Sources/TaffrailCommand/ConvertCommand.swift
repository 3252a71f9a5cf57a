#if Command
internal import ArgumentParser
internal import TaffrailRecording
internal import TaffrailTracks

/// `taffrail convert IN OUT`.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert a track from one format into another.",
        discussion: """
            The formats are those that the names end in: .json (a recording, which keeps everything), .gpx, .geojson, \
            .kml, .csv and .nmea. What the new format cannot hold is counted on stderr. OUT gets its name only when it \
            is complete; with an error there is none.

            Examples:
              taffrail convert drive.json drive.gpx
              taffrail convert --from nmea receiver.dat - --to geojson
            """)

    @Argument(help: ArgumentHelp("The track; - is the standard input.", valueName: "in"), completion: .file())
    var source: String

    @Argument(help: ArgumentHelp("The new file; - is the standard output.", valueName: "out"), completion: .file())
    var destination: String

    @Option(help: "The format of IN, where its name does not say it.")
    var from: TrackFormat?

    @Option(help: "The format of OUT, where its name does not say it.")
    var to: TrackFormat?

    @Option(
        help: ArgumentHelp(
            "The only receiver whose positions are taken (default: all, each a track of its own).",
            valueName: "device"))
    var device: String?

    @Flag(name: .shortAndLong, help: "Replace OUT if it exists.")
    var force = false

    @Flag(name: .shortAndLong, help: "Do not say what was lost.")
    var quiet = false

    func run() throws {
        let sourceFormat = try TrackFile.format(source, from, flag: "--from")
        let format = try TrackFile.format(destination, to, flag: "--to")
        let result: TrackConversion
        do throws(RecordingError) {
            result = try TrackConversion(
                from: source, sourceFormat, to: destination, format, device: device, overwrites: force)
        } catch {
            throw error.path == source || error.kind == .taken ? TrackFile.exitCode(error) : Self.cannotWrite(error)
        }
        if quiet { TrackFile.complain(result.warnings) } else { TrackFile.report(result, as: format) }
    }

    private static func cannotWrite(_ error: RecordingError) -> ExitCode {
        _ = TrackFile.exitCode(error)
        return error.kind == .full || error.kind == .system ? .inputOutput : .cannotCreate
    }
}
#endif
