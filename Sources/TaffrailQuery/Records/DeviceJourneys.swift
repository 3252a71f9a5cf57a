public import Taffrail
public import TaffrailGeo

/// The stays of devices at places, and their journeys between them.
public struct DeviceJourneys: Sendable, Hashable {
    /// The visits, by arrival.
    public var visits: [DeviceVisit]
    /// The trips, by departure.
    public var trips: [DeviceTrip]

    /// Creates an answer.
    public init(visits: [DeviceVisit] = [], trips: [DeviceTrip] = []) {
        self.visits = visits
        self.trips = trips
    }
}

/// A stay of a device at a place.
public struct DeviceVisit: Sendable, Hashable {
    /// The device.
    public var device: String
    /// The centre of the place.
    public var coordinate: Coordinate
    /// The time of arrival.
    public var arrival: Timestamp
    /// The time at which it was last there.
    public var departure: Timestamp
    /// Whether it had not left yet at its last position.
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
