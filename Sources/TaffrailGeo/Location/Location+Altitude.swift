extension Location {
    /// Whether one of the altitudes is known.
    package var hasAltitude: Bool { altitude != nil || ellipsoidalAltitude != nil }

    /// The height of mean sea level above the ellipsoid at the position, if known or computable.
    package var separation: Double? {
        if let separation = extra.geoidSeparation { return separation }
        guard let altitude, let ellipsoidalAltitude else { return nil }
        return Self.millimetres(ellipsoidalAltitude - altitude)
    }

    /// The height above mean sea level, if known or computable.
    package var meanSeaLevelAltitude: Double? {
        if let altitude { return altitude }
        guard let ellipsoidalAltitude, let separation = extra.geoidSeparation else { return nil }
        return Self.millimetres(ellipsoidalAltitude - separation)
    }

    /// The height above the ellipsoid, if known or computable.
    package var heightAboveEllipsoid: Double? {
        if let ellipsoidalAltitude { return ellipsoidalAltitude }
        guard let altitude, let separation = extra.geoidSeparation else { return nil }
        return Self.millimetres(altitude + separation)
    }

    /// Rounds to millimetres, the precision of receivers: the difference of two decimals is not exact in binary.
    private static func millimetres(_ metres: Double) -> Double { (metres * 1_000).rounded() / 1_000 }
}
