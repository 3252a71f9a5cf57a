#if Store
public import Taffrail
public import TaffrailGeo

/// A device's journey between two visits.
public struct Trip: Sendable, Hashable {
    /// The reason why a trip begins where it does.
    public enum Start: String, Sendable, Hashable, Codable, CaseIterable {
        /// The device left a place.
        case visit
        /// There was no fix before.
        case first
        /// There was no fix for so long that the route is unknown.
        case gap
    }

    /// The reason why a trip ends where it does.
    public enum End: String, Sendable, Hashable, Codable, CaseIterable {
        /// The device stayed at a place.
        case visit
        /// There was no fix for so long that the route is unknown.
        case gap
        /// It had not ended at the last fix.
        case open
    }

    /// The device.
    public var device: String
    /// The start: the centre of the visit, else the first fix.
    public var from: Coordinate
    /// The end: the centre of the visit, else the last fix.
    public var to: Coordinate
    /// The departure.
    public var departure: Timestamp
    /// The arrival; the time of the last fix, if it did not arrive.
    public var arrival: Timestamp
    /// The length of the path in metres, by geodesics, without the noise of the fixes.
    public var distance: Double
    /// The reason why it begins there.
    public var start: Start
    /// The reason why it ends there.
    public var end: End
    /// The number of its fixes.
    public var points: Int
    /// The number of fixes between its ends that were left out, as jumps or as too inaccurate.
    public var leftOut: Int
    /// The longest time without a fix within it.
    public var longestGap: Duration
    /// The offset of local time from UTC at its start, if that is known.
    public var localOffset: Duration?

    /// Its duration.
    public var duration: Duration { .nanoseconds(arrival.nanoseconds &- departure.nanoseconds) }
    /// The average speed in metres a second; `nil` for a trip without duration.
    public var averageSpeed: Double? {
        let seconds = duration / .seconds(1)
        return seconds > 0 ? distance / seconds : nil
    }
}
#endif
