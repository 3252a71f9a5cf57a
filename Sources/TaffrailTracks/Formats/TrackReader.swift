internal import Taffrail
public import TaffrailGeo
public import TaffrailRecording

/// Reads a track event by event. One thread at a time.
public protocol TrackReader: AnyObject {
    /// What the file says about itself, as far as it has been read.
    var metadata: RecordingMetadata? { get }

    /// The next event; `nil` at the end, which is reached only when all of the file could be read.
    ///
    /// - Throws: What is wrong, with line and offset. No call follows.
    func next() throws(RecordingError) -> RecordedEvent?

    /// What was left out of the events so far, because it could not be read.
    var warnings: TrackWarnings { get }
}

extension TrackReader {
    /// Nothing was left out.
    public var warnings: TrackWarnings { TrackWarnings() }
}

/// A reader whose file gives no schedule, or not for every position.
class ScheduledTrackReader: TrackReader {
    final let path: String
    final var metadata: RecordingMetadata?
    /// Where it puts what it reads.
    final var schedule = TrackSchedule()
    final var warnings: TrackWarnings { schedule.warnings }

    init(path: String) { self.path = path }

    /// Reads on, and adds what it finds to the schedule. Each format has its own.
    ///
    /// - Returns: `false` at the end of the file.
    func readOn() throws(RecordingError) -> Bool { false }

    /// The next event, with a time of its own or between those of its neighbours.
    final func next() throws(RecordingError) -> RecordedEvent? {
        while true {
            if let event = schedule.next() { return event }
            if let failure = schedule.failure { throw failure }
            guard !schedule.isFinished else { return nil }
            do throws(RecordingError) {
                if try !readOn() { schedule.finish() }
            } catch {
                // What was read before the damage comes first.
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
