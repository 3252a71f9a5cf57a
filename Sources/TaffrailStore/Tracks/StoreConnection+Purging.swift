#if Store
internal import GRDB
internal import Taffrail

extension StoreConnection {
    /// The most points that one transaction deletes, unless a single hour has more.
    private static let chunk: Int64 = 20_000

    /// Deletes some of the points before a time, the oldest first, in one transaction: a writer waits no longer than that.
    ///
    /// - Parameter cutoff: Milliseconds since 1970.
    /// - Returns: The number of deleted points; 0 when none are left.
    func purgeSome(before cutoff: Int64) throws -> Int {
        let deleted = try transaction { db in
            guard let upper = try Self.end(ofChunkBefore: cutoff, db) else { return 0 }
            let sessions = try Row.fetchAll(
                db, sql: "SELECT session, count(*) FROM point WHERE time < ? GROUP BY session", arguments: [upper])
            try db.execute(sql: "DELETE FROM point WHERE time < ?", arguments: [upper])
            let deleted = db.changesCount
            for row in sessions {
                let (session, count): (Int64, Int64) = (row[0], row[1])
                try db.execute(
                    sql: """
                        UPDATE session SET points = points - ?, first = ifnull((SELECT time FROM point
                            WHERE time >= ? AND session = ? ORDER BY time LIMIT 1), last) WHERE id = ?
                        """, arguments: [count, upper, session, session])
            }
            // As in `purgeSome(of:in:)`.
            if deleted > 0 { try db.execute(sql: "DELETE FROM session WHERE points <= 0") }
            try Self.trimBlocks(before: upper, db)
            try AnalysisMark.forget(before: upper, db)
            return deleted
        }
        guard deleted > 0 else { return 0 }
        forget()
        didDelete()
        try count()
        return deleted
    }

    /// Returns the time up to which the next points are deleted; `nil` if there are none.
    private static func end(ofChunkBefore cutoff: Int64, _ db: Database) throws -> Int64? {
        var end: Int64?
        var points: Int64 = 0
        for row in try Row.fetchAll(
            db,
            sql: "SELECT hour, sum(points) FROM block WHERE first < ? GROUP BY hour ORDER BY hour LIMIT 1000",
            arguments: [cutoff])
        {
            let (hour, count): (Int64, Int64) = (row[0], row[1])
            if end != nil && points + count > chunk { break }
            points += count
            end = min(cutoff, (hour &+ 1) &* BlockKey.length)
        }
        return end
    }

    /// Deletes the blocks before a time, and recounts the one that contains it.
    private static func trimBlocks(before time: Int64, _ db: Database) throws {
        let hour = CivilTime.floorDivide(time, by: BlockKey.length)
        try db.execute(
            sql: "DELETE FROM block_box WHERE id IN (SELECT id FROM block WHERE hour < ?)", arguments: [hour])
        try db.execute(
            sql: "DELETE FROM overview WHERE block IN (SELECT id FROM block WHERE hour < ? OR hour = ? AND first < ?)",
            arguments: [hour, hour, time])
        try db.execute(sql: "DELETE FROM block WHERE hour < ?", arguments: [hour])
        for row in try Row.fetchAll(
            db,
            sql: """
                SELECT k.id, count(p.time), min(p.time), max(p.time), min(p.lat), max(p.lat), min(p.lon), max(p.lon)
                FROM block k LEFT JOIN point p ON p.device = k.device AND p.time >= ? AND p.time < ?
                WHERE k.hour = ? AND k.first < ? GROUP BY k.id
                """, arguments: [time, (hour &+ 1) &* BlockKey.length, hour, time])
        {
            let (id, points): (Int64, Int64) = (row[0], row[1])
            guard points > 0 else {
                try db.execute(sql: "DELETE FROM block_box WHERE id = ?", arguments: [id])
                try db.execute(sql: "DELETE FROM block WHERE id = ?", arguments: [id])
                continue
            }
            try storeCount(row, db)
        }
    }

    /// Deletes all points, with the names of devices, sources and sessions. The positions of queues stay: deleted
    /// points are not stored again.
    ///
    /// - Returns: The number of deleted points.
    func deleteAll() throws -> Int {
        try count()
        let deleted = points
        try transaction { db in
            for table in [
                "point", "block", "block_box", "overview", "session", "source", "device", "visit", "trip", "analysis",
            ] {
                try db.execute(sql: "DELETE FROM \(table)")
            }
            // The numbers of devices are reused.
            try db.execute(sql: "DELETE FROM meta WHERE key LIKE 'thinned:%'")
        }
        forget()
        didDelete()
        try count()
        return Int(clamping: deleted)
    }

    /// Rebuilds the extents: an R*Tree keeps those of deleted points in its nodes.
    func rebuildBoxes() throws {
        try transaction { db in
            let boxes = try Row.fetchAll(db, sql: "SELECT id, south, north, west, east FROM block_box")
            try db.execute(sql: "DROP TABLE block_box")
            try db.execute(sql: StoreSchema.boxes)
            for row in boxes {
                try db.cachedStatement(sql: "INSERT INTO block_box(id, south, north, west, east) VALUES(?, ?, ?, ?, ?)")
                    .execute(arguments: [
                        row[0] as Int64, row[1] as Int64, row[2] as Int64, row[3] as Int64, row[4] as Int64,
                    ])
            }
        }
    }
}
#endif
