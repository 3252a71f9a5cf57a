internal import Taffrail
public import TaffrailGeo
public import TaffrailRecording
internal import TaffrailText

/// Several tracks as one, in chronological order. One thread at a time.
///
/// Between the end of all tracks that have begun and the start of a later one, there is a gap: an error event, so that
/// no line connects them. An event that several tracks contain with the same time appears once. Relative times count
/// from the first event.
public final class MergedTrack: TrackReader {
    /// A track that is merged with others.
    public struct Part {
        /// The track, of which no event has been read.
        public var track: any TrackReader
        /// The receiver's name to set in all positions and errors, to keep devices apart. Default `nil`: their own
        /// names.
        public var device: String?

        /// Creates a part.
        public init(_ track: any TrackReader, device: String? = nil) {
            self.track = track
            self.device = device
        }
    }

    private let parts: [Part]
    /// The next event of each part; `nil` once it has ended.
    private var heads: [RecordedEvent?] = []
    /// The parts whose first event has been returned.
    private var begun: Set<Int> = []
    private var start: Timestamp?
    private var last: RecordedEvent?
    /// The events returned with the time of the last one, and the first part that contained each.
    private var current: [Known: Int] = [:]

    /// An event, whose receiver's name is compared by its bytes.
    private struct Known: Hashable {
        let event: GeoEvent
        let device: ExactText?

        init(_ event: GeoEvent) {
            self.event = event
            device = (event.location?.extra.device ?? event.error?.device).map { ExactText($0) }
        }
    }

    /// Merges tracks.
    public init(_ parts: [Part]) { self.parts = parts }

    /// The metadata of the first track.
    public var metadata: RecordingMetadata? { parts.first?.track.metadata }

    /// The points skipped in all tracks so far.
    public var warnings: TrackWarnings {
        parts.reduce(into: TrackWarnings()) { $0.add($1.track.warnings) }
    }

    /// Returns the next event of the tracks.
    public func next() throws(RecordingError) -> RecordedEvent? {
        if heads.isEmpty { for part in parts { heads.append(try part.track.next()) } }
        while let index = earliest, var event = heads[index] {
            if let last, !begun.contains(index), begun.allSatisfy({ heads[$0] == nil }), last.event.error == nil {
                begun.insert(index)
                return emit(RecordedEvent(timestamp: last.timestamp, relativeTime: 0, event: .error(.interruption)))
            }
            begun.insert(index)
            heads[index] = try parts[index].track.next()
            if let device = parts[index].device { event.event.setDevice(device) }
            if last?.timestamp != event.timestamp { current = [:] }
            let known = Known(event.event)
            guard current[known, default: index] == index else { continue }
            current[known] = index
            return emit(event)
        }
        return nil
    }

    /// The part whose next event is the earliest; if there are several, the first of them.
    private var earliest: Int? {
        var found: (index: Int, time: Timestamp)?
        for (index, head) in heads.enumerated() {
            guard let time = head?.timestamp, found.map({ time < $0.time }) ?? true else { continue }
            found = (index, time)
        }
        return found?.index
    }

    private func emit(_ event: RecordedEvent) -> RecordedEvent {
        var event = event
        let start = start ?? event.timestamp
        self.start = start
        // A clock that was set back does not move the schedule.
        event.relativeTime = max(last?.relativeTime ?? 0, event.timestamp.seconds(since: start))
        last = event
        return event
    }
}

extension GeoEvent {
    /// Sets the receiver of a position or an error.
    fileprivate mutating func setDevice(_ device: String) {
        switch self {
        case .location(var location):
            location.extra.device = device
            self = .location(location)
        case .error(var error):
            error.device = device
            self = .error(error)
        case .log: break
        }
    }
}
