internal import TaffrailText

/// The status of a replay.
public struct ReplayStatus: Sendable, Hashable {
    /// The state.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// It has not started yet.
        case waiting
        /// The track's time is running.
        case playing
        /// The track's time is stopped.
        case paused
        /// It has ended.
        case ended
    }

    /// The state.
    public var state = State.waiting
    /// The track's time since its start.
    public var time: Duration {
        get { Duration(clampingSeconds: seconds) }
        set { seconds = newValue / .seconds(1) }
    }
    /// The track's length, if known.
    public var duration: Duration? {
        get { length.map { Duration(clampingSeconds: $0) } }
        set { length = newValue.map { $0 / .seconds(1) } }
    }
    /// ``time`` in seconds, as in tracks.
    package var seconds = 0.0
    /// ``duration`` in seconds.
    package var length: Double?
    /// The number of the last replayed event, from 1; 0 before the first.
    public var event = 0
    /// The number of events in the track, if known.
    public var eventCount: Int?
    /// The number of replayed events, including repetitions.
    public var replayed = 0
    /// The number of repetitions.
    public var loops = 0
    /// Seconds of the track per second.
    public var rate = 1.0
    /// The error of the last command; `nil` if it succeeded.
    public var problem: String?

    /// The initial status.
    public init() {}
}
