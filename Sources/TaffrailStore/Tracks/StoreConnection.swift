#if Store
internal import GRDB

/// The connection that writes positions.
final class StoreConnection: StoreDatabase {
    /// The numbers of names, as stored in the database.
    var names = NameTable()
    /// The boxes of the blocks that were written last.
    var boxes: [Int64: BlockBox] = [:]
    /// For each device, the hour before which all closed blocks have an overview.
    var overviewed: [Int64: Int64] = [:]
    /// The number of points.
    var points: Int64 = 0
    /// The times of the first and the last point, in milliseconds since 1970.
    var oldest: Int64?
    var newest: Int64?

    /// Recounts the points.
    override func count() throws {
        try queue.inDatabase { db in
            points = try Int64.fetchOne(db, sql: "SELECT sum(points) FROM block") ?? 0
            oldest = try Int64.fetchOne(db, sql: "SELECT min(time) FROM point")
            newest = try Int64.fetchOne(db, sql: "SELECT max(time) FROM point")
        }
    }

    override func forget() {
        names = NameTable()
        boxes = [:]
        overviewed = [:]
    }
}
#endif
