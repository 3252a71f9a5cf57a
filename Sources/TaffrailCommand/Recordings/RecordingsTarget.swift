#if Command
internal import ArgumentParser

/// The file that a command creates from a recording.
struct RecordingsTarget: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            The new file. The end of its name determines the format: .json (a recording), .gpx, .geojson, .kml, .csv \
            or .nmea. A .json name without a slash is in the directory of the recording.
            """, valueName: "out"), completion: .file())
    var out: String
    @Flag(help: "Replace the new file if it exists.") var force = false
}
#endif
