internal import Glibc
internal import TaffrailText

/// The values of a location, in the order of a record's attributes. Decision note 0001 lists their units.
///
/// Records contain all of them, recordings all but the uptime, GeoJSON and tables all but those of ``Part/receipt``:
/// instead of an unknown time, GeoJSON has `hasNoTime`, and a table an empty field. These formats use this list,
/// ``Location/forEachField(_:)`` and ``Location/set(_:_:)``; the others have their own names and units.
@usableFromInline
package enum LocationField: Int, CaseIterable, Sendable {
    case latitude, longitude, time
    case altitude, ellipsoidalAltitude, horizontalAccuracy, verticalAccuracy, course, courseAccuracy, speed
    case speedAccuracy, floor
    case isSimulatedBySoftware, isProducedByAccessory
    case climb, climbAccuracy, geoidSeparation, device, satellites, hdop, vdop, pdop
    case hasNoTime, uptime

    /// The name in a record, and the name in recordings and GeoJSON with the punctuation of a further member.
    @inlinable
    package var names: (attribute: StaticString, member: StaticString) {
        switch self {
        case .latitude: ("geo.location.lat", #","latitude":"#)
        case .longitude: ("geo.location.lon", #","longitude":"#)
        case .time: ("taffrail.geo.time", #","time":"#)
        case .altitude: ("taffrail.geo.altitude", #","altitude":"#)
        case .ellipsoidalAltitude: ("taffrail.geo.ellipsoidal_altitude", #","ellipsoidalAltitude":"#)
        case .horizontalAccuracy: ("taffrail.geo.horizontal_accuracy", #","horizontalAccuracy":"#)
        case .verticalAccuracy: ("taffrail.geo.vertical_accuracy", #","verticalAccuracy":"#)
        case .course: ("taffrail.geo.course", #","course":"#)
        case .courseAccuracy: ("taffrail.geo.course_accuracy", #","courseAccuracy":"#)
        case .speed: ("taffrail.geo.speed", #","speed":"#)
        case .speedAccuracy: ("taffrail.geo.speed_accuracy", #","speedAccuracy":"#)
        case .floor: ("taffrail.geo.floor", #","floor":"#)
        case .isSimulatedBySoftware: ("taffrail.geo.simulated", #","isSimulatedBySoftware":"#)
        case .isProducedByAccessory: ("taffrail.geo.accessory", #","isProducedByAccessory":"#)
        case .climb: ("taffrail.geo.climb", #","climb":"#)
        case .climbAccuracy: ("taffrail.geo.climb_accuracy", #","climbAccuracy":"#)
        case .geoidSeparation: ("taffrail.geo.geoid_separation", #","geoidSeparation":"#)
        case .device: ("taffrail.geo.device", #","device":"#)
        case .satellites: ("taffrail.geo.satellites", #","satellites":"#)
        case .hdop: ("taffrail.geo.hdop", #","hdop":"#)
        case .vdop: ("taffrail.geo.vdop", #","vdop":"#)
        case .pdop: ("taffrail.geo.pdop", #","pdop":"#)
        case .hasNoTime: ("taffrail.geo.no_time", #","hasNoTime":"#)
        case .uptime: ("taffrail.geo.uptime", #","uptime":"#)
        }
    }

    /// The parts of a location that formats contain in different places.
    @usableFromInline
    package enum Part: Sendable {
        /// The coordinate and the time.
        case fix
        /// The height above the ellipsoid.
        case ellipsoid
        /// The other values of ``Location`` itself.
        case motion
        /// ``Location/SourceInformation``.
        case source
        /// The values of a receiver in ``Location/Extra``.
        case receiver
        /// Whether the location's time is that of receipt, and the time of receipt by the monotonic clock.
        case receipt
    }

    /// The part of the value.
    @inlinable
    package var part: Part {
        switch self {
        case .latitude, .longitude, .time: .fix
        case .ellipsoidalAltitude: .ellipsoid
        case .isSimulatedBySoftware, .isProducedByAccessory: .source
        case .climb, .climbAccuracy, .geoidSeparation, .device, .satellites, .hdop, .vdop, .pdop: .receiver
        case .hasNoTime, .uptime: .receipt
        default: .motion
        }
    }

    /// The name in a record, as a string.
    package var attribute: String { Self.attributes[rawValue] }

    private static let attributes = allCases.map { "\($0.names.attribute)" }

    /// The name in a recording, as a string.
    package var member: String { Self.members[rawValue] }

    private static let members = allCases.map { field in
        // Without the comma, the quotes and the colon.
        String("\(field.names.member)".dropFirst(2).dropLast(2))
    }

    /// Finds a value by its name in a record.
    static func find(attribute name: UnsafeRawBufferPointer, expected: inout Int) -> LocationField? {
        guard let bytes = name.baseAddress else { return nil }
        return find(&expected) { field in
            let key = field.names.attribute
            return key.utf8CodeUnitCount == name.count && memcmp(key.utf8Start, bytes, name.count) == 0
        }
    }

    /// Finds a value by its name in a recording.
    static func find(member name: UnsafeRawBufferPointer, expected: inout Int) -> LocationField? {
        guard let bytes = name.baseAddress else { return nil }
        return find(&expected) { field in
            // Also with a comma, two quotes and a colon.
            let key = field.names.member
            return key.utf8CodeUnitCount == name.count + 4 && memcmp(key.utf8Start + 2, bytes, name.count) == 0
        }
    }

    /// Names are in order, so that the search usually ends where it starts, at `expected`.
    @inline(__always)
    private static func find(_ expected: inout Int, where isFound: (LocationField) -> Bool) -> LocationField? {
        for step in 0..<allCases.count {
            let field = allCases[(expected + step) % allCases.count]
            if isFound(field) {
                expected = field.rawValue + 1
                return field
            }
        }
        return nil
    }
}
