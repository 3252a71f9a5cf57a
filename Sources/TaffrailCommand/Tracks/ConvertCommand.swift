#if Command
internal import ArgumentParser
internal import TaffrailRecording
internal import TaffrailTracks

/// `taffrail convert IN OUT`.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert a track to another format.",
        discussion: """
            The file names select the formats: .json (a recording, which keeps everything), .gpx, .geojson, .kml, .csv \
            and .nmea. Data that the new format cannot hold is counted on stderr. OUT appears only when it is complete, \
            and not at all after an error.

            Examples:
              taffrail convert drive.json drive.gpx
              taffrail convert --from nmea receiver.dat - --to geojson
            """)

    @Argument(help: ArgumentHelp("The track; - is stdin.", valueName: "in"), completion: .file())
    var source: String

    @Argument(help: ArgumentHelp("The new file; - is stdout.", valueName: "out"), completion: .file())
    var destination: String

    @Option(help: "The format of IN (default: from its name).")
    var from: TrackFormat?

    @Option(help: "The format of OUT (default: from its name).")
    var to: TrackFormat?

    @Option(
        help: ArgumentHelp(
            "Convert only the positions of this receiver (default: all, each as a separate track).",
            valueName: "device"))
    var device: String?

    @Flag(name: .shortAndLong, help: "Replace OUT if it exists.")
    var force = false

    @Flag(name: .shortAndLong, help: "Do not report what was lost.")
    var quiet = false

    func run() throws {
        let sourceFormat = try TrackFile.source(source, from, flag: "--from")
        let format = try TrackFile.format(destination, to, flag: "--to")
        let result: TrackConversion
        do throws(RecordingError) {
            result = try TrackConversion(
                from: source, sourceFormat, to: destination, format, device: device, overwrites: force)
        } catch {
            // A source that is also the destination is read first.
            let isReading = error.path == source
            throw (isReading ? ExitCode(error) : ExitCode(error, writing: destination)).reporting(error)
        }
        if quiet { TrackFile.reportWarnings(result.warnings) } else { TrackFile.report(result, as: format) }
    }
}
#endif
