internal import TaffrailGeo

/// Detects the positions of one receiver that have no altitude though the one before had one: `NMEAWriter` writes an
/// additional sentence for these.
struct AltitudeLossDetector {
    /// Whether the last position had an altitude.
    private var hadAltitude = false

    /// Adds a position.
    ///
    /// - Returns: Whether it loses the altitude of the one before.
    mutating func take(_ location: Location) -> Bool {
        let hasAltitude = location.altitude != nil || location.ellipsoidalAltitude != nil
        defer { hadAltitude = hasAltitude }
        return hadAltitude && !hasAltitude
    }

    /// Adds a lost fix, which has no altitude either: the next position loses none.
    mutating func takeNoFix() { hadAltitude = false }
}
