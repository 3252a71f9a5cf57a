public import Taffrail
public import TaffrailGeo

/// The stays of devices at places, and their ways between them.
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
    /// The middle of the place.
    public var coordinate: Coordinate
    /// When it arrived.
    public var arrival: Timestamp
    /// When it was last there.
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

/// A way of a device from one visit to the next.
public struct DeviceTrip: Sendable, Hashable {
    /// The device.
    public var device: String
    /// Where it began.
    public var from: Coordinate
    /// Where it ended.
    public var to: Coordinate
    /// When it began.
    public var departure: Timestamp
    /// When it ended.
    public var arrival: Timestamp
    /// Its length in metres.
    public var distance: Double
    /// How many positions there are between its ends; `nil`: not known.
    public var points: Int?
    /// Why it begins there: `visit`, `first` or `gap`.
    public var start: String
    /// Why it ends there: `visit`, `gap` or `open`.
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
