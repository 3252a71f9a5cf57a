#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailRecording
internal import TaffrailStore

/// `taffrail history import FILE…`.
struct HistoryImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import points from track files; existing points are left unchanged.")
    @Argument(
        help: ArgumentHelp(
            "The files: recordings, GPX, GeoJSON, KML, CSV, NMEA, OwnTracks Recorder's .rec, Google's Timeline.json and Records.json.",
            valueName: "file"), completion: .file())
    var files: [String]

    @OptionGroup var store: HistoryStore

    @Option(help: "The format, where it cannot be detected: \(ImportFormat.all.map(\.name).joined(separator: ", ")).")
    var format: String?

    @Option(help: ArgumentHelp("The device that moved (default: the one that the file names).", valueName: "name"))
    var device: String?

    @Option(help: ArgumentHelp("The session (default: the file's name).", valueName: "name"))
    var session: String?

    func run() throws {
        let named = try format.map { name in
            guard let format = ImportFormat(name: name) else {
                throw ValidationError(
                    "--format \(name): not one of \(ImportFormat.all.map(\.name).joined(separator: ", "))")
            }
            return format
        }
        for file in files {
            guard let format = named ?? ImportFormat(path: file) else {
                throw ValidationError("the name of \(file) does not determine its format; use --format")
            }
            let path = DestinationPath.resolved(file)
            var arguments = [LogValueEntry("file", .string(path)), LogValueEntry("format", .string(format.name))]
            if let device { arguments.append(LogValueEntry("device", .string(device))) }
            if let session { arguments.append(LogValueEntry("session", .string(session))) }
            do {
                let answer = try store.execute(ControlCommand("import", arguments)) { store in
                    try store.importPoints(path, format: format, device: device, session: session).answer
                }
                let (new, known) = (answer["inserted"] ?? .int(0), answer["repeated"] ?? .int(0))
                print("\(file): \(new) new, \(known) known")
                if case .array(let warnings)? = answer["warnings"] {
                    for case .string(let line) in warnings { StandardStream.report(line) }
                }
                if case .int(let skipped)? = answer["skipped"] { TrackFile.reportSkipped(skipped, in: file) }
            } catch let error as RecordingError {
                throw ExitCode(error).reporting(error)
            }
        }
    }
}
#endif
