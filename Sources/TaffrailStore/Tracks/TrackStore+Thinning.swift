#if Store
internal import GRDB
public import Taffrail
internal import TaffrailGeo
internal import TaffrailTracks

extension TrackStore {
    /// Deletes points of old days that lie within a tolerance of the line between the remaining points, see
    /// `TrackSimplification`. A day (UTC) of a device is one transaction, and is thinned once: the track never moves
    /// by more than the tolerance, however often this is called.
    ///
    /// - Parameters:
    ///   - time: Only days before the day of this time.
    ///   - tolerance: The tolerance in metres.
    ///   - isCancelled: Called after each transaction; days thinned by then stay thinned. Default: never.
    /// - Returns: The number of deleted points.
    @discardableResult
    public func thin(
        before time: Timestamp, tolerance: Double, isCancelled: () -> Bool = { false }
    ) throws(StoreError) -> Int {
        guard FileName.exists(path), tolerance > 0 else { return 0 }
        let end = CivilTime.floorDivide(time.nanoseconds, by: CivilTime.dayLength)
        var deleted = 0
        let devices = try withConnection { connection in
            try connection.queue.inDatabase {
                try Int64.fetchAll($0, sql: "SELECT DISTINCT device FROM block ORDER BY 1")
            }
        }
        for device in devices {
            while !isCancelled() {
                guard let some = try withConnection({ try $0.thinDay(of: device, before: end, tolerance) }) else {
                    break
                }
                deleted += some
            }
        }
        if deleted > 0 { try erase(isCancelled: isCancelled) }
        return deleted
    }
}

extension StoreConnection {
    /// The pause after which a new track begins, in milliseconds.
    private static let pause: Int64 = 300_000

    /// Thins the first day of a device that has not been thinned yet.
    ///
    /// - Parameter end: Only days before the day of this number.
    /// - Returns: The number of deleted points; `nil` if there is no such day.
    fileprivate func thinDay(of device: Int64, before end: Int64, _ tolerance: Double) throws -> Int? {
        let hours: Int64 = 24
        let deleted = try transaction { db -> Int? in
            let key = "thinned:\(device)"
            let thinned = try db.meta(key)
            let next = try Int64.fetchOne(
                db, sql: "SELECT min(hour) FROM block WHERE device = ? AND hour >= ? AND hour < ?",
                arguments: [device, (thinned ?? Int64.min / (hours * BlockKey.length)) * hours, end * hours])
            guard let next else { return nil }
            let day = CivilTime.floorDivide(next, by: hours)
            let deleted = try Self.thin(device, from: day * hours, to: (day + 1) * hours, tolerance, db)
            try db.setMeta(key, day + 1)
            return deleted
        }
        guard let deleted else { return nil }
        boxes = [:]
        overviewed[device] = nil
        didDelete()
        points -= Int64(deleted)
        return deleted
    }

    private static func thin(
        _ device: Int64, from first: Int64, to last: Int64, _ tolerance: Double, _ db: Database
    ) throws -> Int {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT time, hash, lat, lon, session FROM point WHERE time >= ? AND time < ? AND device = ? ORDER BY time, hash
                """, arguments: [first * BlockKey.length, last * BlockKey.length, device])
        var deleted: [Int64: Int64] = [:]
        var start = 0
        for end in 1...max(1, rows.count) where end <= rows.count {
            // A new session and a pause end a piece, whose first and last points are kept.
            let isEnd =
                end == rows.count || (rows[end][4] as Int64) != rows[start][4]
                || (rows[end][0] as Int64) - rows[end - 1][0] > pause
            guard isEnd else { continue }
            let piece = rows[start..<end]
            let coordinates = piece.map {
                Coordinate(latitude: Double($0[2] as Int64) / 1e7, longitude: Double($0[3] as Int64) / 1e7)
            }
            var kept = TrackSimplification.indices(coordinates, tolerance: tolerance)[...]
            for (index, row) in piece.enumerated() {
                guard kept.first != index else {
                    kept.removeFirst()
                    continue
                }
                try db.cachedStatement(sql: "DELETE FROM point WHERE time = ? AND hash = ?").execute(
                    arguments: [row[0] as Int64, row[1] as Int64])
                deleted[row[4], default: 0] += 1
            }
            start = end
        }
        for (session, count) in deleted {
            try db.execute(sql: "UPDATE session SET points = points - ? WHERE id = ?", arguments: [count, session])
        }
        try recount(device, from: first, to: last, db)
        return Int(deleted.values.reduce(0, +))
    }

    /// Stores the number of a block's points, the first and the last time, and the extent.
    static func storeCount(_ row: Row, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE block SET points = ?, first = ?, last = ? WHERE id = ?",
            arguments: [row[1] as Int64, row[2] as Int64, row[3] as Int64, row[0] as Int64])
        try BlockBox(south: row[4], north: row[5], west: row[6], east: row[7]).store(of: row[0], db)
    }

    /// Recounts the blocks of a device after points of some hours were deleted.
    static func recount(_ device: Int64, from first: Int64, to last: Int64, _ db: Database) throws {
        for row in try Row.fetchAll(
            db,
            sql: """
                SELECT k.id, count(p.time), min(p.time), max(p.time), min(p.lat), max(p.lat), min(p.lon), max(p.lon)
                FROM block k JOIN point p ON p.device = k.device AND p.time >= k.hour * ? AND p.time < (k.hour + 1) * ?
                WHERE k.device = ? AND k.hour >= ? AND k.hour < ? GROUP BY k.id
                """, arguments: [BlockKey.length, BlockKey.length, device, first, last])
        {
            try storeCount(row, db)
        }
        try db.execute(
            sql:
                "DELETE FROM overview WHERE block IN (SELECT id FROM block WHERE device = ? AND hour >= ? AND hour < ?)",
            arguments: [device, first, last])
        // No points of this hour remain.
        try db.execute(
            sql: """
                DELETE FROM block WHERE device = ? AND hour >= ? AND hour < ? AND NOT EXISTS (SELECT 1 FROM point p
                    WHERE p.device = block.device AND p.time >= block.hour * ? AND p.time < (block.hour + 1) * ?)
                """, arguments: [device, first, last, BlockKey.length, BlockKey.length])
        try db.execute(sql: "DELETE FROM block_box WHERE id NOT IN (SELECT id FROM block)")
    }
}
#endif
