internal import TaffrailGeo

/// Passes a fix if it is far enough from the last one that passed.
struct MovementFilter: Sendable {
    private var last: Coordinate?

    init() {}

    /// - Parameter distance: The minimum distance in metres; 0 or less: every fix passes.
    mutating func admits(_ location: Location, distance: Double) -> Bool {
        if let last, distance > 0, last.distance(to: location.coordinate) < distance { return false }
        last = location.coordinate
        return true
    }
}

/// Accuracies in CoreLocation's terms; positive values are metres.
public enum LocationAccuracy {
    /// The best possible, with additional sensors.
    public static let bestForNavigation = -2.0
    /// The best possible.
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
