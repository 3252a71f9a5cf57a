public import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// A point of a track, for a seek or a range.
public enum ReplayPoint: Sendable, Hashable {
    /// A time since the track's start.
    case elapsed(Duration)
    /// The first time in the track with this time of day in UTC, as the time since midnight.
    case timeOfDay(Duration)
    /// A date and time.
    case time(Timestamp)
    /// An event, by its number from 1.
    case event(Int)

    /// Parses `90`, `1m30s`, `14:30`, `14:30:05.5`, `2026-01-05T14:30:00Z` or `#120`.
    public init?(_ text: String) {
        if text.hasPrefix("#") {
            guard let number = Int(text.dropFirst()), number >= 1 else { return nil }
            self = .event(number)
        } else if let time = RFC3339.timestamp(text) {
            self = .time(time)
        } else if text.contains(":") {
            guard let time = Self.timeOfDay(text) else { return nil }
            self = .timeOfDay(time)
        } else if let seconds = DecimalText.double(text), seconds >= 0 {
            self = .elapsed(Duration(clampingSeconds: seconds))
        } else if let duration = DurationText.duration(text) {
            self = .elapsed(duration)
        } else {
            return nil
        }
    }

    private static func timeOfDay(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hours = Int(parts[0]), let minutes = Int(parts[1]),
            let seconds = parts.count == 3 ? DecimalText.double(parts[2]) : 0, (0..<24).contains(hours),
            (0..<60).contains(minutes), (0..<60).contains(seconds)
        else { return nil }
        return Duration.seconds(hours * 3_600 + minutes * 60) + Duration(clampingSeconds: seconds)
    }

    /// Resolves a time of day, which depends on the start of the track.
    func resolved(start: Timestamp) -> ReplayPoint {
        guard case .timeOfDay(let ofDay) = self else { return self }
        let midnight = CivilTime.floorDivide(start.nanoseconds, by: CivilTime.dayLength) * CivilTime.dayLength
        let time = Timestamp(nanoseconds: midnight) + ofDay
        return .time(time < start ? time + .days(1) : time)
    }

    /// Returns whether an event is at or after this point.
    func isReached(by event: RecordedEvent, number: Int) -> Bool {
        switch self {
        case .elapsed(let time): event.elapsed >= time
        case .time(let time): event.timestamp >= time
        case .event(let wanted): number >= wanted
        case .timeOfDay: true
        }
    }

    /// Returns whether an event is after this point.
    func isPassed(by event: RecordedEvent, number: Int) -> Bool {
        switch self {
        case .elapsed(let time): event.elapsed > time
        case .time(let time): event.timestamp > time
        case .event(let wanted): number > wanted
        case .timeOfDay: false
        }
    }
}
