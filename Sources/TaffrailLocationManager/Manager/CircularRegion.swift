public import TaffrailGeo

/// A circle on the earth, monitored for crossings.
public struct CircularRegion: Sendable, Hashable {
    /// A unique name.
    public var identifier: String
    /// The centre.
    public var center: Coordinate
    /// The radius in metres.
    public var radius: Double
    /// Whether to report entries. Default `true`.
    public var notifyOnEntry = true
    /// Whether to report exits. Default `true`.
    public var notifyOnExit = true

    /// Creates a region.
    public init(center: Coordinate, radius: Double, identifier: String) {
        self.center = center
        self.radius = radius
        self.identifier = identifier
    }

    /// Returns whether a coordinate is inside.
    public func contains(_ coordinate: Coordinate) -> Bool { center.distance(to: coordinate) <= radius }
}
