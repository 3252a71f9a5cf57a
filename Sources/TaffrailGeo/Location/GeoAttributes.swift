internal import Glibc

/// The names of a position's attributes in a record. Decision note 0001 lists them with units.
public enum GeoAttributes {
    /// The event name of a record that is a position.
    public static let locationEvent = "geo.location"
    /// The event name of a record that reports the reason for a missing position.
    public static let errorEvent = "geo.error"

    /// OpenTelemetry's latitude in degrees (development stability).
    public static let latitude = "geo.location.lat"
    /// OpenTelemetry's longitude in degrees (development stability).
    public static let longitude = "geo.location.lon"

    /// The names of a position's attributes, in writing order.
    enum Name: Int, CaseIterable {
        case latitude, longitude, time, altitude, ellipsoidalAltitude, horizontalAccuracy, verticalAccuracy, course
        case courseAccuracy, speed, speedAccuracy, floor, simulated, accessory, climb, climbAccuracy, geoidSeparation
        case device, satellites, hdop, vdop, pdop, noTime, uptime

        var key: StaticString { Self.keys[rawValue] }
        var text: String { Self.texts[rawValue] }

        private static let keys: [StaticString] = [
            "geo.location.lat", "geo.location.lon", "taffrail.geo.time", "taffrail.geo.altitude",
            "taffrail.geo.ellipsoidal_altitude", "taffrail.geo.horizontal_accuracy", "taffrail.geo.vertical_accuracy",
            "taffrail.geo.course", "taffrail.geo.course_accuracy", "taffrail.geo.speed", "taffrail.geo.speed_accuracy",
            "taffrail.geo.floor", "taffrail.geo.simulated", "taffrail.geo.accessory", "taffrail.geo.climb",
            "taffrail.geo.climb_accuracy", "taffrail.geo.geoid_separation", "taffrail.geo.device",
            "taffrail.geo.satellites", "taffrail.geo.hdop", "taffrail.geo.vdop", "taffrail.geo.pdop",
            "taffrail.geo.no_time", "taffrail.geo.uptime",
        ]
        private static let texts = keys.map(\.description)

        /// Finds a name. Records contain the names in order, so that the search usually ends where it starts, at
        /// `expected`.
        static func find(_ key: UnsafeRawBufferPointer, expected: inout Int) -> Name? {
            guard let bytes = key.baseAddress else { return nil }
            for step in 0..<keys.count {
                let index = (expected + step) % keys.count
                let name = keys[index]
                if name.utf8CodeUnitCount == key.count && memcmp(name.utf8Start, bytes, key.count) == 0 {
                    expected = index + 1
                    return Name(rawValue: index)
                }
            }
            return nil
        }
    }

    /// The domain of a `geo.error` record's code.
    public static let errorDomain = "taffrail.geo.error.domain"
    /// The code of a `geo.error` record.
    public static let errorCode = "taffrail.geo.error.code"
}
