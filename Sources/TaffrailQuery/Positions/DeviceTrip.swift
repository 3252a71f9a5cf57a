public import Taffrail
public import TaffrailGeo

/// A device's journey between two visits.
public struct DeviceTrip: Sendable, Hashable {
    /// The device.
    public var device: String
    /// The position of its start.
    public var from: Coordinate
    /// The position of its end.
    public var to: Coordinate
    /// The time of its start.
    public var departure: Timestamp
    /// The time of its end.
    public var arrival: Timestamp
    /// Its length in metres.
    public var distance: Double
    /// The number of positions between its ends; `nil`: unknown.
    public var points: Int?
    /// The reason why it begins there: `visit`, `first` or `gap`.
    public var start: String
    /// The reason why it ends there: `visit`, `gap` or `open`.
    public var end: String

    /// Creates a trip.
    public init(
        device: String, from: Coordinate, to: Coordinate, departure: Timestamp, arrival: Timestamp, distance: Double,
        start: String, end: String, points: Int? = nil
    ) {
        self.device = device
        self.from = from
        self.to = to
        self.departure = departure
        self.arrival = arrival
        self.distance = distance
        self.start = start
        self.end = end
        self.points = points
    }
}
