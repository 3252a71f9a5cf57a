#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailQuery
internal import TaffrailText

/// Counts the values of a field.
struct LogValues {
    private let request: ValuesRequest
    private let plan: LogPlan
    private let db: Database
    /// The maximum number of different values that are counted or whose names are read.
    private let most: Int

    /// The maximum number of bytes of counted values.
    private static let mostBytes = 4 << 20

    init(_ request: ValuesRequest, _ plan: LogPlan, _ db: Database, most: Int = 20_000) {
        self.request = request
        self.plan = plan
        self.db = db
        self.most = most
    }

    func answer() throws -> FieldValues {
        if let field = LogGrouping(rawValue: request.field) { return try count(field) }
        let key = request.field.hasPrefix("@") ? String(request.field.dropFirst()) : request.field
        guard !key.isEmpty else { throw LogQueryError(.invalid, "the field has no name") }
        let finder = AttributeFinder(key)
        var counts: [ExactValue: Int] = [:]
        var bytes = 0
        var result = FieldValues(values: [], distinct: 0)
        var scan = LogScan(plan, isNewestFirst: true, effort: request.effort, db)
        let end = try scan.forEach { row in
            guard let value = row.withAttributes({ finder.value(in: $0) }).map(ExactValue.init) else { return true }
            if counts[value] == nil {
                let size = 32 + value.value.memory
                guard counts.count < most, bytes + size <= Self.mostBytes else {
                    result.uncounted += 1
                    return true
                }
                bytes += size
            }
            counts[value, default: 0] += 1
            return true
        }
        if case .effort(let id) = end { result.since = Timestamp(nanoseconds: RecordID.time(id)) }
        result.distinct = counts.count
        result.values = sorted(counts)
        return result
    }

    /// Counts the values of a field of every record.
    private func count(_ field: LogGrouping) throws -> FieldValues {
        var counts: [Int64: Int] = [:]
        var result = FieldValues(values: [], distinct: 0)
        if plan.isCounted {
            try LogTallyWalk(plan, db).forEach(.min, .max, longest: .max) { group in
                counts[field.number(group.level, group.logger, group.device, group.event), default: 0] += group.count
            }
        } else {
            var scan = LogScan(plan, isNewestFirst: true, effort: request.effort, db)
            let end = try scan.forEach { row in
                counts[field.number(row.level, row.logger, row.device, row.event), default: 0] += 1
                return true
            }
            if case .effort(let id) = end { result.since = Timestamp(nanoseconds: RecordID.time(id)) }
        }
        var names = LogNameCache(db)
        // A record without an event has no value.
        if field == .event { counts[0] = nil }
        result.distinct = counts.count
        // The names of values that are not in the answer need not be read, except if as frequent as the last one.
        let order = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let least = order.prefix(max(1, request.limit)).last?.value ?? 0
        var values: [ExactValue: Int] = [:]
        for (number, count) in order.prefix(while: { $0.value >= least }).prefix(most) {
            values[ExactValue(.string(try field.name(number, &names)))] = count
        }
        result.values = sorted(values)
        return result
    }

    private func sorted(_ counts: [ExactValue: Int]) -> [FieldValues.Count] {
        let order = counts.map { (text: ExactText($0.key.value.description), value: $0.key.value, count: $0.value) }
            .sorted { ($1.count, $0.text) < ($0.count, $1.text) }
        return order.prefix(max(1, request.limit)).map { FieldValues.Count(value: $0.value, count: $0.count) }
    }
}
#endif
