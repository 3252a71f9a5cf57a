internal import TaffrailGeo
internal import TaffrailRecording

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
    func readMore() throws(RecordingError) -> Bool { false }

    /// Returns the next event, with its own time or an interpolated one.
    final func next() throws(RecordingError) -> RecordedEvent? {
        while true {
            if let event = schedule.next() { return event }
            if let failure = schedule.failure { throw failure }
            guard !schedule.isFinished else { return nil }
            do throws(RecordingError) {
                if try !readMore() { schedule.finish() }
            } catch {
                // Events read before the damage come first.
                schedule.finish(error)
            }
        }
    }
}
