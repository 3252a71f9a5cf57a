internal import TaffrailGeo

/// A pending call of ``LocationManager/requestLocation()``.
struct LocationRequest: Sendable {
    let number: Int
    var best: Location?

    /// Returns the fix to report, if this one ends the wait.
    mutating func take(_ location: Location, desired: Double) -> Location? {
        guard let accuracy = location.horizontalAccuracy, accuracy > (desired > 0 ? desired : 10) else {
            return location
        }
        if accuracy < best?.horizontalAccuracy ?? .infinity { best = location }
        return nil
    }
}
