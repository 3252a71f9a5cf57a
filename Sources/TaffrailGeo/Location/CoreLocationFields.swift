public import Taffrail

/// A location in CoreLocation's conventions, for code written for `CLLocation`.
///
/// Negative means missing here: a position is invalid when ``horizontalAccuracy`` is negative, the altitudes when
/// ``verticalAccuracy`` is 0 or negative, course and speed when they or their accuracies are negative.
public struct CoreLocationFields: Sendable, Hashable {
    /// Latitude and longitude.
    public var coordinate: Coordinate
    /// Metres above mean sea level.
    public var altitude: Double
    /// Metres above the WGS84 ellipsoid.
    public var ellipsoidalAltitude: Double
    /// Metres; negative: the coordinate is invalid.
    public var horizontalAccuracy: Double
    /// Metres; 0 or negative: the altitudes are invalid.
    public var verticalAccuracy: Double
    /// Degrees clockwise from true north; negative: invalid.
    public var course: Double
    /// Degrees; negative: the course is invalid.
    public var courseAccuracy: Double
    /// Metres per second; negative: invalid.
    public var speed: Double
    /// Metres per second; negative: the speed is invalid.
    public var speedAccuracy: Double
    /// The floor, or `nil`.
    public var floor: Int?
    /// The time of the fix.
    public var timestamp: Timestamp
    /// Whether it is simulated, or from an accessory.
    public var sourceInformation: Location.SourceInformation?

    /// The placeholder for the unknown accuracy of a valid value: 1 km for a position, 1 km for an altitude, 180° for a
    /// course, 1 km/s for a speed. CoreLocation cannot express "valid, with unknown accuracy".
    public static let unknownAccuracy = (position: 1_000.0, altitude: 1_000.0, course: 180.0, speed: 1_000.0)

    /// Converts a location; missing values become −1 (altitudes 0 with a verticalAccuracy of −1).
    public init(_ location: Location) {
        let separation = location.extra.geoidSeparation ?? 0
        coordinate = location.coordinate
        altitude = location.altitude ?? location.ellipsoidalAltitude.map { $0 - separation } ?? 0
        ellipsoidalAltitude = location.ellipsoidalAltitude ?? location.altitude.map { $0 + separation } ?? 0
        horizontalAccuracy = location.horizontalAccuracy ?? Self.unknownAccuracy.position
        verticalAccuracy =
            location.hasAltitude
            ? max(location.verticalAccuracy ?? Self.unknownAccuracy.altitude, .leastNonzeroMagnitude) : -1
        course = location.course ?? -1
        courseAccuracy = location.course == nil ? -1 : location.courseAccuracy ?? Self.unknownAccuracy.course
        speed = location.speed ?? -1
        speedAccuracy = location.speed == nil ? -1 : location.speedAccuracy ?? Self.unknownAccuracy.speed
        floor = location.floor
        timestamp = location.timestamp
        sourceInformation = location.sourceInformation
    }
}

extension Location {
    /// The location in CoreLocation's conventions.
    public var coreLocationFields: CoreLocationFields { CoreLocationFields(self) }

    /// Converts from CoreLocation's conventions; invalid values become `nil`.
    ///
    /// A speed is independent: an invalid speed does not invalidate the position, or vice versa.
    ///
    /// - Returns: `nil` when the position is invalid.
    public init?(_ fields: CoreLocationFields) {
        guard fields.horizontalAccuracy >= 0, fields.coordinate.isValid else { return nil }
        self.init(coordinate: fields.coordinate, timestamp: fields.timestamp)
        horizontalAccuracy = fields.horizontalAccuracy
        if fields.verticalAccuracy > 0 {
            altitude = fields.altitude
            ellipsoidalAltitude = fields.ellipsoidalAltitude
            verticalAccuracy = fields.verticalAccuracy
        }
        if fields.course >= 0 && fields.courseAccuracy >= 0 {
            course = fields.course
            courseAccuracy = fields.courseAccuracy
        }
        if fields.speed >= 0 && fields.speedAccuracy >= 0 {
            speed = fields.speed
            speedAccuracy = fields.speedAccuracy
        }
        floor = fields.floor
        sourceInformation = fields.sourceInformation
    }
}
