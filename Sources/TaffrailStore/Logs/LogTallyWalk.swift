#if Store
internal import GRDB
internal import TaffrailQuery

/// Adds up counts over a range of time: the counts of whole days, hours and minutes, and single records at the edges.
struct LogTallyWalk {
    private let plan: LogPlan
    private let db: Database
    /// The newest hour: its counts, and those of its day, are not complete yet.
    private let open: Int64

    /// The records that are counted together.
    struct Group {
        /// The time: the start of the slot, or the time of the record.
        var time: Int64
        var level: Int64
        var logger: Int64
        var device: Int64
        var event: Int64
        var count: Int
    }

    init(_ plan: LogPlan, _ db: Database) throws {
        self.plan = plan
        self.db = db
        open = try LogTally.openHour(db) ?? 0
    }

    /// Calls a body with the counts of the plan's records in a range of time.
    ///
    /// - Parameter longest: The longest slot to use, in seconds.
    func forEach(_ since: Int64, _ until: Int64, longest: Int64, _ body: (Group) throws -> Void) throws {
        let spans = LogSchema.spans.filter { $0 <= longest }
        var (since, until) = (max(since, plan.since), min(until, plan.until))
        // Clamped times are counted in the first and the last minute, which are then used completely.
        if since <= RecordID.times.lowerBound {
            since = LogSlot.start(LogSlot.of(RecordID.times.lowerBound, span: 60), span: 60)
        }
        if until > RecordID.times.upperBound {
            until = LogSlot.start(LogSlot.of(RecordID.times.upperBound, span: 60) + 1, span: 60)
        }
        try walk(since, until, spans[...], body)
    }

    private func walk(_ since: Int64, _ until: Int64, _ spans: ArraySlice<Int64>, _ body: (Group) throws -> Void) throws
    {
        guard since < until else { return }
        guard let span = spans.first else { return try rows(since, until, body) }
        // Slots completely within the range.
        var first = LogSlot.of(since, span: span)
        if LogSlot.start(first, span: span) < since { first += 1 }
        var last = LogSlot.of(until, span: span)
        if span > 60 { last = min(last, LogSlot.floor(open, by: span / 3_600)) }
        let shorter = spans.dropFirst()
        guard first < last else { return try walk(since, until, shorter, body) }
        try walk(since, LogSlot.start(first, span: span), shorter, body)
        try slots(span, first, last, body)
        try walk(LogSlot.start(last, span: span), until, shorter, body)
    }

    private func slots(_ span: Int64, _ first: Int64, _ last: Int64, _ body: (Group) throws -> Void) throws {
        let statement = try RawStatement(
            """
            SELECT slot, level, logger, device, event, count FROM tally WHERE span = ? AND slot >= ? AND slot < ?
            """, db)
        defer { statement.reset() }
        statement.bind(1, span)
        statement.bind(2, first)
        statement.bind(3, last)
        while try statement.step() {
            let group = Group(
                time: LogSlot.start(statement[0], span: span), level: statement[1], logger: statement[2],
                device: statement[3], event: statement[4], count: Int(statement[5]))
            guard plan.wants(level: group.level, logger: group.logger, device: group.device, event: group.event) else {
                continue
            }
            try body(group)
        }
    }

    private func rows(_ since: Int64, _ until: Int64, _ body: (Group) throws -> Void) throws {
        var part = plan
        (part.since, part.until) = (since, until)
        var scan = LogScan(part, isNewestFirst: false, effort: .max, db)
        let end = try scan.forEach { row in
            try body(
                Group(
                    time: row.time, level: row.level, logger: row.logger, device: row.device, event: row.event, count: 1
                ))
            return true
        }
        // Partial counts would look like complete ones.
        if case .effort = end { throw LogQueryError(.tooLong, "the answer takes too long") }
    }
}
#endif
