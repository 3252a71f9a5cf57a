public import Taffrail

/// An event along a track: a position, the lack of one, or a log record. Positions and records are stored indirectly, because
/// events are passed through many hands.
public enum GeoEvent: Sendable, Hashable {
    /// A position.
    indirect case location(Location)
    /// Why there is none.
    case error(GeoError)
    /// A log record, kept beside the positions.
    indirect case log(LogRecord)

    /// The position, if it is one.
    public var location: Location? { if case .location(let location) = self { location } else { nil } }
    /// The error, if it is one.
    public var error: GeoError? { if case .error(let error) = self { error } else { nil } }
}

/// An event of a recording: what, and when since the recording's start.
public struct RecordedEvent: Sendable, Hashable {
    /// When it was received, by the wall clock.
    public var timestamp: Timestamp
    /// Seconds since the recording's start, by the clock that only goes forward; what a replay goes by.
    public var relativeTime: Double
    /// What happened.
    public var event: GeoEvent

    /// Makes an event.
    public init(timestamp: Timestamp, relativeTime: Double, event: GeoEvent) {
        self.timestamp = timestamp
        self.relativeTime = relativeTime
        self.event = event
    }
}
