#if Store
internal import GRDB
public import Taffrail

extension TrackStore {
    /// Deletes points beyond a retention, the oldest points first, and tidies up: thins old days, finds visits and
    /// trips, and lets SQLite optimize its plans. Afterwards the files contain no trace of the deleted points, unless
    /// another process is reading at that time; the next call then removes it. Must not be called on the thread of a
    /// sink.
    ///
    /// - Parameters:
    ///   - retention: The retention.
    ///   - now: The time from which ages are counted.
    ///   - isCancelled: Called after each transaction; the rest is done in the next call. Default: never.
    /// - Returns: The number of deleted points.
    @discardableResult
    public func maintain(
        _ retention: TrackRetention, now: Timestamp = .now, isCancelled: () -> Bool = { false }
    ) throws(StoreError) -> Int {
        guard FileName.exists(path) else { return 0 }
        var deleted = 0
        if let age = retention.age {
            let time = Timestamp(nanoseconds: now.nanoseconds &- age.nanoseconds)
            deleted += try purge(before: time, isCancelled: isCancelled)
        }
        if let age = retention.thinAge {
            // Trips are measured before their points are thinned.
            try analyse(isCancelled: isCancelled)
            let time = Timestamp(nanoseconds: now.nanoseconds &- age.nanoseconds)
            // A day is not thinned before its trips are known.
            if !isCancelled() {
                deleted += try thin(before: time, tolerance: retention.thinTolerance, isCancelled: isCancelled)
            }
        }
        if let rows = retention.rows { deleted += try keep(newest: Int64(max(0, rows)), isCancelled) }
        if let size = retention.size {
            // The other tables do not shrink with the points: this is repeated with the rest.
            for _ in 0..<4 {
                let (rows, bytes) = try withConnection { ($0.points, try $0.usedBytes()) }
                guard bytes > size.bytes, rows > 0, !isCancelled() else { break }
                deleted += try keep(newest: Int64(Double(rows) * Double(size.bytes) / Double(bytes)), isCancelled)
            }
        }
        try analyse(isCancelled: isCancelled)
        guard !isCancelled() else { return deleted }
        try withConnection { connection in
            try connection.eraseLog()
            try connection.optimize()
        }
        return deleted
    }

    private func keep(newest count: Int64, _ isCancelled: () -> Bool) throws(StoreError) -> Int {
        guard let time = try withConnection({ try $0.time(ofNewest: count) }) else { return 0 }
        return try purge(before: time, isCancelled: isCancelled)
    }
}

extension StoreConnection {
    /// Returns the time of the newest points, at most `limit`; `nil` if there are no more than that.
    fileprivate func time(ofNewest limit: Int64) throws -> Timestamp? {
        try queue.inDatabase { db in
            var rest = limit
            let hours = try Row.fetchCursor(
                db, sql: "SELECT hour, sum(points) FROM block GROUP BY hour ORDER BY hour DESC")
            while let row = try hours.next() {
                let (hour, points): (Int64, Int64) = (row[0], row[1])
                guard points > rest else {
                    rest -= points
                    continue
                }
                // The first point to be deleted is in this hour.
                let time = try Int64.fetchOne(
                    db, sql: "SELECT time FROM point WHERE time < ? ORDER BY time DESC, hash DESC LIMIT 1 OFFSET ?",
                    arguments: [(hour &+ 1) &* BlockKey.length, rest])
                return time.map { Timestamp(nanoseconds: ($0 &+ 1) &* 1_000_000) }
            }
            return nil
        }
    }
}
#endif
