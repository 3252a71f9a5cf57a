#if Store
public import Taffrail
public import TaffrailGeo

/// A way of a device from one visit to the next.
public struct Trip: Sendable, Hashable {
    /// Why a trip begins where it does.
    public enum Start: String, Sendable, Hashable, Codable, CaseIterable {
        /// The device left a place.
        case visit
        /// There was no fix before.
        case first
        /// There was none for so long that the way is not known.
        case gap
    }

    /// Why a trip ends where it does.
    public enum End: String, Sendable, Hashable, Codable, CaseIterable {
        /// The device stayed at a place.
        case visit
        /// There was no fix for so long that the way is not known.
        case gap
        /// It had not ended at the last fix.
        case open
    }

    /// The device.
    public var device: String
    /// Where it began: the middle of the visit, else the first fix.
    public var from: Coordinate
    /// Where it ended, likewise.
    public var to: Coordinate
    /// The departure.
    public var departure: Timestamp
    /// The arrival; the time of the last fix, where there was none.
    public var arrival: Timestamp
    /// The length of the way in metres, by geodesics, without the noise of the fixes.
    public var distance: Double
    /// Why it begins there.
    public var start: Start
    /// Why it ends there.
    public var end: End
    /// How many fixes it consists of.
    public var points: Int
    /// How many fixes between its ends were left out, as jumps or as too inaccurate.
    public var leftOut: Int
    /// The longest time without a fix within it.
    public var longestGap: Duration
    /// How far local time was ahead of UTC at its start, where that is known.
    public var localOffset: Duration?

    /// How long it lasted.
    public var duration: Duration { .nanoseconds(arrival.nanoseconds &- departure.nanoseconds) }
    /// Metres a second; `nil` for one without duration.
    public var averageSpeed: Double? {
        let seconds = duration / .seconds(1)
        return seconds > 0 ? distance / seconds : nil
    }
}
#endif
