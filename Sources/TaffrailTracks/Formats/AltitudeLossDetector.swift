internal import TaffrailGeo

/// Detects positions without an altitude after a position of the same receiver with one: `NMEAWriter` writes an
/// additional sentence for these.
struct AltitudeLossDetector {
    /// Whether the last position had an altitude.
    private var hadAltitude = false

    /// Adds a position.
    ///
    /// - Returns: Whether the previous position had an altitude and this one has none.
    mutating func take(_ location: Location) -> Bool {
        defer { hadAltitude = location.hasAltitude }
        return hadAltitude && !location.hasAltitude
    }

    /// Adds a lost fix, which counts as a position without an altitude.
    mutating func takeNoFix() { hadAltitude = false }
}
