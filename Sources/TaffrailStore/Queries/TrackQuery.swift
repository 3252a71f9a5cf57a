#if Store
public import Taffrail
public import TaffrailGeo

/// Which points of a store are wanted. What is `nil` does not restrict them.
public struct TrackQuery: Sendable, Hashable {
    /// Only points of this time or later.
    public var since: Timestamp?
    /// Only points before this time.
    public var until: Timestamp?
    /// Only points within this box.
    public var box: CoordinateBox?
    /// Only points of this device.
    public var device: String?
    /// Only points of this session.
    public var session: String?
    /// The most points that are returned.
    public var limit: Int?
    /// Whether the newest come first. Default `false`.
    public var isNewestFirst = false

    /// Everything, the oldest first.
    public init() {}

    /// The newest points, the newest first.
    public static func newest(_ limit: Int) -> TrackQuery {
        var query = TrackQuery()
        query.limit = limit
        query.isNewestFirst = true
        return query
    }
}

/// A part of the earth between two latitudes and two longitudes; it may lie across the 180th meridian.
public struct CoordinateBox: Sendable, Hashable {
    /// The corner with the least latitude, and the western longitude.
    public var southWest: Coordinate
    /// The corner with the greatest latitude, and the eastern longitude.
    public var northEast: Coordinate

    /// Creates a box. Where the western longitude is greater than the eastern one, it lies across the 180th meridian.
    public init(southWest: Coordinate, northEast: Coordinate) {
        self.southWest = southWest
        self.northEast = northEast
    }

    /// The boxes in units of 1e-7 degrees: two where it lies across the 180th meridian.
    var blocks: [BlockBox] {
        let (south, north) = (PointRow.degrees(southWest.latitude), PointRow.degrees(northEast.latitude))
        let (west, east) = (PointRow.degrees(southWest.longitude), PointRow.degrees(northEast.longitude))
        if west <= east { return [BlockBox(south: south, north: north, west: west, east: east)] }
        return [
            BlockBox(south: south, north: north, west: west, east: 1_800_000_000),
            BlockBox(south: south, north: north, west: -1_800_000_000, east: east),
        ]
    }
}
#endif
