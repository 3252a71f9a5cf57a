internal import Taffrail
internal import TaffrailGeo

/// Sets the times of events according to the mode.
struct ReplayTimes: Sendable {
    private let mode: ReplayOptions.TimeMode
    /// The offset of recorded times.
    private var shift = Duration.zero
    private var latest: Timestamp?
    private var hasJumped = false
    private var anchor: (elapsed: Duration, wall: Timestamp, rate: Double)?
    /// The time of the first fix since then, and the time that it was given.
    private var fixAnchor: (recorded: Timestamp, given: Timestamp)?

    /// The usual differences between the time of a fix and its receipt. A larger difference shows that one of the two
    /// clocks was wrong, such as the clock of a machine that has just started without a battery for it.
    private static let ages = Duration.seconds(-60)...Duration.seconds(60)

    init(_ mode: ReplayOptions.TimeMode) { self.mode = mode }

    /// Adapts to a seek or a change of rate.
    mutating func reset(isJump: Bool) {
        anchor = nil
        fixAnchor = nil
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
            let anchor = self.anchor ?? (event.elapsed, wall, rate)
            self.anchor = anchor
            // Uses the schedule, because the wall clock may have been set during the recording.
            let due = anchor.wall + (event.elapsed - anchor.elapsed) / anchor.rate
            event.setTimes(due, fix: fixTime(of: event, due: due, rate: anchor.rate))
            // The new time is as valid as those of the other events.
            if case .location(var location) = event.event, location.extra.hasNoTime == true {
                location.extra.hasNoTime = nil
                event.event = .location(location)
            } else if case .error(var error) = event.event, error.hasNoTime {
                error.hasNoTime = false
                event.event = .error(error)
            }
        case .monotonic:
            let range = event.times
            if hasJumped, let latest, range.lowerBound + shift <= latest {
                shift = latest + .seconds(1) - range.lowerBound
            }
            hasJumped = false
            let shift = shift
            event.setTimes(event.timestamp + shift, fix: event.event.location.map { $0.timestamp + shift })
            latest = max(latest ?? event.times.upperBound, event.times.upperBound)
        }
    }

    /// Returns the time of a fix as if it happened now: its interval from the first fix is that of the receiver's
    /// clock, unless that has been set, too; `nil` if the fix has no time of its own.
    private mutating func fixTime(of event: RecordedEvent, due: Timestamp, rate: Double) -> Timestamp? {
        guard let fix = event.event.location?.fixTime else { return nil }
        if let first = fixAnchor {
            let time = first.given + (fix - first.recorded) / rate
            if Self.ages.contains(due - time) { return time }
        }
        let age = event.timestamp - fix
        let time = Self.ages.contains(age) ? due - age / rate : due
        fixAnchor = (fix, time)
        return time
    }
}

extension RecordedEvent {
    /// The range of the event's times.
    fileprivate var times: ClosedRange<Timestamp> {
        guard let fix = event.location?.timestamp else { return timestamp...timestamp }
        return min(timestamp, fix)...max(timestamp, fix)
    }

    /// Sets the event's times.
    ///
    /// - Parameter fix: The time of a position. `nil`: the same time.
    fileprivate mutating func setTimes(_ time: Timestamp, fix: Timestamp?) {
        timestamp = time
        switch event {
        case .location(var location):
            location.timestamp = fix ?? time
            event = .location(location)
        case .log(var record):
            record.timestamp = time
            event = .log(record)
        case .error: break
        }
    }
}
