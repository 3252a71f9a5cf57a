#if Command
internal import ArgumentParser
internal import TaffrailRecording
internal import TaffrailTracks

/// `taffrail recordings export NAME FILE`.
struct RecordingsExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Copy a recording to a new file, or convert it; never overwrites.",
        discussion: """
            The end of the file's name determines its format: .json is a recording; for .gpx, .geojson, .kml, .csv \
            and .nmea the recording is converted, as by taffrail convert. A compressed recording is copied to \
            .json.gz, and decompressed to .json.
            """)
    @Argument(
        help: ArgumentHelp("The recording, by name or path.", valueName: "name"),
        completion: RecordingNames.completion)
    var name: String
    @Argument(help: ArgumentHelp("The file.", valueName: "file"), completion: .file()) var destination: String
    @OptionGroup var flags: RecordingsFlags

    func run() throws {
        let (manager, name) = flags.recording(name)
        let isArchive = name.hasSuffix(".gz")
        let isCopy = destination.hasSuffix(isArchive ? ".json.gz" : ".json")
        let format = isCopy ? nil : try RecordingsEdit.format(ofNew: destination)
        do throws(RecordingError) {
            guard let format else { return try manager.exportRecording(name: name, toPath: destination) }
            let source = try manager.existingPath(name: name)
            try TrackFile.report(TrackConversion(from: source, .json, to: destination, format), as: format)
        } catch {
            throw ExitCode(error, writing: destination).reporting(error)
        }
    }
}
#endif
