#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailQuery

/// Visits the rows that match a plan in chronological order, by the index of words, by the counts of slots, or by
/// neither.
struct LogScan {
    /// The end of a scan.
    enum End {
        /// All rows have been visited.
        case exhausted
        /// The body returned `false` at this key.
        case stopped(Int64)
        /// The limit of rows or of time was reached; the last row has this key.
        case effort(Int64)
    }

    private let plan: LogPlan
    private let isNewestFirst: Bool
    /// The keys to visit: from the first, inclusive, to the second, exclusive.
    private var lower: Int64
    private var upper: Int64
    private let db: Database
    private var effort: Int
    private let budget = QueryBudget.current

    /// - Parameters:
    ///   - cursor: The key after which to begin, in the order of the scan.
    ///   - effort: The maximum number of rows to examine, at least 1.
    init(_ plan: LogPlan, isNewestFirst: Bool, after cursor: Int64? = nil, effort: Int, _ db: Database) {
        self.plan = plan
        self.isNewestFirst = isNewestFirst
        self.db = db
        self.effort = max(1, effort)
        lower = plan.since == .min ? .min : RecordID.startOfMillisecond(RecordID.of(plan.since))
        // Keys within a millisecond may be later than their times, so the whole millisecond is examined.
        let end = plan.until == .max ? .max : RecordID.end(plan.until)
        upper = end == .max ? .max : RecordID.endOfMillisecond(end)
        lower = max(lower, plan.ids.lowerBound)
        if plan.ids.upperBound < .max { upper = min(upper, plan.ids.upperBound + 1) }
        guard let cursor else { return }
        if isNewestFirst { upper = min(upper, cursor) } else { lower = max(lower, cursor &+ 1) }
    }

    /// Calls a body with each matching row until it returns `false`.
    mutating func forEach(_ body: (LogRow) throws -> Bool) throws -> End {
        guard !plan.isEmpty, lower < upper else { return .exhausted }
        if let match = plan.match { return try walkWords(match, body) }
        guard plan.restrictsSlots else { return try walk(lower, upper, body) ?? .exhausted }
        return try walkSlots(0, lower, upper, body) ?? .exhausted
    }

    // MARK: By words

    private mutating func walkWords(_ match: String, _ body: (LogRow) throws -> Bool) throws -> End {
        let statement = try RawStatement(
            """
            SELECT \(LogRow.columns) FROM record_text CROSS JOIN record ON record.id = record_text.rowid
            WHERE record_text MATCH ? AND record_text.rowid >= ? AND record_text.rowid < ?
            ORDER BY record_text.rowid \(isNewestFirst ? "DESC" : "ASC")
            """, db)
        statement.bind(1, text: match)
        statement.bind(2, lower)
        statement.bind(3, upper)
        return try run(statement, body) ?? .exhausted
    }

    // MARK: By slots

    /// Visits the slots with matching records, down to minutes.
    private mutating func walkSlots(
        _ depth: Int, _ lower: Int64, _ upper: Int64, _ body: (LogRow) throws -> Bool
    ) throws -> End? {
        guard depth < LogSchema.spans.count else { return try walk(lower, upper, body) }
        let span = LogSchema.spans[depth]
        for slot in try slots(span, lower, upper) {
            let start = max(lower, RecordID.of(LogSlot.start(slot, span: span)))
            let stop = min(upper, RecordID.end(LogSlot.start(slot &+ 1, span: span)))
            if let end = try walkSlots(depth + 1, start, stop, body) { return end }
        }
        return nil
    }

    /// Returns the slots with matching records, in the order of the scan.
    private func slots(_ span: Int64, _ lower: Int64, _ upper: Int64) throws -> [Int64] {
        let statement = try RawStatement(
            """
            SELECT slot, level, logger, device, event FROM tally WHERE span = ? AND slot >= ? AND slot <= ? ORDER BY slot
            """, db)
        defer { statement.reset() }
        let first = lower == .min ? Int64.min : LogSlot.of(RecordID.time(lower), span: span)
        let last = upper == .max ? Int64.max : LogSlot.of(RecordID.time(upper &- 1), span: span)
        var found: [Int64] = []
        // Within a longer slot, a few levels are looked up one by one.
        let (length, overflow) = last.subtractingReportingOverflow(first)
        if let levels = plan.fewLevels, span < 86_400, !overflow, (0..<60).contains(length) {
            for slot in first...last where try isWanted(slot, span, levels) { found.append(slot) }
            return order(try withOpen(found, span, first, last))
        }
        statement.bind(1, span)
        statement.bind(2, first)
        statement.bind(3, last)
        while try statement.step() {
            let slot = statement[0]
            guard found.last != slot,
                plan.wants(
                    level: statement[1], logger: statement[2], device: statement[3], event: statement[4]
                )
            else { continue }
            found.append(slot)
        }
        return order(try withOpen(found, span, first, last))
    }

    private func order(_ slots: [Int64]) -> [Int64] { isNewestFirst ? slots.reversed() : slots }

    /// Adds the slot of the newest hour, whose counts are not complete yet.
    private func withOpen(_ found: [Int64], _ span: Int64, _ first: Int64, _ last: Int64) throws -> [Int64] {
        guard span > 60, let hour = try LogTally.openHour(db) else { return found }
        let open = LogSlot.floor(hour, by: span / 3_600)
        return found.last != open && first <= open && open <= last ? found + [open] : found
    }

    /// Returns whether a slot contains matching records of some levels.
    private func isWanted(_ slot: Int64, _ span: Int64, _ levels: [Int64]) throws -> Bool {
        let statement = try RawStatement(
            "SELECT logger, device, event FROM tally WHERE span = ? AND slot = ? AND level = ?", db)
        defer { statement.reset() }
        for level in levels {
            statement.reset()
            statement.bind(1, span)
            statement.bind(2, slot)
            statement.bind(3, level)
            while try statement.step() {
                if plan.wants(
                    level: level, logger: statement[0], device: statement[1], event: statement[2])
                {
                    return true
                }
            }
        }
        return false
    }

    // MARK: Rows

    private mutating func walk(_ lower: Int64, _ upper: Int64, _ body: (LogRow) throws -> Bool) throws -> End? {
        let statement = try RawStatement(
            "SELECT \(LogRow.columns) FROM record WHERE id >= ? AND id < ? ORDER BY id \(isNewestFirst ? "DESC" : "ASC")",
            db)
        statement.bind(1, lower)
        statement.bind(2, upper)
        return try run(statement, body)
    }

    private mutating func run(_ statement: RawStatement, _ body: (LogRow) throws -> Bool) throws -> End? {
        defer { statement.reset() }
        let row = LogRow(statement: statement)
        while try statement.step() {
            if plan.wants(row), try !body(row) { return .stopped(row.id) }
            effort -= 1
            if effort <= 0 || (effort & 1_023 == 0 && budget?.isNearlyOver == true) { return .effort(row.id) }
        }
        return nil
    }
}
#endif
