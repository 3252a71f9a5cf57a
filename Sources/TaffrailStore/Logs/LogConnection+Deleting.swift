#if Store
internal import GRDB
internal import Taffrail

extension LogConnection {
    /// Deletes records by their keys in one transaction.
    ///
    /// - Returns: The number of deleted records.
    func delete(_ ids: [Int64]) throws -> Int {
        var open = openHour
        let deleted = try transaction { db in
            var deletion = try LogDeletion(db)
            for id in ids.sorted() { try deletion.delete(id) }
            try deletion.finish(open: &open)
            return deletion.count
        }
        openHour = open
        if deleted > 0 {
            didDelete()
            records -= Int64(deleted)
            try findEnds()
        }
        return deleted
    }

    /// Returns the keys of the earliest arrivals before a time.
    func ids(arrivedBefore cutoff: Int64, _ limit: Int) throws -> [Int64] {
        try queue.inDatabase {
            try Int64.fetchAll(
                $0, sql: "SELECT id FROM record WHERE arrival < ? ORDER BY arrival LIMIT ?", arguments: [cutoff, limit])
        }
    }

    /// Returns the keys of the earliest arrivals.
    func oldestIDs(_ limit: Int) throws -> [Int64] { try ids(arrivedBefore: .max, limit) }

    /// Deletes the names that are no longer used by any record.
    func forgetNames() throws {
        try transaction { db in
            try db.execute(
                sql: "DELETE FROM origin WHERE NOT EXISTS (SELECT 1 FROM record WHERE record.origin = origin.id)")
            try db.execute(sql: "DELETE FROM source WHERE records <= 0")
            for name in ["logger", "device", "event"] {
                try db.execute(
                    sql: "DELETE FROM \(name) WHERE id NOT IN (SELECT \(name) FROM tally WHERE \(LogTally.once))",
                    arguments: LogTally.onceArguments(db))
            }
        }
        // The numbers are reused.
        names = LogNames(limit: nameLimit)
        isDirty = true
    }

    /// Finds the last record and position of a device after some of its records were deleted.
    ///
    /// - Returns: Whether there was such a device.
    func findLastOfStaleDevice() throws -> Bool {
        try transaction { db in
            guard let device = try Int64.fetchOne(db, sql: "SELECT id FROM device WHERE stale LIMIT 1") else {
                return false
            }
            var (last, place): (Int64?, Int64?)
            var scan = LogScan(
                try LogPlan(ofDevice: device, db), isNewestFirst: true, effort: Self.mostExamined, db)
            _ = try scan.forEach { row in
                if last == nil { last = row.time }
                if row.coordinate != nil { place = row.id }
                return place == nil
            }
            try db.execute(
                sql: "UPDATE device SET stale = 0, last = ?, place = ? WHERE id = ?", arguments: [last, place, device])
            return true
        }
    }

    /// The maximum number of records to examine for a device's last position.
    private static let mostExamined = 50_000

    /// Merges a part of the index of words.
    ///
    /// - Parameter isWhole: Whether to merge the whole index into one segment without deleted words; pass `true` in the
    ///   first call only.
    /// - Returns: Whether there may be more to merge.
    func mergeWords(isWhole: Bool) throws -> Bool {
        try transaction { db in
            let before = db.totalChangesCount
            try db.execute(
                sql: "INSERT INTO record_text(record_text, rank) VALUES('merge', ?)",
                arguments: [isWhole ? -2_000 : 2_000])
            return db.totalChangesCount - before >= 2
        }
    }

    /// Deletes everything except the positions of queues, so that deleted records are not stored again.
    ///
    /// - Returns: The number of records.
    func deleteAll() throws -> Int {
        try count()
        let deleted = records
        try transaction { db in
            try db.execute(sql: "INSERT INTO record_text(record_text) VALUES('delete-all')")
            for table in ["record", "tally", "origin", "source", "event", "logger", "device"] {
                try db.execute(sql: "DELETE FROM \(table)")
            }
            try db.execute(sql: "DELETE FROM meta WHERE key = 'hour' OR key LIKE 'stream:%'")
        }
        names = LogNames(limit: nameLimit)
        didDelete()
        try count()
        return Int(clamping: deleted)
    }

    // MARK: Streams

    /// Returns the arrival up to which a stream has been deleted.
    func end(ofStream key: String) throws -> Int64 {
        try queue.inDatabase { try $0.meta("stream:" + key) ?? .min }
    }

    /// Stores the arrivals up to which streams have been deleted, and removes the entries of other streams.
    func setEnds(ofStreams ends: [String: Int64]) throws {
        try transaction { db in
            try db.execute(sql: "DELETE FROM meta WHERE key LIKE 'stream:%'")
            for (key, end) in ends { try db.setMeta("stream:" + key, end) }
        }
        isDirty = true
    }
}
#endif
