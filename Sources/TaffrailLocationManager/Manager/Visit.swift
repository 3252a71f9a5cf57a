public import Taffrail
public import TaffrailGeo

/// A stay at a place: reported on arrival, without a departure, and again on departure.
public struct Visit: Sendable, Hashable {
    /// The centre of the stay.
    public var coordinate: Coordinate
    /// The greatest distance of a fix from the centre or, if larger, the greatest uncertainty of a fix, in metres.
    public var horizontalAccuracy: Double
    /// The start of the stay.
    public var arrivalDate: Timestamp
    /// The end of the stay; `nil` until the departure.
    public var departureDate: Timestamp?

    /// Creates a visit.
    public init(
        coordinate: Coordinate, horizontalAccuracy: Double, arrivalDate: Timestamp, departureDate: Timestamp? = nil
    ) {
        self.coordinate = coordinate
        self.horizontalAccuracy = horizontalAccuracy
        self.arrivalDate = arrivalDate
        self.departureDate = departureDate
    }
}
