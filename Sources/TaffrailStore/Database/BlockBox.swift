#if Store
internal import Taffrail

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

    func overlaps(_ other: BlockBox) -> Bool {
        north >= other.south && south <= other.north && east >= other.west && west <= other.east
    }
}

/// A block: the points of one device in one hour since 1970.
struct BlockKey: Hashable {
    var device: Int64
    var hour: Int64

    /// The milliseconds of an hour.
    static let length: Int64 = 3_600_000
}

extension BlockKey {
    /// Returns the block of a device's point.
    ///
    /// - Parameter time: Milliseconds since 1970.
    init(device: Int64, time: Int64) {
        self.init(device: device, hour: CivilTime.floorDivide(time, by: Self.length))
    }

    /// Returns whether a time is in its hour.
    func contains(_ time: Int64) -> Bool {
        let start = hour &* Self.length
        return time >= start && time &- start < Self.length
    }
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

    mutating func add(_ other: PointTally) {
        points += other.points
        first = min(first, other.first)
        last = max(last, other.last)
        guard let added = other.box else { return }
        if box == nil { box = added } else { box?.add(added) }
    }
}
#endif
