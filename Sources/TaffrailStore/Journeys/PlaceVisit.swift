#if Store
public import Taffrail
public import TaffrailGeo

/// A stay of a device at a place: at least five minutes within 100 m. A pause without fixes is part of the visit if
/// both ends lie within the 100 m.
public struct PlaceVisit: Sendable, Hashable {
    /// The device.
    public var device: String
    /// The centre of its fixes.
    public var center: Coordinate
    /// The time of the first fix near the centre.
    public var arrival: Timestamp
    /// The time of the last fix near the centre; if ``isOpen``, of the last one so far.
    public var departure: Timestamp
    /// Whether the device had not left yet at its last fix.
    public var isOpen: Bool
    /// The number of fixes.
    public var points: Int
    /// The longest time without a fix.
    public var longestGap: Duration
    /// The offset of local time from UTC on arrival, if that is known.
    public var localOffset: Duration?

    /// Its duration.
    public var duration: Duration { .nanoseconds(departure.nanoseconds &- arrival.nanoseconds) }
}
#endif
