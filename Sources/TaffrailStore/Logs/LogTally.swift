#if Store
internal import GRDB

/// The changes that one transaction makes to the counts of minutes, hours and days.
struct LogTally {
    private var counts: [LogTallyKey: Int64] = [:]
    private var last: (key: LogTallyKey, count: Int64)?

    mutating func add(_ key: LogTallyKey, _ change: Int64) {
        if let known = last, known.key == key {
            last = (key, known.count + change)
            return
        }
        close()
        last = (key, change)
    }

    private mutating func close() {
        guard let last else { return }
        counts[last.key, default: 0] += last.count
        self.last = nil
    }

    /// Writes the changes. A count that becomes 0 is deleted.
    ///
    /// Minutes are always written. The counts of hours and days are computed when the next one begins, and written from
    /// then on.
    ///
    /// - Parameter open: The newest hour that has had records; `nil` if there was none.
    mutating func write(_ db: Database, open: inout Int64?) throws {
        close()
        try write(counts.filter { $0.value != 0 }, span: 60, db)
        let newest = counts.lazy.filter { $0.value > 0 }.map { LogSlot.floor($0.key.minute, by: 60) }.max()
        let before = open
        if let newest, newest > before ?? .min { open = newest }
        guard let open else { return }
        for (span, divisor) in [(3_600, 1), (86_400, 24)] as [(Int64, Int64)] {
            // Shorter spans first: a day is computed from its hours.
            let current = LogSlot.floor(open, by: divisor)
            let previous = before.map { LogSlot.floor($0, by: divisor) }
            var changes: [LogTallyKey: Int64] = [:]
            var ended: Set<Int64> = []
            if let previous, previous < current { ended.insert(previous) }
            for (key, count) in counts {
                var slot = key
                slot.minute = LogSlot.floor(key.minute, by: 60 * divisor)
                if slot.minute < previous ?? .min {
                    changes[slot, default: 0] += count
                } else if slot.minute < current {
                    ended.insert(slot.minute)
                }
            }
            try write(changes.filter { $0.value != 0 }, span: span, db)
            for slot in ended { try Self.addUp(slot, span: span, db) }
        }
        guard open != before else { return }
        try db.setMeta("hour", open)
    }

    /// Computes the counts of an hour from its minutes, or of a day from its hours.
    private static func addUp(_ slot: Int64, span: Int64, _ db: Database) throws {
        let shorter: Int64 = span == 86_400 ? 3_600 : 60
        let parts = span / shorter
        let deletion = try RawStatement("DELETE FROM tally WHERE span = ? AND slot = ?", db)
        deletion.bind(1, span)
        deletion.bind(2, slot)
        try deletion.run()
        let insertion = try RawStatement(
            """
            INSERT INTO tally(span, slot, level, logger, device, event, count)
            SELECT ?1, ?2, level, logger, device, event, sum(count) FROM tally WHERE span = ?3 AND slot >= ?4 AND slot < ?5
            GROUP BY level, logger, device, event
            """, db)
        insertion.bind(1, span)
        insertion.bind(2, slot)
        insertion.bind(3, shorter)
        insertion.bind(4, slot &* parts)
        insertion.bind(5, slot &* parts &+ parts)
        try insertion.run()
    }

    private func write(_ changes: [LogTallyKey: Int64], span: Int64, _ db: Database) throws {
        guard !changes.isEmpty else { return }
        let insertion = try RawStatement(
            """
            INSERT INTO tally(span, slot, level, logger, device, event, count) VALUES(?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET count = count + excluded.count
            """, db)
        let deletion = try RawStatement(
            """
            DELETE FROM tally WHERE span = ? AND slot = ? AND level = ? AND logger = ? AND device = ? AND event = ?
            AND count <= 0
            """, db)
        // In the order of the table, where neighbours are on the same page.
        for (key, count) in changes.sorted(by: { $0.key < $1.key }) {
            bind(insertion, span, key)
            insertion.bind(7, count)
            try insertion.run()
            guard count < 0 else { continue }
            bind(deletion, span, key)
            try deletion.run()
        }
    }

    /// A condition for counts that contain each record once: those of complete days, then hours, then minutes.
    static let once = """
        (span = 86400 AND slot < ?1 OR span = 3600 AND slot >= ?1 * 24 AND slot < ?2 OR span = 60 AND slot >= ?2 * 60)
        """

    /// Returns the arguments of ``once``.
    static func onceArguments(_ db: Database) throws -> StatementArguments {
        let hour = try openHour(db) ?? 0
        return [LogSlot.floor(hour, by: 24), hour]
    }

    /// Returns the newest hour that has had records, up to which the counts of hours and days are complete.
    static func openHour(_ db: Database) throws -> Int64? { try db.meta("hour") }

    private func bind(_ statement: RawStatement, _ span: Int64, _ key: LogTallyKey) {
        statement.bind(1, span)
        statement.bind(2, key.minute)
        statement.bind(3, key.level)
        statement.bind(4, key.logger)
        statement.bind(5, key.device)
        statement.bind(6, key.event)
    }
}
#endif
