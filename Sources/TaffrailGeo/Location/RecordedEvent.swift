public import Taffrail
internal import TaffrailText

/// An event of a recording, and its time since the recording's start.
public struct RecordedEvent: Sendable, Hashable {
    /// The time of receipt, by the wall clock.
    public var timestamp: Timestamp
    /// Seconds since the recording's start, by the monotonic clock; the schedule of a replay.
    public var relativeTime: Double
    /// The event.
    public var event: GeoEvent

    /// ``relativeTime`` as a duration.
    package var elapsed: Duration { Duration(clampingSeconds: relativeTime) }

    /// Creates an event.
    public init(timestamp: Timestamp, relativeTime: Double, event: GeoEvent) {
        self.timestamp = timestamp
        self.relativeTime = relativeTime
        self.event = event
    }
}
