internal import Glibc

/// The inverse problem in its canonical case: φ₁ ≤ 0, |φ₂| ≤ |φ₁|, 0 ≤ λ₁₂ ≤ π.
///
/// For an azimuth α₁ at the first point the line's longitude at φ₂ is known; it increases with α₁. The azimuth that
/// yields λ₁₂ is found by Newton's method, kept within a bracket (Karney 2013, section 4).
struct InverseProblem {
    private let first: (sine: Double, cosine: Double)
    private let second: (sine: Double, cosine: Double)
    private let latitude1: Double
    private let latitude2: Double
    private let longitude: Double

    typealias Solution = (distance: Double, azimuth1: Double, azimuth2: Double)

    /// Latitudes in degrees, the difference of longitudes in radians.
    init(_ latitude1: Double, _ latitude2: Double, _ longitude: Double) {
        var reduced = Geodesic.reduced(latitude: latitude1)
        // On the equator the line is assumed to start just south of it.
        if reduced.sine == 0 { reduced.sine = -1e-300 }
        first = reduced
        second = Geodesic.reduced(latitude: latitude2)
        self.latitude1 = latitude1 * .pi / 180
        self.latitude2 = latitude2 * .pi / 180
        self.longitude = longitude
    }

    /// Returns the distance in metres and the two azimuths in radians.
    func solve() -> Solution { meridional() ?? equatorial() ?? short() ?? general() }

    /// Solves it along a meridian, over the pole for points on opposite meridians, or from the pole.
    private func meridional() -> Solution? {
        guard longitude == 0 || longitude == .pi || first.cosine < 1e-100 else { return nil }
        let geodesic = Geodesic(sinEquatorAzimuth: 0, cosEquatorAzimuth: 1)
        let distance = geodesic.distance(
            from: atan2(first.sine, cos(longitude) * first.cosine), to: atan2(second.sine, second.cosine))
        return (max(0, distance), longitude, 0)
    }

    /// Solves it along the equator, while that is the shortest line.
    private func equatorial() -> Solution? {
        guard latitude1 == 0, longitude <= (1 - Geodesic.flattening) * .pi else { return nil }
        return (Geodesic.equatorialRadius * longitude, .pi / 2, .pi / 2)
    }

    /// Solves it for lines of up to some centimetres, where the ellipsoid is flat and the general solution would lose
    /// digits.
    private func short() -> Solution? {
        let north = latitude2 - latitude1
        guard longitude < 1e-8, north < 1e-8, first.cosine > 0.01 else { return nil }
        let mean = (latitude1 + latitude2) / 2
        let w2 = 1 - Geodesic.eccentricity2 * sin(mean) * sin(mean)
        let prime = Geodesic.equatorialRadius / w2.squareRoot()
        let metresEast = prime * cos(mean) * longitude
        let metresNorth = prime * (1 - Geodesic.eccentricity2) / w2 * north
        let azimuth = atan2(metresEast, metresNorth)
        return (hypot(metresEast, metresNorth), azimuth, azimuth)
    }

    private func general() -> Solution {
        var low = 0.0
        var high = Double.pi
        var azimuth = spherical()
        for round in 0..<100 {
            let trial = Trial(self, azimuth: azimuth)
            let miss = trial.longitude - longitude
            // 10⁻¹⁵ of the earth's radius is 6 nm; smaller values are noise.
            if abs(miss) < 1e-15 { break }
            if miss > 0 { high = azimuth } else { low = azimuth }
            let step = round < 40 ? -miss / trial.slope : .nan
            let next = azimuth + step
            if step.isFinite && next > low && next < high {
                azimuth = next
                if abs(step) < 4e-16 { break }
            } else {
                azimuth = (low + high) / 2
                if high - low < 4e-16 { break }
            }
        }
        let trial = Trial(self, azimuth: azimuth)
        return (trial.geodesic.distance(from: trial.arc1, to: trial.arc2), azimuth, trial.azimuth2)
    }

    /// Returns the azimuth on the auxiliary sphere (equations 48 and 49).
    private func spherical() -> Double {
        let mean = (first.cosine + second.cosine) / 2
        let omega = longitude / (1 - Geodesic.eccentricity2 * mean * mean).squareRoot()
        let guess = atan2(
            second.cosine * sin(omega), first.cosine * second.sine - first.sine * second.cosine * cos(omega))
        return guess > 0 && guess < .pi ? guess : .pi / 2
    }

    /// The line from the first point with a given azimuth, up to the second latitude.
    private struct Trial {
        let geodesic: Geodesic
        let arc1: Double
        let arc2: Double
        let azimuth2: Double
        let longitude: Double
        /// The derivative of the longitude with respect to the azimuth (equation 46).
        let slope: Double

        init(_ problem: InverseProblem, azimuth: Double) {
            let (first, second) = (problem.first, problem.second)
            let (sin1, cos1) = (sin(azimuth), cos(azimuth))
            geodesic = Geodesic(sinBeta: first.sine, cosBeta: first.cosine, sinAzimuth: sin1, cosAzimuth: cos1)
            let sin0 = geodesic.sinEquatorAzimuth
            // Clairaut's relation, with the difference of squares in the form with the least cancellation (equation
            // 45).
            let squares =
                first.cosine < -first.sine
                ? (second.cosine - first.cosine) * (first.cosine + second.cosine)
                : (first.sine - second.sine) * (first.sine + second.sine)
            let along = cos1 * first.cosine
            let cosine2 = max(0, along * along + squares).squareRoot()
            azimuth2 = atan2(sin1 * first.cosine, cosine2)
            let (s1, c1) = (first.sine, along)
            let (s2, c2) = (second.sine, cosine2)
            arc1 = atan2(s1, c1)
            arc2 = arc1 + atan2(max(0, c1 * s2 - s1 * c2), c1 * c2 + s1 * s2)
            let (o1, o2) = (sin0 * s1, sin0 * s2)
            let sphere = atan2(max(0, c1 * o2 - o1 * c2), c1 * c2 + o1 * o2)
            longitude = sphere - geodesic.longitudeLag(from: arc1, to: arc2)
            if cosine2 == 0 {
                slope = -2 * (1 - Geodesic.eccentricity2 * first.cosine * first.cosine).squareRoot() / first.sine
            } else {
                slope = geodesic.reducedLength(from: arc1, to: arc2) / (Geodesic.equatorialRadius * cosine2)
            }
        }
    }
}
