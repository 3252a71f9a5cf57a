#if Store
internal import GRDB

/// The extent of the points of a block, in units of 1e-7 degrees.
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

    /// Stores the extent of a block with a number.
    func store(of id: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO block_box(id, south, north, west, east) VALUES(?, ?, ?, ?, ?)"
        ).execute(arguments: [id, south, north, west, east])
    }
}
#endif
