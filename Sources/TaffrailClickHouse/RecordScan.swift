#if HTTP
internal import Taffrail
internal import TaffrailQuery

/// Reads the selected records in chunks, in the order of time.
///
/// A first query reads only the column of times, in growing ranges until it finds enough rows; a second one reads the
/// rows of that range. A page of the newest records therefore reads little of even a large table.
struct RecordScan {
    private let store: ClickHouseStore
    private let selection: LogSelection
    private let clause: SelectionClause
    private let columns: RecordColumns
    private let isNewestFirst: Bool
    /// The first and the last time to read.
    private var first: Int64
    private var last: Int64
    /// The key after which to continue.
    private(set) var key: RecordKey?
    private var isAtEnd = false

    /// The ranges in which times are searched, in nanoseconds; `nil`: the rest.
    private static let ranges: [Int64?] = [900_000_000_000, 21_600_000_000_000, 345_600_000_000_000, nil]

    init(_ store: ClickHouseStore, _ selection: LogSelection, isNewestFirst: Bool, after key: RecordKey?) throws {
        let table = try store.currentTable()
        self.store = store
        self.selection = selection
        self.isNewestFirst = isNewestFirst
        self.key = key
        columns = table.columns
        clause = SelectionClause(selection, columns, readsExactly: table.canSet)
        let range = selection.range
        first = range.since ?? .min
        last = .max
        limit(from: nil, before: range.until)
    }

    /// Restricts the times.
    mutating func limit(from since: Int64?, before until: Int64?) {
        if let since { first = max(first, since) }
        guard let until else { return }
        if until == .min { isAtEnd = true } else { last = min(last, until - 1) }
    }

    /// Whether all records that ``next(_:)`` returns are selected.
    var isExact: Bool { clause.isExact }

    /// Returns a page of records.
    ///
    /// - Parameter effort: The maximum number of records to examine if the server cannot evaluate the whole selection.
    mutating func page(limit: Int, effort: Int) throws -> RecordPage {
        var page = RecordPage()
        var bytes = 0
        var looked = 0
        while true {
            if key != nil, QueryBudget.current?.isNearlyOver == true || (!isExact && looked >= max(1, effort)) { break }
            let want = limit - page.records.count
            let chunk: Chunk
            do {
                chunk = try next(isExact ? want : max(1, min(max(want, 200), effort - looked)))
            } catch let failure as ClickHouseFailure {
                // Returns the records found so far.
                guard case .tooLong = failure.error.kind, key != nil, !page.records.isEmpty else { throw failure }
                break
            }
            looked += chunk.rows.count
            for (index, row) in chunk.rows.enumerated() where isExact || selection.matches(row.record) {
                page.records.append(row.record)
                bytes += row.bytes
                guard page.records.count == limit || bytes >= ClickHouseStore.mostBytes else { continue }
                if index + 1 == chunk.rows.count && chunk.isLast { return page }
                page.next = row.key.text
                page.reached = Timestamp(nanoseconds: row.key.time)
                return page
            }
            if chunk.isLast { return page }
        }
        page.next = key?.text
        page.reached = key.map { Timestamp(nanoseconds: $0.time) }
        return page
    }

    struct Chunk {
        var rows: [(key: RecordKey, record: StoredRecord, bytes: Int)] = []
        /// Whether no rows follow.
        var isLast = false
    }

    /// Returns the next rows that pass the query: at most `count`, and none only at the end.
    mutating func next(_ count: Int) throws -> Chunk {
        var count = count
        while true {
            guard !isAtEnd, first <= last, let end = try edge(count) else { return Chunk(isLast: true) }
            do {
                return try rows(count, through: end.time, isLast: end.isLast)
            } catch ClickHouseFailure.tooBig where count > 1 {
                // The records are long: read fewer at a time.
                count = max(1, count / 8)
            }
        }
    }

    /// Returns the time of the row `count` after the key or, if there are fewer rows, the end of the range as the last
    /// part; `nil` if the table is empty.
    private func edge(_ count: Int) throws -> (time: Int64, isLast: Bool)? {
        var (low, high) = (first, last)
        if let key {
            // The other rows with the time of the key are always read.
            if isNewestFirst {
                guard key.time > low else { return (key.time, true) }
                high = min(high, key.time - 1)
            } else {
                guard key.time < high else { return (key.time, true) }
                low = max(low, key.time + 1)
            }
        } else if isNewestFirst ? high == .max : low == .min {
            guard let bounds = try store.bounds() else { return nil }
            if isNewestFirst { high = bounds.last } else { low = bounds.first }
        }
        let end = isNewestFirst ? first : last
        for range in Self.ranges {
            var (from, through) = (low, high)
            if let range {
                if isNewestFirst {
                    let start = high.subtractingReportingOverflow(range)
                    from = max(low, start.overflow ? .min : start.partialValue)
                } else {
                    let stop = low.addingReportingOverflow(range)
                    through = min(high, stop.overflow ? .max : stop.partialValue)
                }
            }
            let isWhole = from == low && through == high
            if let time = try self.time(of: count, from: from, through: through) { return (time, false) }
            if isWhole { break }
        }
        return (end, true)
    }

    /// Returns the time of a row in a range, by its number from 1; `nil` if the range contains fewer rows.
    private func time(of number: Int, from: Int64, through: Int64) throws -> Int64? {
        guard from <= through else { return nil }
        let conditions = columns.time(from: from, through: through) + clause.conditions
        var rows = try store.rows { table in
            """
            \(columns.with) SELECT toUnixTimestamp64Nano(Timestamp) FROM \(table.name) WHERE \(SQLText.allOf(conditions)) \
            ORDER BY Timestamp \(isNewestFirst ? "DESC" : "ASC") LIMIT 1 OFFSET \(number - 1)
            """
        }
        return rows.isAtEnd ? nil : try rows.signed()
    }

    /// Returns the rows after ``key``, up to a time.
    private mutating func rows(_ count: Int, through edge: Int64, isLast: Bool) throws -> Chunk {
        var conditions =
            isNewestFirst
            ? columns.time(from: max(first, edge), through: min(last, key?.time ?? .max))
            : columns.time(from: max(first, key?.time ?? .min), through: min(last, edge))
        conditions += clause.conditions
        if let key {
            let mark = isNewestFirst ? "<" : ">"
            let pair = "(toUInt64('\(key.sequence)'), toUInt64('\(key.hash)'))"
            let time = SQLText.time(key.time)
            conditions.append(
                "Timestamp \(mark) \(time) OR (Timestamp = \(time) AND (tf_seq, tf_hash) \(mark) \(pair))")
        }
        let order = ["tf_time", "tf_seq", "tf_hash"].map { isNewestFirst ? "\($0) DESC" : $0 }.joined(separator: ", ")
        var found = try store.rows { table in
            """
            \(columns.with) SELECT \(columns.selected) FROM \(table.name) WHERE \(SQLText.allOf(conditions)) \
            ORDER BY \(order) LIMIT 1 BY tf_time, tf_seq, tf_hash LIMIT \(count + 1)
            """
        }
        var chunk = Chunk()
        while !found.isAtEnd, chunk.rows.count < count {
            let start = found.offset
            let (key, record) = try columns.record(&found)
            chunk.rows.append((key, record, found.offset - start))
        }
        let hasMore = !found.isAtEnd
        chunk.isLast = isLast && !hasMore
        isAtEnd = chunk.isLast
        // Removing records that were sent twice may leave fewer rows than requested.
        key = hasMore ? chunk.rows.last?.key ?? key : RecordKey.end(of: edge, isNewestFirst: isNewestFirst)
        return chunk
    }
}
#endif
