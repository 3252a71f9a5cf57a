#if HTTP
public import Taffrail
public import TaffrailQuery

/// Answers queries about the records that collectors write into a table of OpenTelemetry's exporter for ClickHouse.
/// Read-only.
///
/// Must not be called on event loop threads: a call blocks until the server responds or the
/// ``TaffrailQuery/QueryBudget`` is used up. All attribute values in the table are strings, and a record's time also
/// serves as its time of arrival. A record that was sent twice is returned once.
public final class ClickHouseStore: LogQuery {
    /// The address.
    public let address: ClickHouseAddress
    private let client: ClickHouseClient
    private let table = Locked<ClickHouseTable?>(nil)
    /// Whether an unreachable server was reported.
    private let isReported = Locked(false)

    /// The maximum size of a page, in bytes, unless a single record is larger.
    static let mostBytes = 4 << 20

    /// Creates a store; nothing is sent yet.
    ///
    /// - Throws: ``Taffrail/OptionError`` if the proxy in the environment is malformed.
    public init(_ address: ClickHouseAddress) throws(OptionError) {
        self.address = address
        client = try ClickHouseClient(address)
    }

    /// Requests the description of the table from the server.
    ///
    /// - Throws: ``TaffrailQuery/LogQueryError``, whose reason describes the problem, without credentials.
    public func check() throws(LogQueryError) {
        table.withLock { $0 = nil }
        try reading(reports: false) { _ = try currentTable() }
    }

    // MARK: Queries

    /// Returns a page of records. The order of arrival is the order of time: the table contains no times of arrival.
    public func records(_ request: RecordRequest) throws(LogQueryError) -> RecordPage {
        var key: RecordKey?
        if let text = request.cursor {
            guard let cursor = RecordKey(text) else {
                throw LogQueryError(.invalid, "invalid cursor", parameter: "cursor")
            }
            key = cursor
        }
        return try reading { [key] in
            var scan = try RecordScan(self, request.selection, isNewestFirst: request.isNewestFirst, after: key)
            if request.clock == .arrival {
                scan.limit(from: request.arrivedSince?.nanoseconds, before: request.arrivedUntil?.nanoseconds)
            }
            return try scan.page(limit: min(max(1, request.limit), 10_000), effort: request.effort)
        }
    }

    /// Returns a record and its neighbours.
    public func records(
        around id: String, before: Int, after: Int, matching selection: LogSelection
    ) throws(LogQueryError) -> RecordSurroundings? {
        guard let key = RecordKey(id) else {
            throw LogQueryError(.invalid, "invalid record id", parameter: "id")
        }
        return try reading {
            let table = try currentTable()
            let conditions =
                table.columns.time(from: key.time, through: key.time)
                + ["tf_seq = \(key.sequence)", "tf_hash = \(key.hash)"]
            var rows = try self.rows { table in
                """
                \(table.columns.with) SELECT \(table.columns.selected) FROM \(table.name) \
                WHERE \(SQLText.allOf(conditions)) LIMIT 1
                """
            }
            guard !rows.isAtEnd else { return nil }
            let record = try table.columns.record(&rows).record
            func neighbours(_ isNewestFirst: Bool, _ count: Int) throws -> (
                records: [StoredRecord], reached: Timestamp?
            ) {
                guard count > 0 else { return ([], nil) }
                let limit = min(count, 10_000)
                var scan = try RecordScan(self, selection, isNewestFirst: isNewestFirst, after: key)
                let page = try scan.page(limit: limit, effort: 200_000)
                return (page.records, page.records.count == limit ? nil : page.reached)
            }
            let (before, after) = (try neighbours(true, before), try neighbours(false, after))
            var answer = RecordSurroundings(before: before.records.reversed(), record: record, after: after.records)
            (answer.beforeReached, answer.afterReached) = (before.reached, after.reached)
            return answer
        }
    }

    /// Counts records over time.
    public func histogram(_ request: HistogramRequest) throws(LogQueryError) -> Histogram {
        try reading { try RecordCounts(self).histogram(request) }
    }

    /// Returns the values of a field.
    public func values(_ request: ValuesRequest) throws(LogQueryError) -> FieldValues {
        try reading { try RecordCounts(self).values(request) }
    }

    /// Returns the devices, by name, with the positions of their records.
    public func devices() throws(LogQueryError) -> [LogDevice] {
        try reading { try RecordCounts(self).devices() }
    }

    // MARK: The server

    /// Returns the table, whose description is requested once, and again after an error.
    func currentTable() throws -> ClickHouseTable {
        if let known = table.withLock({ $0 }) { return known }
        let found = try ClickHouseTable(address, client)
        table.withLock { $0 = found }
        return found
    }

    /// Returns the rows of a query.
    func rows(_ query: (ClickHouseTable) -> String) throws -> RowBytes {
        let table = try currentTable()
        do throws(ClickHouseFailure) {
            return try client.rows(query(table), settings: table.settings, limitsTime: table.canSet)
        } catch {
            if case .refused = error { self.table.withLock { $0 = nil } }
            throw error
        }
    }

    /// Returns the first and the last time in the table, in nanoseconds; `nil` if it is empty.
    func bounds() throws -> (first: Int64, last: Int64)? {
        var rows = try self.rows { table in
            // ClickHouse returns the times of the partition key without reading rows.
            let times =
                table.columns.contains("TimestampTime")
                ? [
                    "toUnixTimestamp(min(TimestampTime)) * 1000000000",
                    "(toUnixTimestamp(max(TimestampTime)) + 1) * 1000000000 - 1",
                ]
                : ["toUnixTimestamp64Nano(min(Timestamp))", "toUnixTimestamp64Nano(max(Timestamp))"]
            return "SELECT toUInt64(count()), toInt64(\(times[0])), toInt64(\(times[1])) FROM \(table.name)"
        }
        let count = try rows.unsigned()
        let bounds = (try rows.signed(), try rows.signed())
        return count == 0 ? nil : bounds
    }

    /// Calls a function, and converts its errors to query errors. An unreachable server is reported once.
    private func reading<R>(reports: Bool = true, _ body: () throws -> R) throws(LogQueryError) -> R {
        let failure: LogQueryError
        do {
            let result = try body()
            isReported.withLock { $0 = false }
            return result
        } catch let error as LogQueryError {
            failure = error
        } catch let error as ClickHouseFailure {
            failure = error.error
        } catch {
            failure = LogQueryError(.unavailable, "\(address): \(error)")
        }
        if reports, failure.kind == .unavailable {
            let isNew = isReported.withLock { isReported in
                defer { isReported = true }
                return !isReported
            }
            if isNew { Diagnostics.report("queries cannot be answered: \(failure.reason)") }
        }
        throw failure
    }
}
#endif
