internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// The times of fixes, which are not those at which events came: what receivers and their formats go by.
struct FixClock {
    /// The last fix's time, `nil` where it has none, and that of its event.
    private var last: (fix: Timestamp?, event: Timestamp)?

    /// Takes a fix.
    mutating func take(_ location: Location, at event: Timestamp) { last = (time(of: location), event) }

    /// The time that the source gave for a fix.
    func time(of location: Location) -> Timestamp? { location.extra.hasNoTime == true ? nil : location.timestamp }

    /// Whether an error's time is one: not where those of the fixes around it are made up, nor at 1970-01-01, which
    /// stands for a time that is not known.
    func isTimed(errorAt event: Timestamp) -> Bool {
        guard let last else { return event.nanoseconds != 0 }
        return last.fix != nil
    }

    /// The time of an error by the clock of the fixes; `nil` where there is none.
    func time(ofErrorAt event: Timestamp) -> Timestamp? {
        guard isTimed(errorAt: event) else { return nil }
        guard let last, let fix = last.fix else { return event }
        return fix + event.seconds(since: last.event)
    }
}
