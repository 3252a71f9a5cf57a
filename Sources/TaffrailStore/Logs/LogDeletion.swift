#if Store
internal import GRDB

/// Deletes records within one transaction, with their entries in the index of words, the counts and other tables.
struct LogDeletion {
    private let db: Database
    private let row: RawStatement
    private let text: RawStatement
    private let deletion: RawStatement
    private var tally = LogTally()
    private var sources: [Int64: Int64] = [:]
    /// The newest deleted record of each device.
    private var devices: [Int64: Int64] = [:]
    /// The number of deleted records.
    private(set) var count = 0

    init(_ db: Database) throws {
        self.db = db
        row = try RawStatement(
            """
            SELECT record.time, level, logger, device, record.event, message, event.name, indexed, source
            FROM record LEFT JOIN event ON event.id = record.event WHERE record.id = ?
            """, db)
        text = try RawStatement(
            "INSERT INTO record_text(record_text, rowid, message, event, indexed) VALUES('delete', ?, ?, ?, ?)", db)
        deletion = try RawStatement("DELETE FROM record WHERE id = ?", db)
    }

    /// Deletes the record with a key, if it exists.
    mutating func delete(_ id: Int64) throws {
        guard try take(id) else { return }
        try text.run()
        deletion.bind(1, id)
        try deletion.run()
        count += 1
    }

    /// Reads the required columns of a record, and binds its words.
    private mutating func take(_ id: Int64) throws -> Bool {
        row.bind(1, id)
        defer { row.reset() }
        guard try row.step() else { return false }
        tally.add(
            LogTallyKey(
                minute: LogSlot.minute(row[0]), level: row[1], logger: row[2], device: row[3], event: row[4]), -1)
        devices[row[3]] = max(devices[row[3]] ?? .min, row[0])
        if let source = row.optionalInt(8) { sources[source, default: 0] += 1 }
        text.bind(1, id)
        text.bind(2, text: row.text(5))
        text.bind(3, text: row.optionalText(6))
        text.bind(4, text: row.optionalText(7))
        return true
    }

    /// Writes the resulting changes to the other tables.
    ///
    /// - Parameter open: The newest hour that has had records.
    mutating func finish(open: inout Int64?) throws {
        try tally.write(db, open: &open)
        for (source, count) in sources {
            try db.cachedStatement(sql: "UPDATE source SET records = records - ? WHERE id = ?")
                .execute(arguments: [count, source])
        }
        for (device, time) in devices {
            // The last record or position of the device may have changed.
            try db.cachedStatement(
                sql: """
                    UPDATE device SET stale = 1 WHERE id = ?1 AND (ifnull(last, ?2) <= ?2
                        OR place IS NOT NULL AND NOT EXISTS (SELECT 1 FROM record WHERE record.id = place))
                    """
            ).execute(arguments: [device, time])
        }
    }
}
#endif
