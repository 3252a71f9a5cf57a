internal import TaffrailGeo

/// Passes a fix if it is far enough from the last one that passed.
struct MovementFilter: Sendable {
    private var last: Coordinate?

    init() {}

    /// Returns whether a fix is far enough from the last one that passed, and stores it if so.
    ///
    /// - Parameter distance: The minimum distance in metres; 0 or less: every fix passes.
    mutating func admits(_ location: Location, distance: Double) -> Bool {
        if let last, distance > 0, last.distance(to: location.coordinate) < distance { return false }
        last = location.coordinate
        return true
    }
}
