internal import Taffrail
internal import TaffrailGeo

/// The times of fixes, which differ from the times of their events: receivers and their formats use the times of fixes.
struct FixClock {
    /// The time of the last fix, `nil` if it has none, and the time of its event.
    private var last: (fix: Timestamp?, event: Timestamp)?

    /// Adds a fix.
    mutating func take(_ location: Location, at event: Timestamp) { last = (location.fixTime, event) }

    /// Returns whether an error's time is valid: it is not if it or the time of the last fix is synthetic, or if it is
    /// 1970-01-01, which represents an unknown time.
    func isTimed(_ error: GeoError, at event: Timestamp) -> Bool {
        guard !error.hasNoTime else { return false }
        guard let last else { return event.nanoseconds != 0 }
        return last.fix != nil
    }

    /// Returns the time of an error by the clock of the fixes; `nil` if there is none.
    func time(of error: GeoError, at event: Timestamp) -> Timestamp? {
        guard isTimed(error, at: event) else { return nil }
        guard let last, let fix = last.fix else { return event }
        return fix + (event - last.event)
    }
}
