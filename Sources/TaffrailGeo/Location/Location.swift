public import Taffrail

/// Where something was, at a moment: CoreLocation's `CLLocation` with SI units and `nil` for what is not known.
///
/// Unlike in CoreLocation, a value is never negative to say that it is missing; ``coreLocationFields`` translates.
/// A position that is invalid is no `Location` but a ``GeoError`` with code 0.
public struct Location: Sendable, Hashable {
    /// Latitude and longitude.
    public var coordinate: Coordinate
    /// Height above mean sea level (orthometric), in metres.
    public var altitude: Double?
    /// Height above the WGS84 ellipsoid, in metres.
    public var ellipsoidalAltitude: Double?
    /// The radius around the coordinate in which the true position probably lies, in metres; 0 or more. How probably
    /// is up to the source: gpsd says 95 %, many receivers mean one sigma.
    public var horizontalAccuracy: Double?
    /// The uncertainty of the altitudes, in metres; 0 or more.
    public var verticalAccuracy: Double?
    /// The direction of travel over ground, in degrees clockwise from true north, 0 up to but not including 360.
    public var course: Double?
    /// The uncertainty of the course, in degrees; 0 or more.
    public var courseAccuracy: Double?
    /// The speed over ground, in metres a second; 0 or more.
    public var speed: Double?
    /// The uncertainty of the speed, in metres a second; 0 or more.
    public var speedAccuracy: Double?
    /// The floor of a building; 0 is the ground floor.
    public var floor: Int?
    /// The moment the source gives for the fix; where it gives none, when the fix was received.
    public var timestamp: Timestamp
    /// Whether the fix is simulated or comes from an accessory; `nil` when the source does not say.
    public var sourceInformation: SourceInformation?
    /// What CoreLocation has no fields for.
    public var extra: Extra

    /// Makes a location.
    public init(
        coordinate: Coordinate, altitude: Double? = nil, ellipsoidalAltitude: Double? = nil,
        horizontalAccuracy: Double? = nil, verticalAccuracy: Double? = nil, course: Double? = nil,
        courseAccuracy: Double? = nil, speed: Double? = nil, speedAccuracy: Double? = nil, floor: Int? = nil,
        timestamp: Timestamp = .now, sourceInformation: SourceInformation? = nil, extra: Extra = Extra()
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.ellipsoidalAltitude = ellipsoidalAltitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.floor = floor
        self.timestamp = timestamp
        self.sourceInformation = sourceInformation
        self.extra = extra
    }

    /// Makes a location from degrees.
    public init(latitude: Double, longitude: Double, timestamp: Timestamp = .now) {
        self.init(coordinate: Coordinate(latitude: latitude, longitude: longitude), timestamp: timestamp)
    }

    /// The length of the shortest line on the WGS84 ellipsoid to another location, in metres; altitudes do not count.
    public func distance(from other: Location) -> Double { Geodesy.distance(coordinate, other.coordinate) }
}

extension Location {
    /// Where a fix comes from, as CoreLocation's `CLLocationSourceInformation`.
    public struct SourceInformation: Sendable, Hashable {
        /// Whether software made the fix up: a simulator or a replay.
        public var isSimulatedBySoftware: Bool
        /// Whether an external device made it.
        public var isProducedByAccessory: Bool

        /// Makes the information.
        public init(isSimulatedBySoftware: Bool = false, isProducedByAccessory: Bool = false) {
            self.isSimulatedBySoftware = isSimulatedBySoftware
            self.isProducedByAccessory = isProducedByAccessory
        }
    }

    /// What receivers tell beyond CoreLocation's fields.
    public struct Extra: Sendable, Hashable {
        /// The vertical speed, in metres a second; positive is up.
        public var climb: Double?
        /// The uncertainty of the vertical speed, in metres a second; 0 or more.
        public var climbAccuracy: Double?
        /// The height of mean sea level above the ellipsoid at the place, in metres.
        public var geoidSeparation: Double?
        /// The receiver, such as `/dev/ttyACM0`.
        public var device: String?
        /// How many satellites the fix is computed from.
        public var satellites: Int?
        /// The horizontal dilution of precision.
        public var hdop: Double?
        /// The vertical dilution of precision.
        public var vdop: Double?
        /// The position (3D) dilution of precision.
        public var pdop: Double?
        /// Whether ``Location/timestamp`` is when the fix was received, because the source gave no time.
        public var hasNoTime: Bool?
        /// When the fix was received, in nanoseconds of the monotonic clock. Only good within one run of a program;
        /// recordings take their schedule from it, since the wall clock may be set meanwhile.
        public var uptime: Int64?

        /// Nothing known.
        public init() {}

        /// Whether nothing is known.
        public var isEmpty: Bool { self == Extra() }
    }

    /// Whether software made the fix up; `false` also when the source does not say.
    public var isSimulated: Bool { sourceInformation?.isSimulatedBySoftware ?? false }

    /// The same location, marked as made up by software.
    public func simulated() -> Location {
        var result = self
        result.sourceInformation = SourceInformation(
            isSimulatedBySoftware: true,
            isProducedByAccessory: sourceInformation?.isProducedByAccessory ?? false)
        return result
    }
}
