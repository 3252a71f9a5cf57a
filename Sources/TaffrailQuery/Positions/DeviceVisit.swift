public import Taffrail
public import TaffrailGeo

/// A stay of a device at a place.
public struct DeviceVisit: Sendable, Hashable {
    /// The device.
    public var device: String
    /// The centre of the place.
    public var coordinate: Coordinate
    /// The time of arrival.
    public var arrival: Timestamp
    /// The last time at which the device was there.
    public var departure: Timestamp
    /// Whether the device had not left at its last position.
    public var isOpen: Bool

    /// Creates a visit.
    public init(
        device: String, coordinate: Coordinate, arrival: Timestamp, departure: Timestamp, isOpen: Bool = false
    ) {
        self.device = device
        self.coordinate = coordinate
        self.arrival = arrival
        self.departure = departure
        self.isOpen = isOpen
    }
}
