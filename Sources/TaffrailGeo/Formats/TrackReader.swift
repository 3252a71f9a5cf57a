internal import Taffrail

/// Reads a track event by event. One thread at a time.
public protocol TrackReader: AnyObject {
    /// What the file says about itself, as far as it has been read.
    var metadata: RecordingMetadata? { get }

    /// The next event; `nil` at the end, which is reached only when all of the file could be read.
    ///
    /// - Throws: What is wrong, with line and place. No call follows.
    func next() throws(RecordingError) -> RecordedEvent?
}

/// Reads a recording.
final class RecordingTrackReader: TrackReader {
    private var reader: RecordingReader

    init(path: String) throws(RecordingError) { reader = try RecordingReader(path: path) }

    var metadata: RecordingMetadata? { reader.metadata }

    func next() throws(RecordingError) -> RecordedEvent? { try reader.next() }
}

/// Makes events of the positions of a file that has no schedule of its own.
struct TrackSchedule {
    private var first: Timestamp?
    private var last = RecordedEvent(
        timestamp: Timestamp(nanoseconds: 0), relativeTime: 0, event: .error(.locationUnknown()))
    private var isEmpty = true

    /// The event of a position. One without a time is taken to be a second after the one before.
    mutating func event(_ location: Location, time: Timestamp?) -> RecordedEvent {
        var location = location
        let moment = time ?? (isEmpty ? Timestamp(nanoseconds: 0) : last.timestamp + 1)
        location.timestamp = moment
        if time == nil { location.extra.hasNoTime = true }
        return schedule(.location(location), at: moment)
    }

    /// The event that there is no position after the one before.
    mutating func gap(_ description: String = "no fix", at time: Timestamp? = nil) -> RecordedEvent {
        schedule(.error(.locationUnknown(description)), at: time ?? last.timestamp)
    }

    /// Schedules an event; one that lies before the first comes with it.
    private mutating func schedule(_ event: GeoEvent, at moment: Timestamp) -> RecordedEvent {
        let start = first ?? moment
        first = start
        isEmpty = false
        last = RecordedEvent(timestamp: moment, relativeTime: max(0, moment.seconds(since: start)), event: event)
        return last
    }
}
