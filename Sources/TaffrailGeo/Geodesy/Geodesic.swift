internal import Glibc

/// A geodesic on the WGS84 ellipsoid, parametrized from its northward crossing of the equator.
///
/// Notation and formulas of C. F. F. Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013): β is the reduced
/// latitude, σ the arc and ω the longitude on the auxiliary sphere, α₀ the azimuth at the equator. The integrals are
/// computed numerically instead of by series, which avoids tables of coefficients.
struct Geodesic {
    /// The WGS84 ellipsoid's equatorial radius in metres and its flattening.
    static let equatorialRadius = 6_378_137.0
    static let flattening = 1 / 298.257223563
    static let polarRadius = equatorialRadius * (1 - flattening)
    /// The squared first eccentricity.
    static let eccentricity2 = flattening * (2 - flattening)
    /// The squared second eccentricity.
    static let secondEccentricity2 = eccentricity2 / ((1 - flattening) * (1 - flattening))

    let sinEquatorAzimuth: Double
    let cosEquatorAzimuth: Double
    /// k² = e'² cos² α₀ (equation 9).
    let k2: Double

    init(sinEquatorAzimuth: Double, cosEquatorAzimuth: Double) {
        self.sinEquatorAzimuth = sinEquatorAzimuth
        self.cosEquatorAzimuth = cosEquatorAzimuth
        k2 = Self.secondEccentricity2 * cosEquatorAzimuth * cosEquatorAzimuth
    }

    /// The geodesic through a reduced latitude with a given azimuth (equation 10).
    init(sinBeta: Double, cosBeta: Double, sinAzimuth: Double, cosAzimuth: Double) {
        self.init(
            sinEquatorAzimuth: sinAzimuth * cosBeta,
            cosEquatorAzimuth: hypot(cosAzimuth, sinAzimuth * sinBeta))
    }

    /// Returns the distance in metres between two arcs (equation 7).
    func distance(from start: Double, to end: Double) -> Double {
        Self.polarRadius
            * Quadrature.suited(to: end - start).integrate(from: start, to: end) { sigma in
                let sine = sin(sigma)
                return (1 + k2 * sine * sine).squareRoot()
            }
    }

    /// Returns the difference between the longitudes on the ellipsoid and on the sphere between two arcs (equation 8).
    func longitudeLag(from start: Double, to end: Double) -> Double {
        let f = Self.flattening
        return f * sinEquatorAzimuth
            * Quadrature.suited(to: end - start).integrate(from: start, to: end) { sigma in
                let sine = sin(sigma)
                return (2 - f) / (1 + (1 - f) * (1 + k2 * sine * sine).squareRoot())
            }
    }

    /// Returns the reduced length m₁₂ in metres between two arcs (equations 38 to 40): the distance between two
    /// geodesics that start with azimuths a radian apart.
    func reducedLength(from start: Double, to end: Double) -> Double {
        let (s1, c1, s2, c2) = (sin(start), cos(start), sin(end), cos(end))
        let difference = Quadrature.suited(to: end - start).integrate(from: start, to: end) { sigma in
            let square = sin(sigma) * sin(sigma)
            return k2 * square / (1 + k2 * square).squareRoot()
        }
        return Self.polarRadius
            * ((1 + k2 * s2 * s2).squareRoot() * c1 * s2 - (1 + k2 * s1 * s1).squareRoot() * s1 * c2
                - c1 * c2 * difference)
    }

    /// Returns the arc `distance` metres after `start`, by Newton's method on equation 7.
    func arc(from start: Double, distance: Double) -> Double {
        let mean = Self.polarRadius * (1 + k2 / 4)
        var end = start + distance / mean
        for _ in 0..<6 {
            let sine = sin(end)
            let step =
                (self.distance(from: start, to: end) - distance)
                / (Self.polarRadius * (1 + k2 * sine * sine).squareRoot())
            end -= step
            if abs(step) < 1e-15 { break }
        }
        return end
    }

    /// Returns the sine and cosine of the reduced latitude of a geographic one in degrees; never that of a pole
    /// exactly, where azimuths would be undefined.
    static func reduced(latitude degrees: Double) -> (sine: Double, cosine: Double) {
        let radians = degrees * .pi / 180
        let sine = (1 - flattening) * sin(radians)
        let cosine = max(cos(radians), 1e-150)
        let length = hypot(sine, cosine)
        return (sine / length, cosine / length)
    }
}
