package import TaffrailGeo
package import TaffrailRecording

/// A track whose events are in memory. One thread at a time.
package final class EventTrack: TrackReader {
    private let events: [RecordedEvent]
    private var used = 0

    /// Creates a track of events in chronological order.
    package init(_ events: [RecordedEvent]) { self.events = events }

    /// Always `nil`.
    package var metadata: RecordingMetadata? { nil }

    /// Returns the next event.
    package func next() throws(RecordingError) -> RecordedEvent? {
        guard used < events.count else { return nil }
        used += 1
        return events[used - 1]
    }
}
