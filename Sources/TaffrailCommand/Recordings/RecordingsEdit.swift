#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailRecording
internal import TaffrailText
internal import TaffrailTracks

/// The common part of the commands that edit recordings.
enum RecordingsEdit {
    /// Writes the result of editing recordings to the target of a command.
    static func write(
        _ names: [String], to target: RecordingsTarget, of flags: RecordingsFlags,
        _ edit: ([MergedTrack.Part]) -> any TrackReader
    ) throws {
        try write(names, to: target.out, force: target.force, of: flags, edit)
    }

    /// Returns the format of a new file, which is not compressed.
    static func format(ofNew path: String) throws -> TrackFormat {
        guard !path.lowercased().hasSuffix(".gz") else {
            throw ValidationError("\(path): write .json, and compress it with gzip -n")
        }
        return try TrackFile.format(path, nil)
    }

    /// Writes the result of editing recordings.
    ///
    /// - Parameters:
    ///   - names: The recordings, by name or path.
    ///   - out: The new file, by name or path.
    ///   - force: Whether to replace an existing file.
    ///   - edit: Makes the new track from them.
    static func write(
        _ names: [String], to out: String, force: Bool, of flags: RecordingsFlags,
        _ edit: ([MergedTrack.Part]) -> any TrackReader
    ) throws {
        let format = try format(ofNew: out)
        let sources = names.map { flags.recording($0) }
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
            let devices = Set(infos.map { ExactText($0.device) })
            let isShared = devices.count == 1 || devices.contains("")
            let metadata = RecordingMetadata(
                recordedAt: Timestamp(nanoseconds: 0), device: devices.sorted().map(\.text).joined(separator: ", "),
                systemVersion: infos[0].systemVersion)
            result = try TrackConversion(
                of: first, as: FileName.stem(of: out), metadata: metadata, mayBeEmpty: false,
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
            throw ExitCode(error, writing: path).reporting(error)
        }
        if flags.format == .json {
            var object = JSONObject()
            object.add("path", path)
            object.add("events", whole: result.events)
            object.add("locations", whole: result.locations)
            print(object.string)
            TrackFile.reportWarnings(result.warnings)
        } else {
            TrackFile.report(result, as: format)
        }
    }
}
#endif
