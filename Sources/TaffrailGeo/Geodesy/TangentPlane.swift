internal import Glibc

/// A plane that touches the earth at a point, with the radii of curvature of the WGS84 ellipsoid there.
@usableFromInline
package struct TangentPlane {
    @usableFromInline package let origin: Coordinate
    @usableFromInline let north: Double
    @usableFromInline let east: Double

    package init(_ origin: Coordinate) {
        self.origin = origin
        let latitude = origin.latitude * .pi / 180
        let sine = sin(latitude)
        let w = 1 - Geodesic.eccentricity2 * sine * sine
        // The radii of curvature in the meridian and in the prime vertical.
        north = Geodesic.equatorialRadius * (1 - Geodesic.eccentricity2) / (w * w.squareRoot()) * .pi / 180
        east = Geodesic.equatorialRadius / w.squareRoot() * cos(latitude) * .pi / 180
    }

    /// Returns the distance east in degrees, possibly across the 180th meridian.
    @inlinable
    @inline(__always)
    package func turn(_ point: Coordinate) -> Double { Geodesy.wrapped(point.longitude - origin.longitude) }

    /// Returns the distances east and north in metres.
    @inlinable
    @inline(__always)
    package func place(_ point: Coordinate) -> (x: Double, y: Double) {
        (turn(point) * east, (point.latitude - origin.latitude) * north)
    }
}
