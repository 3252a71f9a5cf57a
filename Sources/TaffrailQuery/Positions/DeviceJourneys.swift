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
