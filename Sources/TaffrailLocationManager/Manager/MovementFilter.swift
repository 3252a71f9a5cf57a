internal import TaffrailGeo

/// Lets a fix through when it is far enough from the last one that was.
struct MovementFilter: Sendable {
    private var last: Coordinate?

    init() {}

    /// - Parameter distance: How far, in metres; 0 or less: every fix.
    mutating func admits(_ location: Location, distance: Double) -> Bool {
        if let last, distance > 0, last.distance(to: location.coordinate) < distance { return false }
        last = location.coordinate
        return true
    }
}

/// How exact positions shall be, in CoreLocation's words; metres where they are positive.
public enum LocationAccuracy {
    /// As exact as can be, with all that helps.
    public static let bestForNavigation = -2.0
    /// As exact as can be.
    public static let best = -1.0
    /// Ten metres.
    public static let nearestTenMeters = 10.0
    /// A hundred metres.
    public static let hundredMeters = 100.0
    /// A kilometre.
    public static let kilometer = 1_000.0
    /// Three kilometres.
    public static let threeKilometers = 3_000.0
}
