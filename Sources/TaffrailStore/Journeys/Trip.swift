#if Store
public import Taffrail
public import TaffrailGeo

/// A device's journey between two visits.
public struct Trip: Sendable, Hashable {
    /// The reason for the start of a trip.
    public enum Start: String, Sendable, Hashable, Codable, CaseIterable {
        /// The device left a place.
        case visit
        /// There was no earlier fix.
        case first
        /// There was no fix for so long that the route is unknown.
        case gap
    }

    /// The reason for the end of a trip.
    public enum End: String, Sendable, Hashable, Codable, CaseIterable {
        /// The device stayed at a place.
        case visit
        /// There was no fix for so long that the route is unknown.
        case gap
        /// The trip had not ended at the last fix.
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
    /// The arrival, or the time of the last fix if the device did not arrive.
    public var arrival: Timestamp
    /// The length of the path in metres, by geodesics, without the noise of the fixes.
    public var distance: Double
    /// The reason for the start.
    public var start: Start
    /// The reason for the end.
    public var end: End
    /// The number of fixes.
    public var points: Int
    /// The number of fixes between its ends that were omitted as jumps or as too inaccurate.
    public var omittedFixes: Int
    /// The longest time without a fix within it.
    public var longestGap: Duration
    /// The offset of local time from UTC at the start, if known.
    public var localOffset: Duration?

    /// Its duration.
    public var duration: Duration { .nanoseconds(arrival.nanoseconds &- departure.nanoseconds) }
    /// The average speed in metres per second; `nil` for a trip without duration.
    public var averageSpeed: Double? {
        let seconds = duration / .seconds(1)
        return seconds > 0 ? distance / seconds : nil
    }
}
#endif
