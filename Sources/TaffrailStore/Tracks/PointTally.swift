#if Store
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
        let point = BlockBox(lat: row.lat, lon: row.lon)
        if box == nil { box = point } else { box?.add(point) }
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
