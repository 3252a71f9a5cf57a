internal import TaffrailGeo

/// The units of distances and speeds for users. Altitudes are in metres in both.
public enum TrackUnits: String, Sendable, Hashable, CaseIterable {
    /// Kilometres and km/h.
    case metric
    /// Nautical miles of 1852 m, and knots.
    case nautical

    /// The length of the unit of distances, in metres.
    public var metres: Double { self == .metric ? 1_000 : NauticalUnits.mile }
    /// The name of the unit of distances.
    public var distanceName: String { self == .metric ? "km" : "nmi" }
    /// The name of the unit of speeds.
    public var speedName: String { self == .metric ? "km/h" : "kn" }
    /// Converts a speed in metres per second to the unit of speeds.
    public func speed(_ metresPerSecond: Double) -> Double { metresPerSecond * 3_600 / metres }
}
