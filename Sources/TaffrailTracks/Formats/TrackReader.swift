internal import Taffrail
public import TaffrailGeo
public import TaffrailRecording

/// Reads a track event by event. One thread at a time.
public protocol TrackReader: AnyObject {
    /// The metadata of the file, as far as it has been read.
    var metadata: RecordingMetadata? { get }

    /// Returns the next event; `nil` at the end, which is reached only if all of the file could be read.
    ///
    /// - Throws: Errors with line and offset. No call follows.
    func next() throws(RecordingError) -> RecordedEvent?

    /// The points skipped so far because they could not be read.
    var warnings: TrackWarnings { get }
}

extension TrackReader {
    /// Nothing was skipped.
    public var warnings: TrackWarnings { TrackWarnings() }
}

/// A reader for files without a schedule, or with an incomplete one.
class ScheduledTrackReader: TrackReader {
    final let path: String
    final var metadata: RecordingMetadata?
    /// The schedule of the events read.
    final var schedule = TrackSchedule()
    final var warnings: TrackWarnings { schedule.warnings }

    init(path: String) { self.path = path }

    /// Reads more of the file and adds events to the schedule. Implemented by each format.
    ///
    /// - Returns: `false` at the end of the file.
    func readOn() throws(RecordingError) -> Bool { false }

    /// Returns the next event, with its own time or one between those of its neighbours.
    final func next() throws(RecordingError) -> RecordedEvent? {
        while true {
            if let event = schedule.next() { return event }
            if let failure = schedule.failure { throw failure }
            guard !schedule.isFinished else { return nil }
            do throws(RecordingError) {
                if try !readOn() { schedule.finish() }
            } catch {
                // Events read before the damage come first.
                schedule.finish(error)
            }
        }
    }
}

/// Reads a recording.
final class RecordingTrackReader: TrackReader {
    private var reader: RecordingReader

    init(path: String) throws(RecordingError) { reader = try RecordingReader(path: path) }

    var metadata: RecordingMetadata? { reader.metadata }

    func next() throws(RecordingError) -> RecordedEvent? { try reader.next() }
}
