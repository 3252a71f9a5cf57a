internal import Glibc

/// Distances and directions on the WGS84 ellipsoid, accurate to much less than a millimetre everywhere, even between
/// nearly antipodal points.
public enum Geodesy {
    /// The shortest line between two points.
    public struct Line: Sendable, Hashable {
        /// Its length in metres.
        public var distance: Double
        /// Its azimuth at the start, in degrees clockwise from true north, 0..<360.
        public var initialBearing: Double
        /// Its forward azimuth at the end, in degrees clockwise from true north, 0..<360.
        public var finalBearing: Double
    }

    /// Returns the same longitude, or difference of longitudes, in −180 to 180 degrees. Values in that range are
    /// unchanged.
    ///
    /// - Parameter turn: The number of units in 360 degrees.
    @inlinable
    package static func wrapped(_ longitude: Double, turn: Double = 360) -> Double {
        abs(longitude) <= turn / 2 ? longitude : longitude.remainder(dividingBy: turn)
    }

    /// Returns the distance between two points in metres; NaN for coordinates out of range.
    public static func distance(_ start: Coordinate, _ end: Coordinate) -> Double {
        line(from: start, to: end).distance
    }

    /// Returns the azimuth of the shortest line at `start`, in degrees clockwise from true north, 0..<360.
    public static func bearing(from start: Coordinate, to end: Coordinate) -> Double {
        line(from: start, to: end).initialBearing
    }

    /// Returns the shortest line between two points (the inverse problem), by C. F. F. Karney, "Algorithms for
    /// geodesics" (2013), with bisection when Newton's method leaves its bracket.
    public static func line(from start: Coordinate, to end: Coordinate) -> Line {
        guard start.isValid, end.isValid else { return Line(distance: .nan, initialBearing: .nan, finalBearing: .nan) }
        var east = remainder(end.longitude - start.longitude, 360)
        let isWestward = east < 0
        east = abs(east)
        // The canonical case: the first point is south of the equator and at least as far from it as the second.
        let isSwapped = abs(start.latitude) < abs(end.latitude)
        var (latitude1, latitude2) =
            isSwapped ? (end.latitude, start.latitude) : (start.latitude, end.latitude)
        let isMirrored = latitude1 > 0
        if isMirrored { (latitude1, latitude2) = (-latitude1, -latitude2) }
        let (distance, azimuth1, azimuth2) = InverseProblem(latitude1, latitude2, east * .pi / 180).solve()
        var (first, second) = isSwapped ? (azimuth2, azimuth1) : (azimuth1, azimuth2)
        // Reversing and mirroring the line each exchange north and south.
        if isSwapped != isMirrored { (first, second) = (.pi - first, .pi - second) }
        if isWestward { (first, second) = (-first, -second) }
        return Line(distance: distance, initialBearing: degrees(first), finalBearing: degrees(second))
    }

    /// Returns the destination of a line given by start, azimuth and distance (the direct problem), by the algorithms
    /// of ``line(from:to:)``.
    ///
    /// - Parameters:
    ///   - start: The start of the line.
    ///   - bearing: Degrees clockwise from true north.
    ///   - distance: Metres; negative for the opposite direction.
    public static func destination(from start: Coordinate, bearing: Double, distance: Double) -> Coordinate {
        guard start.isValid, bearing.isFinite, distance.isFinite else {
            return Coordinate(latitude: .nan, longitude: .nan)
        }
        let azimuth = remainder(bearing, 360) * .pi / 180
        let (sinAzimuth, cosAzimuth) = (sin(azimuth), cos(azimuth))
        let beta = Geodesic.reduced(latitude: start.latitude)
        let geodesic = Geodesic(
            sinBeta: beta.sine, cosBeta: beta.cosine, sinAzimuth: sinAzimuth, cosAzimuth: cosAzimuth)
        let (sin0, cos0) = (geodesic.sinEquatorAzimuth, geodesic.cosEquatorAzimuth)
        let arc1 = atan2(beta.sine, cosAzimuth * beta.cosine)
        let arc2 = geodesic.arc(from: arc1, distance: distance)
        let sinBeta2 = cos0 * sin(arc2)
        let cosBeta2 = hypot(cos0 * cos(arc2), sin0)
        // Longitudes on the sphere, continuous over whole turns like the arc.
        let turn = arc2 - arc1
        let sphere1 = atan2(sin0 * beta.sine, cosAzimuth * beta.cosine)
        let sphere2 = atan2(sin0 * sin(arc2), cos(arc2))
        let sphere = remainder(sphere2 - sphere1 - (sin0 < 0 ? -turn : turn), 2 * .pi) + (sin0 < 0 ? -turn : turn)
        let east = (sphere - geodesic.longitudeLag(from: arc1, to: arc2)) * 180 / .pi
        let latitude = atan2(sinBeta2, (1 - Geodesic.flattening) * cosBeta2) * 180 / .pi
        let longitude = remainder(start.longitude + remainder(east, 360), 360)
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private static func degrees(_ radians: Double) -> Double {
        let turned = remainder(radians * 180 / .pi, 360)
        return turned < 0 ? turned + 360 : turned + 0
    }
}
