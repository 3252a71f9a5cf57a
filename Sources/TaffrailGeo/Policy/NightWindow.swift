public import Taffrail
internal import TaffrailText

/// A part of each day, by the clocks of a time zone. It may contain midnight.
public struct NightWindow: Sendable, Hashable {
    /// The start, in minutes since midnight; included. From 0 to 1439. Default 22:00.
    public var start = 22 * 60
    /// The end, in minutes since midnight; excluded. From 0 to 1439. Default 06:00. The same as ``start``: no time is in
    /// the window.
    public var end = 6 * 60
    /// The time zone. Default `nil`: that of the process.
    public var timeZone: TimeZoneRules?

    /// The default window.
    public init() {}

    /// Creates a window.
    public init(from start: Int, to end: Int, timeZone: TimeZoneRules? = nil) {
        self.start = start
        self.end = end
        self.timeZone = timeZone
    }

    /// Returns whether clocks show a time of the window.
    ///
    /// When clocks are turned back, an hour passes twice and is in the window both times or not at all.
    public func contains(_ time: Timestamp) -> Bool {
        let utc = time.wholeSeconds
        let local = utc + (timeZone.map { $0.offset(at: utc) } ?? ZoneOffset.local.seconds(utc))
        let minute = Int(CivilTime(secondsSince1970: local).secondOfDay / 60)
        return start <= end ? (start..<end).contains(minute) : minute >= start || minute < end
    }
}
