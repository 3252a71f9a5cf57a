#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailQuery

/// Counts records over time.
struct LogHistogram {
    private let request: HistogramRequest
    private let plan: LogPlan
    private let db: Database

    init(_ request: HistogramRequest, _ plan: LogPlan, _ db: Database) {
        self.request = request
        self.plan = plan
        self.db = db
    }

    private struct Key: Hashable {
        var bucket: Int64
        var group: Int64
    }

    func answer() throws -> Histogram {
        guard let (since, until) = try range() else { return Histogram(interval: request.interval ?? .minutes(1)) }
        let interval = HistogramRequest.interval(request, since: since, until: until)
        guard interval > 0 else { throw LogQueryError(.invalid, "the interval must be at least a millisecond") }
        let grouping = request.grouping
        var counts: [Key: Int] = [:]
        // The rows are in chronological order: most belong to the same group as the previous row.
        var last = (key: Key(bucket: .min, group: 0), count: 0)
        var result = Histogram(interval: .nanoseconds(interval))
        func add(_ time: Int64, _ group: Int64, _ count: Int) throws {
            let key = Key(bucket: LogSlot.floor(time, by: interval), group: group)
            result.total += count
            guard key != last.key else {
                last.count += count
                return
            }
            if last.count > 0 { counts[last.key, default: 0] += last.count }
            last = (key, count)
            guard counts.count <= 500_000 else { throw LogQueryError(.invalid, "there are more than 500,000 groups") }
        }
        if plan.isCounted, interval % 60_000_000_000 == 0 {
            let longest = LogSchema.spans.first { interval % ($0 * 1_000_000_000) == 0 } ?? 60
            try LogTallyWalk(plan, db).forEach(since, until, longest: longest) { group in
                let field = grouping?.number(group.level, group.logger, group.device, group.event) ?? 0
                try add(group.time, field, group.count)
            }
        } else {
            var scan = LogScan(plan, isNewestFirst: true, effort: request.effort, db)
            let end = try scan.forEach { row in
                try add(row.time, grouping?.number(row.level, row.logger, row.device, row.event) ?? 0, 1)
                return true
            }
            if case .effort(let id) = end { result.since = Timestamp(nanoseconds: RecordID.time(id)) }
        }
        if last.count > 0 { counts[last.key, default: 0] += last.count }
        var names = LogNameCache(db)
        var buckets: [Int64: [String: Int]] = [:]
        for (key, count) in counts {
            buckets[key.bucket, default: [:]][try grouping?.name(key.group, &names) ?? "", default: 0] += count
        }
        result.buckets = buckets.sorted { $0.key < $1.key }.map { bucket, counts in
            let (start, overflow) = bucket.multipliedReportingOverflow(by: interval)
            return Histogram.Bucket(time: Timestamp(nanoseconds: overflow ? .min : start), counts: counts)
        }
        return result
    }

    /// Returns the times of the histogram; `nil` if there are no records.
    private func range() throws -> (Int64, Int64)? {
        guard !plan.isEmpty,
            let first = try Int64.fetchOne(db, sql: "SELECT id FROM record ORDER BY id LIMIT 1"),
            let last = try Int64.fetchOne(db, sql: "SELECT id FROM record ORDER BY id DESC LIMIT 1")
        else { return nil }
        let since = plan.since == .min ? RecordID.time(RecordID.startOfMillisecond(first)) : plan.since
        let until = plan.until == .max ? RecordID.time(last) &+ 1_000_000 : plan.until
        return since < until ? (since, until) : nil
    }
}
#endif
