public import TaffrailGeo
public import TaffrailRecording
internal import TaffrailText

/// A track without the positions that its shape does not require; see ``TrackSimplification``. One thread at a time.
///
/// Errors and records remain. Each receiver has its own line. An error divides it, or all lines if it names no
/// receiver; the ends of lines remain. All events are kept in memory.
public final class SimplifiedTrack: TrackReader {
    private let track: any TrackReader
    private let tolerance: Double
    /// The events that remain; `nil` before they are known.
    private var events: [RecordedEvent]?
    private var used = 0

    /// Simplifies a track.
    ///
    /// - Parameters:
    ///   - track: The whole track, of which no event has been read.
    ///   - tolerance: The maximum distance of a removed position from the line between its remaining neighbours, in
    ///     metres. From 0.
    public init(_ track: any TrackReader, tolerance: Double) {
        self.track = track
        self.tolerance = tolerance
    }

    /// The metadata of the whole track.
    public var metadata: RecordingMetadata? { track.metadata }

    /// The points skipped in the whole track so far.
    public var warnings: TrackWarnings { track.warnings }

    /// Returns the next event that remains.
    ///
    /// - Throws: Any error of the whole track, at the first call.
    public func next() throws(RecordingError) -> RecordedEvent? {
        let events: [RecordedEvent]
        if let known = self.events { events = known } else { events = try remaining() }
        self.events = events
        guard used < events.count else { return nil }
        used += 1
        return events[used - 1]
    }

    private func remaining() throws(RecordingError) -> [RecordedEvent] {
        var all: [RecordedEvent] = []
        var stays: [Bool] = []
        /// By receiver: the indices of the positions since the last error.
        var lines: [ExactText: [Int]] = [:]
        func finishLines(of device: ExactText?) {
            for (name, line) in lines where device == nil || device == name {
                let points = line.compactMap { all[$0].event.location?.coordinate }
                for index in TrackSimplification.indices(points, tolerance: tolerance) { stays[line[index]] = true }
            }
            if let device { lines[device] = nil } else { lines = [:] }
        }
        while let event = try track.next() {
            if let location = event.event.location {
                lines[ExactText(location.extra.device ?? ""), default: []].append(all.count)
                stays.append(false)
            } else {
                if let error = event.event.error { finishLines(of: error.device.map { ExactText($0) }) }
                stays.append(true)
            }
            all.append(event)
        }
        finishLines(of: nil)
        return all.indices.filter { stays[$0] }.map { all[$0] }
    }
}
