internal import TaffrailGeo

/// The number of values of each kind that a format could not hold.
public struct TrackLosses: Sendable, Hashable {
    /// The counts, by the value's name in a recording.
    public private(set) var counts: [String: Int] = [:]

    /// Nothing lost.
    public init() {}

    /// Counts one value with a name.
    mutating func add(_ name: String) { counts[name, default: 0] += 1 }

    /// For example `horizontalAccuracy (120), floor (3)`; empty when nothing was lost.
    public var summary: String {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) (\($0.value))" }
            .joined(separator: ", ")
    }

    /// Counts the values of a location that are not in `kept`.
    mutating func add(_ location: Location, except kept: [LocationField]) {
        location.forEachField { field, _ in
            if let name = Self.name(of: field), !kept.contains(field) { add(name) }
        }
    }

    /// Returns the name under which a value is counted; `nil` for one that every format contains, and for the second
    /// one of the source.
    static func name(of field: LocationField) -> String? {
        switch field.part {
        case .fix, .receipt: nil
        case .source: field == .isSimulatedBySoftware ? "sourceInformation" : nil
        case .ellipsoid, .motion, .receiver: field.member
        }
    }
}
