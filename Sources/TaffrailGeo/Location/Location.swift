public import Taffrail

/// A position at a time: CoreLocation's `CLLocation` with SI units and `nil` for unknown values.
///
/// Unlike in CoreLocation, a negative value never means "missing"; ``coreLocationFields`` converts. An invalid position
/// is not a `Location` but a ``GeoError`` with code 0.
public struct Location: Sendable, Hashable {
    /// Latitude and longitude.
    public var coordinate: Coordinate
    /// Height above mean sea level (orthometric), in metres.
    public var altitude: Double?
    /// Height above the WGS84 ellipsoid, in metres.
    public var ellipsoidalAltitude: Double?
    /// The radius around the coordinate that probably contains the true position, in metres; 0 or more. The probability
    /// depends on the source: gpsd uses 95 %, many receivers one sigma.
    public var horizontalAccuracy: Double?
    /// The uncertainty of the altitudes, in metres; 0 or more.
    public var verticalAccuracy: Double?
    /// The direction of travel over ground, in degrees clockwise from true north, 0 up to but not including 360.
    public var course: Double?
    /// The uncertainty of the course, in degrees; 0 or more.
    public var courseAccuracy: Double?
    /// The speed over ground, in metres per second; 0 or more.
    public var speed: Double?
    /// The uncertainty of the speed, in metres per second; 0 or more.
    public var speedAccuracy: Double?
    /// The floor of a building; 0 is the ground floor.
    public var floor: Int?
    /// The time of the fix according to the source or, if it provides none, the time of receipt.
    public var timestamp: Timestamp
    /// Whether the fix is simulated or comes from an accessory; `nil` if unknown.
    public var sourceInformation: SourceInformation?
    /// Values that CoreLocation has no fields for.
    public var extra: Extra

    /// Creates a location.
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

    /// Creates a location from degrees.
    public init(latitude: Double, longitude: Double, timestamp: Timestamp = .now) {
        self.init(coordinate: Coordinate(latitude: latitude, longitude: longitude), timestamp: timestamp)
    }

    /// Returns the length of the shortest line on the WGS84 ellipsoid to another location, in metres; altitudes are
    /// ignored.
    public func distance(from other: Location) -> Double { Geodesy.distance(coordinate, other.coordinate) }
}

extension Location {
    /// The origin of a fix, as in CoreLocation's `CLLocationSourceInformation`.
    public struct SourceInformation: Sendable, Hashable {
        /// Whether software generated the fix: a simulator or a replay.
        public var isSimulatedBySoftware: Bool
        /// Whether an external device provided it.
        public var isProducedByAccessory: Bool

        /// Creates the information.
        public init(isSimulatedBySoftware: Bool = false, isProducedByAccessory: Bool = false) {
            self.isSimulatedBySoftware = isSimulatedBySoftware
            self.isProducedByAccessory = isProducedByAccessory
        }
    }

    /// Values of receivers beyond CoreLocation's fields.
    public struct Extra: Sendable, Hashable {
        /// The vertical speed, in metres per second; positive is up.
        public var climb: Double?
        /// The uncertainty of the vertical speed, in metres per second; 0 or more.
        public var climbAccuracy: Double?
        /// The height of mean sea level above the ellipsoid at the position, in metres.
        public var geoidSeparation: Double?
        /// The receiver, such as `/dev/ttyACM0`.
        public var device: String?
        /// The number of satellites used for the fix.
        public var satellites: Int?
        /// The horizontal dilution of precision.
        public var hdop: Double?
        /// The vertical dilution of precision.
        public var vdop: Double?
        /// The position (3D) dilution of precision.
        public var pdop: Double?
        /// Whether ``Location/timestamp`` is the time of receipt, because the source provided none.
        public var hasNoTime: Bool?
        /// The time of receipt, in nanoseconds of the monotonic clock. Valid only within one run of a program.
        /// Recordings derive their schedule from it, because the wall clock may be set.
        public var uptime: Int64?

        /// All values unknown.
        public init() {}

        /// Whether all values are unknown.
        public var isEmpty: Bool { self == Extra() }
    }

    /// Whether software generated the fix; `false` also if unknown.
    public var isSimulated: Bool { sourceInformation?.isSimulatedBySoftware ?? false }

    /// Returns the same location, marked as generated by software.
    public func simulated() -> Location {
        var result = self
        result.sourceInformation = SourceInformation(
            isSimulatedBySoftware: true,
            isProducedByAccessory: sourceInformation?.isProducedByAccessory ?? false)
        return result
    }
}
