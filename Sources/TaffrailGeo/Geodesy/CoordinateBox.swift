internal import Glibc

/// A part of the earth between two latitudes and two longitudes; it may cross the 180th meridian.
public struct CoordinateBox: Sendable, Hashable {
    /// The corner with the least latitude, and the western longitude.
    public var southWest: Coordinate
    /// The corner with the greatest latitude, and the eastern longitude.
    public var northEast: Coordinate

    /// Creates a box. If the western longitude is greater than the eastern one, it crosses the 180th meridian.
    public init(southWest: Coordinate, northEast: Coordinate) {
        self.southWest = southWest
        self.northEast = northEast
    }

    /// Creates the smallest box, or nearly, around a circle with a radius in metres.
    public init(around center: Coordinate, radius: Double) {
        // A degree of latitude is at least 110.5 km, and a degree of longitude at the equator 111.3 km.
        let north = radius / 110_500
        let (low, high) = (max(-90, center.latitude - north), min(90, center.latitude + north))
        let cosine = cos(max(abs(low), abs(high)) * .pi / 180)
        let east = cosine > 0 ? radius / (111_000 * cosine) : .infinity
        let isBand = !(east < 180)
        self.init(
            southWest: Coordinate(
                latitude: low, longitude: isBand ? -180 : Geodesy.wrapped(center.longitude - east)),
            northEast: Coordinate(
                latitude: high, longitude: isBand ? 180 : Geodesy.wrapped(center.longitude + east)))
    }

    /// Returns whether a place is within the box.
    public func contains(_ place: Coordinate) -> Bool {
        guard (southWest.latitude...max(southWest.latitude, northEast.latitude)).contains(place.latitude) else {
            return false
        }
        let (west, east) = (southWest.longitude, northEast.longitude)
        return west <= east
            ? place.longitude >= west && place.longitude <= east : place.longitude >= west || place.longitude <= east
    }
}
