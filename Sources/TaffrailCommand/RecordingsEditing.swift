#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailRecording
internal import TaffrailText
internal import TaffrailTracks

/// `taffrail recordings cut NAME OUT`.
struct RecordingsCut: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cut",
        abstract: "Write a part of a recording to a new one, or to a track.",
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
        guard from != nil || to != nil else { throw ValidationError("--from or --to is needed") }
    }

    func run() throws {
        try RecordingsEdit.write([name], to: target, of: flags) { CutTrack($0[0].track, from: from, to: to) }
    }
}

/// `taffrail recordings merge NAME… OUT`.
struct RecordingsMerge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Write several recordings to a new one, or to a track, in the order of time.",
        discussion: """
            Between a recording and one that begins after its end there is a gap. Events that several contain are written once. If \
            the recordings are of several devices, the positions get the names of these.

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
        guard names.count >= 3 else { throw ValidationError("at least two recordings and the new file are needed") }
    }

    func run() throws {
        let out = names[names.count - 1]
        try RecordingsEdit.write(Array(names.dropLast()), to: out, force: force, of: flags) { MergedTrack($0) }
    }
}

/// `taffrail recordings simplify NAME OUT`.
struct RecordingsSimplify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simplify",
        abstract: "Simplify a recording: drop positions that its shape does not need.",
        discussion: """
            A position is left out if it is within the tolerance of the line between those that remain (Douglas-Peucker), as \
            taffrail history thin does it. Errors and log records remain.

            Examples:
              taffrail recordings simplify drive.json small.json --tolerance 5
              taffrail recordings simplify drive.json drive.gpx --tolerance 20 --force
            """)
    @Argument(
        help: ArgumentHelp("The recording, by name or path.", valueName: "name"),
        completion: RecordingNames.completion)
    var name: String
    @OptionGroup var target: RecordingsTarget
    @Option(help: ArgumentHelp("The largest distance of a position from the line, in metres.", valueName: "m"))
    var tolerance = 10.0
    @OptionGroup var flags: RecordingsFlags

    func validate() throws {
        guard tolerance.isFinite, tolerance > 0 else { throw ValidationError("--tolerance must be more than 0 metres") }
    }

    func run() throws {
        try RecordingsEdit.write([name], to: target, of: flags) { SimplifiedTrack($0[0].track, tolerance: tolerance) }
    }
}

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

/// The common part of the commands that edit recordings.
enum RecordingsEdit {
    /// Writes the result of editing recordings to the target of a command.
    static func write(
        _ names: [String], to target: RecordingsTarget, of flags: RecordingsFlags,
        _ edit: ([MergedTrack.Part]) -> any TrackReader
    ) throws {
        try write(names, to: target.out, force: target.force, of: flags, edit)
    }

    /// Writes the result of editing recordings.
    ///
    /// - Parameters:
    ///   - names: The recordings, by name or path.
    ///   - out: The new file, by name or path.
    ///   - force: Whether it replaces one that exists.
    ///   - edit: Makes the new track of them.
    static func write(
        _ names: [String], to out: String, force: Bool, of flags: RecordingsFlags,
        _ edit: ([MergedTrack.Part]) -> any TrackReader
    ) throws {
        guard !out.lowercased().hasSuffix(".gz") else {
            throw ValidationError("\(out): write .json, and compress it with gzip -n")
        }
        let format = try TrackFile.format(out, nil)
        let sources = try names.map { try flags.recording($0) }
        let isName = format == .json && !out.contains("/")
        var path = out
        let result: TrackConversion
        let first = names[0]
        do throws(RecordingError) {
            var paths: [String] = []
            var infos: [RecordingInfo] = []
            for (manager, name) in sources {
                let path = try manager.existingPath(name: name)
                paths.append(path)
                infos.append(try RecordingInfo(path: path))
            }
            if isName { path = (Directory.parent(of: paths[0]) ?? ".") + "/" + out }
            let target = path
            let devices = Set(infos.map(\.device))
            let isShared = devices.count == 1 || devices.contains("")
            let metadata = RecordingMetadata(
                recordedAt: Timestamp(nanoseconds: 0), device: devices.sorted().joined(separator: ", "),
                systemVersion: infos[0].systemVersion)
            result = try TrackConversion(
                of: first, as: Self.title(out), metadata: metadata, mayBeEmpty: false,
                to: { () throws(RecordingError) in
                    try TextOutput(path: target, overwrites: force)
                }, format
            ) { () throws(RecordingError) in
                var parts: [MergedTrack.Part] = []
                for (path, info) in zip(paths, infos) {
                    let reader = try TrackFormat.json.reader(path: path)
                    parts.append(MergedTrack.Part(reader, device: isShared ? nil : info.device))
                }
                return edit(parts)
            }
        } catch {
            throw TrackFile.exitCode(error)
        }
        if flags.format == .json {
            var object = JSONObject()
            object.add("path", path)
            object.add("events", whole: result.events)
            object.add("locations", whole: result.locations)
            print(object.string)
            TrackFile.complain(result.warnings)
        } else {
            TrackFile.report(result, as: format)
        }
    }

    /// Returns a file's name without directory and extension, as the name of the track.
    private static func title(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }
}
#endif
