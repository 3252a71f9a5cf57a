internal import Glibc
package import TaffrailGeo

/// A plane that touches the earth at a point, with the radii of curvature of the WGS84 ellipsoid there.
package struct TangentPlane {
    let origin: Coordinate
    private let north: Double
    private let east: Double

    package init(_ origin: Coordinate) {
        self.origin = origin
        let latitude = origin.latitude * .pi / 180
        let sine = sin(latitude)
        let (radius, eccentricity) = (6_378_137.0, 0.006_694_379_990_141_317)
        let w = 1 - eccentricity * sine * sine
        // The radii of curvature in the meridian and in the prime vertical.
        north = radius * (1 - eccentricity) / (w * w.squareRoot()) * .pi / 180
        east = radius / w.squareRoot() * cos(latitude) * .pi / 180
    }

    /// Returns the distance east in degrees, possibly across the 180th meridian.
    @inline(__always)
    func turn(_ point: Coordinate) -> Double { Geodesy.wrapped(point.longitude - origin.longitude) }

    /// Returns the distances east and north in metres.
    @inline(__always)
    package func place(_ point: Coordinate) -> (x: Double, y: Double) {
        (turn(point) * east, (point.latitude - origin.latitude) * north)
    }
}
