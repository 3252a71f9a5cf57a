/// A place around which positions are hidden, such as a home.
public struct PrivacyZone: Sendable, Hashable {
    /// The action for a position inside.
    public enum Action: String, Sendable, Hashable, CaseIterable, Decodable {
        /// Drop it.
        case drop
        /// Replace it by the zone's shifted centre, with the radius as its accuracy and without speed and course.
        case coarsen
    }

    /// The centre.
    public var center: Coordinate
    /// The radius in metres. From 1.
    public var radius: Double
    /// The action for a position inside.
    public var action: Action

    /// Creates a zone.
    public init(center: Coordinate, radius: Double, action: Action = .drop) {
        self.center = center
        self.radius = radius
        self.action = action
    }
}
