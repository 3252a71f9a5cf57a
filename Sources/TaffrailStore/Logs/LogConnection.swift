#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailQuery

/// The connection that writes records.
final class LogConnection: StoreDatabase {
    var names = LogNames()
    /// The maximum number of new names of loggers, devices and events per day, for each of the three.
    private(set) var nameLimit = NameBudget.standard
    /// The newest hour that has had records, up to which the counts of hours and days are complete.
    var openHour: Int64?
    /// The number of records.
    var records: Int64 = 0
    /// The times of the oldest and the newest record, in nanoseconds since 1970.
    private(set) var oldest: Int64?
    private(set) var newest: Int64?

    override func count() throws {
        try queue.inDatabase { db in
            openHour = try LogTally.openHour(db)
            records =
                try Int64.fetchOne(
                    db, sql: "SELECT sum(count) FROM tally WHERE \(LogTally.once)",
                    arguments: LogTally.onceArguments(db)) ?? 0
        }
        try findEnds()
    }

    func findEnds() throws {
        try queue.inDatabase { db in
            oldest = try Int64.fetchOne(db, sql: "SELECT time FROM record ORDER BY id LIMIT 1")
            newest = try Int64.fetchOne(db, sql: "SELECT time FROM record ORDER BY id DESC LIMIT 1")
        }
    }

    override func forget() { names = LogNames(limit: nameLimit) }

    /// Saves records in one transaction, with the position of their run.
    ///
    /// - Parameters:
    ///   - ends: For each record, the ring's position after it; records that the store already has are skipped.
    ///   - limit: The maximum number of new names of loggers, devices and events per day, for each of the three.
    ///   - now: The current time.
    func save(
        _ batch: [StoredRecord], ends: [UInt64]?, mark: RingMark?, names limit: Int, now: Timestamp
    ) throws -> LogStore.Saved {
        if limit != nameLimit {
            nameLimit = limit
            names = LogNames(limit: limit)
        }
        var saved = LogStore.Saved()
        var times: [Int64] = []
        var open = openHour
        try transaction { db in
            names.begin(at: now)
            let stored = try mark.flatMap { try Self.position(of: $0.run, db) }
            var inserter = try LogInserter(db)
            for (index, record) in batch.enumerated() {
                if let stored, let ends, index < ends.count, ends[index] <= stored { continue }
                try inserter.insert(record, index: index, &names)
            }
            try inserter.finish(batch, open: &open)
            if let mark, mark.position > stored ?? 0 { try keep(mark, db) }
            saved.inserted = inserter.inserted
            saved.repeated = inserter.repeated
            saved.conflicting = inserter.conflicting
            saved.limited = inserter.limited
        }
        openHour = open
        isDirty = true
        records += Int64(saved.inserted)
        if saved.inserted > 0 { times = batch.map(\.time.nanoseconds) }
        if let first = times.min() { oldest = min(oldest ?? first, first) }
        if let last = times.max() { newest = max(newest ?? last, last) }
        return saved
    }

    // MARK: Repairs

    /// Rebuilds the index of words if it, and not a table, is damaged.
    override func repair(_ error: DatabaseError) throws -> Bool {
        // Only an index that has lost its structure violates constraints when it is written.
        guard error.extendedResultCode == .SQLITE_CORRUPT_VTAB || error.resultCode == .SQLITE_CONSTRAINT else {
            return false
        }
        Diagnostics.report("\(file.path): the full-text index is damaged; rebuilding it from the records")
        try transaction { db in
            // Without its structure the index cannot be opened, not even to rebuild it; this is the structure of an
            // empty index.
            try db.execute(
                sql: """
                    DELETE FROM record_text_data; DELETE FROM record_text_idx; DELETE FROM record_text_docsize;
                    INSERT INTO record_text_data(id, block) VALUES(1, x''), (10, x'00000000000000');
                    INSERT INTO record_text(record_text) VALUES('rebuild');
                    """)
        }
        isDirty = true
        return true
    }
}
#endif
