#if Store
public import Taffrail
public import TaffrailGeo

/// A stay of a device at a place: at least five minutes within 100 m. A pause without fixes whose ends lie within them is part of it.
public struct PlaceVisit: Sendable, Hashable {
    /// The device.
    public var device: String
    /// The middle of its fixes.
    public var center: Coordinate
    /// The time of the first fix near the middle.
    public var arrival: Timestamp
    /// The time of the last fix near the middle; of the last one yet, where ``isOpen``.
    public var departure: Timestamp
    /// Whether the device had not left yet at its last fix.
    public var isOpen: Bool
    /// How many fixes there are.
    public var points: Int
    /// The longest time without a fix.
    public var longestGap: Duration
    /// How far local time was ahead of UTC on arrival, where that is known.
    public var localOffset: Duration?

    /// How long it lasted.
    public var duration: Duration { .nanoseconds(departure.nanoseconds &- arrival.nanoseconds) }
}
#endif
