#if Store
public import Taffrail
public import TaffrailGeo

/// The selection of a store's points. A property that is `nil` does not restrict them.
public struct TrackQuery: Sendable, Hashable {
    /// Only points of this time or later.
    public var since: Timestamp?
    /// Only points before this time.
    public var until: Timestamp?
    /// Only points within this box.
    public var box: CoordinateBox?
    /// Only points within this place's circle.
    public var place: NamedPlace?
    /// Only points of this device.
    public var device: String?
    /// Only points of this session.
    public var session: String?
    /// Whether to include points that are excluded from trips; see ``TrackPoint/Flags/excluded``. Default `true`.
    public var includesExcluded = true
    /// The maximum number of points to return.
    public var limit: Int?
    /// Whether the newest are first. Default `false`.
    public var isNewestFirst = false

    /// Everything, the oldest first.
    public init() {}

    /// Returns a query of the newest points, the newest first.
    public static func newest(_ limit: Int) -> TrackQuery {
        var query = TrackQuery()
        query.limit = limit
        query.isNewestFirst = true
        return query
    }
}

extension CoordinateBox {
    /// The boxes in units of 1e-7 degrees: two if the box crosses the 180th meridian.
    var blocks: [BlockBox] {
        let (southWest, northEast) = (ScaledCoordinate(southWest), ScaledCoordinate(northEast))
        let (south, north, west, east) = (southWest.lat, northEast.lat, southWest.lon, northEast.lon)
        if west <= east { return [BlockBox(south: south, north: north, west: west, east: east)] }
        return [
            BlockBox(south: south, north: north, west: west, east: 1_800_000_000),
            BlockBox(south: south, north: north, west: -1_800_000_000, east: east),
        ]
    }
}
#endif
