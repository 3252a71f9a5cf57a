#if Store
/// The extent of a block's points: of one device in one hour. In units of 1e-7 degrees.
struct BlockBox: Equatable {
    var south: Int64
    var north: Int64
    var west: Int64
    var east: Int64

    init(lat: Int64, lon: Int64) { (south, north, west, east) = (lat, lat, lon, lon) }

    init(south: Int64, north: Int64, west: Int64, east: Int64) {
        (self.south, self.north, self.west, self.east) = (south, north, west, east)
    }

    mutating func add(_ other: BlockBox) {
        south = min(south, other.south)
        north = max(north, other.north)
        west = min(west, other.west)
        east = max(east, other.east)
    }
}

/// A block: the points of one device in one hour since 1970.
struct BlockKey: Hashable {
    var device: Int64
    var hour: Int64

    /// The milliseconds of an hour.
    static let length: Int64 = 3_600_000
}

/// The changes that one transaction makes to a block or a session.
struct PointTally {
    var points: Int64 = 0
    var first = Int64.max
    var last = Int64.min
    var box: BlockBox?

    mutating func add(_ key: PointKey, _ row: PointRow) {
        points += 1
        first = min(first, key.time)
        last = max(last, key.time)
        let place = BlockBox(lat: row.lat, lon: row.lon)
        if box == nil { box = place } else { box?.add(place) }
    }
}
#endif
