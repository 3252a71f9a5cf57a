internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// Sets the times of events according to the mode.
struct ReplayTimes: Sendable {
    private let mode: ReplayOptions.TimeMode
    /// The offset of recorded times, in nanoseconds.
    private var shift: Int64 = 0
    private var latest: Timestamp?
    private var hasJumped = false
    private var anchor: (recorded: Timestamp, wall: Timestamp, rate: Double)?

    init(_ mode: ReplayOptions.TimeMode) { self.mode = mode }

    /// Adapts to a seek or a change of rate.
    mutating func reset(isJump: Bool) {
        anchor = nil
        if isJump { hasJumped = true }
    }

    /// Sets an event's times.
    ///
    /// - Parameters:
    ///   - wall: The wall clock when the event is due.
    ///   - rate: The speed of the track's time.
    mutating func apply(to event: inout RecordedEvent, wall: Timestamp, rate: Double) {
        switch mode {
        case .recorded: return
        case .now:
            let anchor = self.anchor ?? (event.timestamp, wall, rate)
            self.anchor = anchor
            event.mapTimes { anchor.wall + $0.seconds(since: anchor.recorded) / anchor.rate }
            // Its time is as valid as those of the others.
            if case .location(var location) = event.event, location.extra.hasNoTime == true {
                location.extra.hasNoTime = nil
                event.event = .location(location)
            } else if case .error(var error) = event.event, error.hasNoTime {
                error.hasNoTime = false
                event.event = .error(error)
            }
        case .monotonic:
            let range = event.times
            if hasJumped, let latest, Timestamp(nanoseconds: range.lowerBound.nanoseconds &+ shift) <= latest {
                shift = latest.nanoseconds &+ 1_000_000_000 &- range.lowerBound.nanoseconds
            }
            hasJumped = false
            let shift = shift
            event.mapTimes { Timestamp(nanoseconds: $0.nanoseconds &+ shift) }
            latest = max(latest ?? event.times.upperBound, event.times.upperBound)
        }
    }
}

extension RecordedEvent {
    /// The range of its times.
    fileprivate var times: ClosedRange<Timestamp> {
        guard let fix = event.location?.timestamp else { return timestamp...timestamp }
        return min(timestamp, fix)...max(timestamp, fix)
    }

    fileprivate mutating func mapTimes(_ map: (Timestamp) -> Timestamp) {
        timestamp = map(timestamp)
        switch event {
        case .location(var location):
            location.timestamp = map(location.timestamp)
            event = .location(location)
        case .log(var record):
            record.timestamp = timestamp
            event = .log(record)
        case .error: break
        }
    }
}
