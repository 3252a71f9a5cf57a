#if Store
internal import GRDB
internal import Taffrail

extension StoreConnection {
    /// Saves points in one transaction, with the position of their run.
    ///
    /// - Parameter ends: For each point, the ring's position after its record; points that the store already has are
    ///   skipped.
    func save(_ points: [TrackPoint], ends: [UInt64]?, mark: RingMark?, now: Timestamp) throws -> TrackStore.Saved {
        let milliseconds = CivilTime.floorDivide(now.nanoseconds, by: 1_000_000)
        let (saved, first, last) = try transaction { db in
            let stored = try mark.flatMap { try Self.position(of: $0.run, db) }
            var inserter = try PointInserter(db, self)
            for (index, point) in points.enumerated() {
                if let stored, let ends, index < ends.count, ends[index] <= stored { continue }
                try inserter.insert(point, now: milliseconds)
            }
            try inserter.finish()
            if let mark, mark.position > stored ?? 0 { try keep(mark, db) }
            return (inserter.saved, inserter.first, inserter.last)
        }
        isDirty = true
        if saved.inserted > 0 {
            self.points += Int64(saved.inserted)
            oldest = min(oldest ?? first, first)
            newest = max(newest ?? last, last)
        }
        return saved
    }

    /// Stores a position, and deletes those of runs whose queues no longer exist.
    private func keep(_ mark: RingMark, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO ring(run, position, path) VALUES(?, ?, ?)").execute(
            arguments: [mark.run.description, Int64(bitPattern: mark.position), mark.path])
        guard lastRun != mark.run else { return }
        for row in try Row.fetchAll(
            db, sql: "SELECT run, path FROM ring WHERE run <> ?", arguments: [mark.run.description])
        {
            let path: String? = row["path"]
            // A queue that cannot be checked may still exist.
            if let path, (try? FileStatus.of(path) == nil) != true { continue }
            try db.execute(sql: "DELETE FROM ring WHERE run = ?", arguments: [row["run"] as String])
        }
        lastRun = mark.run
    }

    /// The position up to which the records of a ring are stored.
    func position(of run: RingID) throws -> UInt64? { try queue.inDatabase { try Self.position(of: run, $0) } }

    private static func position(of run: RingID, _ db: Database) throws -> UInt64? {
        let statement = try db.cachedStatement(sql: "SELECT position FROM ring WHERE run = ?")
        return try Int64.fetchOne(statement, arguments: [run.description]).map { UInt64(bitPattern: $0) }
    }
}
#endif
