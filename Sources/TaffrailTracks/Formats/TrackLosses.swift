internal import TaffrailGeo

/// The number of values of each kind that a format could not hold.
public struct TrackLosses: Sendable, Hashable {
    /// The counts, by the value's name in a recording.
    public private(set) var counts: [String: Int] = [:]

    /// Nothing lost.
    public init() {}

    /// Counts one value with a name.
    mutating func add(_ name: String) { counts[name, default: 0] += 1 }

    /// Counts a value, if there is one.
    mutating func add(_ name: String, if value: Bool) { if value { add(name) } }

    /// For example `horizontalAccuracy (120), floor (3)`; empty when nothing was lost.
    public var summary: String {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) (\($0.value))" }
            .joined(separator: ", ")
    }

    /// Counts the values of a location that are not in `kept`.
    mutating func add(_ location: Location, except kept: Set<Field>) {
        for field in Field.allCases where !kept.contains(field) { add(field.rawValue, if: field.isIn(location)) }
    }

    /// The values of a location that some formats cannot hold.
    enum Field: String, CaseIterable {
        case altitude, ellipsoidalAltitude, horizontalAccuracy, verticalAccuracy, course, courseAccuracy, speed
        case speedAccuracy, floor, sourceInformation, climb, climbAccuracy, geoidSeparation, device, satellites, hdop
        case vdop, pdop

        func isIn(_ location: Location) -> Bool {
            switch self {
            case .altitude: location.altitude != nil
            case .ellipsoidalAltitude: location.ellipsoidalAltitude != nil
            case .horizontalAccuracy: location.horizontalAccuracy != nil
            case .verticalAccuracy: location.verticalAccuracy != nil
            case .course: location.course != nil
            case .courseAccuracy: location.courseAccuracy != nil
            case .speed: location.speed != nil
            case .speedAccuracy: location.speedAccuracy != nil
            case .floor: location.floor != nil
            case .sourceInformation: location.sourceInformation != nil
            case .climb: location.extra.climb != nil
            case .climbAccuracy: location.extra.climbAccuracy != nil
            case .geoidSeparation: location.extra.geoidSeparation != nil
            case .device: location.extra.device != nil
            case .satellites: location.extra.satellites != nil
            case .hdop: location.extra.hdop != nil
            case .vdop: location.extra.vdop != nil
            case .pdop: location.extra.pdop != nil
            }
        }
    }
}
