#if Store
internal import GRDB
internal import Taffrail

extension StoreConnection {
    /// The most points that one transaction deletes, unless a single hour of a device has more.
    private static let chunk: Int64 = 20_000

    /// Deletes some of the points of a range of time, the oldest first, in one transaction: a writer waits no longer than
    /// that. The results derived from the points after the start of the range are found again by the next analysis.
    ///
    /// - Parameters:
    ///   - device: Only those of this device; `nil`: of all.
    ///   - range: Milliseconds since 1970.
    /// - Returns: The number of deleted points; 0 when none are left.
    func purgeSome(of device: String?, in range: Range<Int64>) throws -> Int {
        let deleted = try transaction { db -> Int64 in
            var deleted: Int64 = 0
            for (block, part) in try Self.blocks(of: device, in: range, db) {
                let some = try Self.remove(from: block.device, in: part, db)
                guard some > 0 else { continue }
                try Self.recount(block.device, from: block.hour, to: block.hour + 1, db)
                try undoAnalysis(of: block.device, from: part.lowerBound, db)
                deleted += some
                if deleted >= Self.chunk { break }
            }
            // A session may only have points that were in the store. Where nothing is deleted, its number stays known.
            if deleted > 0 { try db.execute(sql: "DELETE FROM session WHERE points <= 0") }
            return deleted
        }
        guard deleted > 0 else { return 0 }
        forget()
        didDelete()
        try count()
        return Int(deleted)
    }

    /// Returns the hours with points that may be in a range, and the part of the range in each.
    private static func blocks(
        of device: String?, in range: Range<Int64>, _ db: Database
    ) throws -> [(block: BlockKey, range: Range<Int64>)] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT k.device, k.hour FROM block k JOIN device d ON d.id = k.device
                WHERE k.first < ? AND k.last >= ? AND (? IS NULL OR d.name = ?) ORDER BY k.hour, k.device
                """, arguments: [range.upperBound, range.lowerBound, device, device])
        return rows.map { row in
            let (number, hour): (Int64, Int64) = (row[0], row[1])
            let start = hour &* BlockKey.length
            let key = BlockKey(device: number, time: start)
            return (key, max(range.lowerBound, start)..<min(range.upperBound, start &+ BlockKey.length))
        }
    }

    /// Deletes the points of a device in a range, and subtracts them from their sessions.
    private static func remove(from device: Int64, in range: Range<Int64>, _ db: Database) throws -> Int64 {
        let (lower, upper) = (range.lowerBound, range.upperBound)
        let sessions = try Row.fetchAll(
            db,
            sql: """
                SELECT session, count(*) FROM point WHERE time >= ? AND time < ? AND device = ? GROUP BY session
                """, arguments: [lower, upper, device])
        guard !sessions.isEmpty else { return 0 }
        try db.execute(
            sql: "DELETE FROM point WHERE time >= ? AND time < ? AND device = ?", arguments: [lower, upper, device])
        let deleted = Int64(db.changesCount)
        for row in sessions {
            let (session, count): (Int64, Int64) = (row[0], row[1])
            // The points next to the range, if one of its ends was that of the session.
            try db.execute(
                sql: """
                    UPDATE session SET points = points - ?,
                        first = CASE WHEN first >= ? AND first < ? THEN ifnull((SELECT time FROM point
                            WHERE time >= ? AND time <= last AND session = session.id ORDER BY time LIMIT 1), last)
                            ELSE first END,
                        last = CASE WHEN last >= ? AND last < ? THEN ifnull((SELECT time FROM point
                            WHERE time < ? AND time >= first AND session = session.id ORDER BY time DESC LIMIT 1), first)
                            ELSE last END
                    WHERE id = ?
                    """, arguments: [count, lower, upper, upper, lower, upper, lower, session])
        }
        return deleted
    }
}
#endif
