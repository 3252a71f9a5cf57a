#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailStore
internal import TaffrailTracks

/// Points as a track file.
enum HistoryWriter {
    /// Writes points; the file gets its name only when it is complete.
    static func write(
        to path: String, _ format: TrackFormat, overwrites: Bool, _ body: ((TrackPoint) throws -> Void) throws -> Void
    ) throws {
        do {
            let writer = format.writer(try TextOutput(path: path, overwrites: overwrites))
            try writer.begin(nil, name: "history")
            var first: Timestamp?
            try body { point in
                let start = first ?? point.timestamp
                first = start
                var location = point.location
                // A track belongs to one device.
                location.extra.device = point.device
                try writer.append(
                    RecordedEvent(
                        timestamp: point.timestamp,
                        relativeTime: Double(point.timestamp.nanoseconds &- start.nanoseconds) / 1e9,
                        event: .location(location)))
            }
            try writer.finish()
        } catch let error as RecordingError {
            throw ExitCode(writing: error).reporting(error)
        }
    }
}
#endif
