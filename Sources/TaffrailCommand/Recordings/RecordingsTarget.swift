#if Command
internal import ArgumentParser

/// The file that a command makes of a recording.
struct RecordingsTarget: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            The new file. Its format is the one that its name ends in: .json (a recording), .gpx, .geojson, .kml, .csv or .nmea. A \
            .json without a slash is in the directory of the recording.
            """, valueName: "out"), completion: .file())
    var out: String
    @Flag(help: "Replace the new file if it exists.") var force = false
}
#endif
