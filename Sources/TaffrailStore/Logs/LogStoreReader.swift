#if Store
internal import GRDB
public import Taffrail
internal import TaffrailGeo
public import TaffrailQuery

/// Answers queries about a store of records, even while another process writes it. Read-only.
///
/// Any thread; a call blocks during disk operations, at most for its `QueryBudget`. Pages and counts have separate
/// connections, so that slow counts never delay a page.
public final class LogStoreReader: LogQuery {
    /// The path of the database.
    public let path: String
    let pages: ReaderPool
    let counts: ReaderPool
    /// The maximum number of connections of each kind.
    private static let connections = 3
    /// The maximum number of bytes of messages and attributes in a page, unless a single record has more.
    static let mostBytes = 4 << 20

    /// Opens a store.
    ///
    /// - Throws: ``StoreError``, of kind ``StoreError/Kind/missing`` if it does not exist.
    public init(_ path: String) throws(StoreError) {
        let path = DestinationPath.resolved(path)
        self.path = path
        let file = StoreFile(path: path, kind: .records)
        guard try file.exists() else { throw StoreError(.missing, "\(path): no such store") }
        do {
            pages = try ReaderPool(file, count: Self.connections)
            counts = try ReaderPool(file, count: Self.connections)
            let version = try pages.read { try Int32.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
            try file.check(version)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// The size of the database and its write-ahead log.
    public var size: ByteSize {
        ByteSize(bytes: Int(clamping: StoreFile(path: path, kind: .records).size))
    }

    /// Writes a copy of the current state of the store into a file that must not exist, while others may save.
    public func backUp(to file: String) throws(StoreError) {
        let store = StoreFile(path: path, kind: .records)
        do { try store.backUp(try store.openForReading(), to: file) } catch { throw StoreError(error, path: path) }
    }

    // MARK: Records

    /// Returns a page of records.
    public func records(_ request: RecordRequest) throws(LogQueryError) -> RecordPage {
        if request.clock == .arrival { return try arrivals(request) }
        var cursor: Int64?
        if let text = request.cursor {
            guard let id = RecordID.number(text) else {
                throw LogQueryError(.invalid, "invalid cursor", parameter: "cursor")
            }
            cursor = id
        }
        let limit = min(max(1, request.limit), 10_000)
        return try read(pages) { [cursor] db in
            try Self.withPlan(request.selection, db) { plan in
                var names = LogNameCache(db)
                var page = RecordPage()
                var last: Int64?
                var bytes = 0
                var scan = LogScan(
                    plan, isNewestFirst: request.isNewestFirst, after: cursor, effort: request.effort, db)
                let end = try scan.forEach { row in
                    // One record more than fits shows that there is a next page.
                    guard page.records.count < limit, bytes < Self.mostBytes else { return false }
                    bytes += row.byteCount
                    page.records.append(try row.record(&names))
                    last = row.id
                    return true
                }
                switch end {
                case .exhausted: break
                case .stopped: page.next = last.map(RecordID.text)
                case .effort(let id): page.next = RecordID.text(id)
                }
                if page.next != nil {
                    let id: Int64? = if case .effort(let id) = end { id } else { last }
                    page.reached = id.map { Timestamp(nanoseconds: RecordID.time($0)) }
                }
                return page
            }
        }
    }

    /// Returns a record and its neighbours.
    public func records(
        around id: String, before: Int, after: Int, matching selection: LogSelection
    ) throws(LogQueryError) -> RecordSurroundings? {
        guard let number = RecordID.number(id) else {
            throw LogQueryError(.invalid, "invalid record id", parameter: "id")
        }
        return try read(pages) { db in
            var names = LogNameCache(db)
            let statement = try RawStatement("SELECT \(LogRow.columns) FROM record WHERE id = ?", db)
            statement.bind(1, number)
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            let record = try LogRow(statement: statement).record(&names)
            return try Self.withPlan(selection, db) { plan in
                func neighbours(_ isNewestFirst: Bool, _ count: Int) throws -> ([StoredRecord], reached: Timestamp?) {
                    guard count > 0 else { return ([], nil) }
                    var found: [StoredRecord] = []
                    var bytes = 0
                    var scan = LogScan(plan, isNewestFirst: isNewestFirst, after: number, effort: 200_000, db)
                    let end = try scan.forEach { row in
                        bytes += row.byteCount
                        found.append(try row.record(&names))
                        return found.count < min(count, 10_000) && bytes < Self.mostBytes
                    }
                    switch end {
                    case .exhausted: return (found, nil)
                    case .stopped where found.count == count: return (found, nil)
                    case .stopped(let id), .effort(let id): return (found, Timestamp(nanoseconds: RecordID.time(id)))
                    }
                }
                let (before, after) = (try neighbours(true, before), try neighbours(false, after))
                var answer = RecordSurroundings(before: before.0.reversed(), record: record, after: after.0)
                (answer.beforeReached, answer.afterReached) = (before.reached, after.reached)
                return answer
            }
        }
    }

    // MARK: Counts

    /// Counts records over time.
    public func histogram(_ request: HistogramRequest) throws(LogQueryError) -> Histogram {
        try read(counts) { db in
            try Self.withPlan(request.selection, db) { try LogHistogram(request, $0, db).answer() }
        }
    }

    /// Returns the values of a field.
    public func values(_ request: ValuesRequest) throws(LogQueryError) -> FieldValues {
        try read(counts) { db in
            try Self.withPlan(request.selection, db) { try LogValues(request, $0, db).answer() }
        }
    }

    /// Returns the devices, by name.
    public func devices() throws(LogQueryError) -> [LogDevice] {
        try read(counts) { db in
            var counts: [Int64: Int] = [:]
            try LogTallyWalk(LogPlan(LogSelection(), db), db).forEach(.min, .max, longest: .max) {
                counts[$0.device, default: 0] += $0.count
            }
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT device.id, device.name, device.last, record.lat, record.lon, record.time
                    FROM device LEFT JOIN record ON record.id = device.place AND record.device = device.id
                    ORDER BY device.name
                    """)
            return rows.compactMap { row in
                // If the records of a device were deleted, only its name remains.
                guard let count = counts[row[0]] else { return nil }
                var device = LogDevice(name: row[1], records: count)
                device.last = (row[2] as Int64?).map { Timestamp(nanoseconds: $0) }
                if let lat = row[3] as Int64?, let lon = row[4] as Int64?, let time = row[5] as Int64? {
                    device.coordinate = Coordinate(latitude: Double(lat) / 1e7, longitude: Double(lon) / 1e7)
                    device.coordinateTime = Timestamp(nanoseconds: time)
                }
                return device
            }
        }
    }

    // MARK: Deleting

    /// Returns the keys of the next records that match a selection and arrived in a range of time, in the order of
    /// arrival, and the position after which to continue.
    func ids(
        _ selection: LogSelection, arrivedFrom start: Int64, to end: Int64, after cursor: ArrivalScan.Position?,
        _ limit: Int
    ) throws(StoreError) -> (ids: [Int64], next: ArrivalScan.Position?) {
        var request = RecordRequest(selection)
        (request.isNewestFirst, request.effort) = (false, .max)
        (request.arrivedSince, request.arrivedUntil) = (Timestamp(nanoseconds: start), Timestamp(nanoseconds: end))
        do {
            return try counts.read { [request] db in
                var ids: [Int64] = []
                var last: ArrivalScan.Position?
                let plan = try LogPlan(selection, usesWords: false, db)
                let end = try ArrivalScan(plan, request, after: cursor, db).forEach { row in
                    ids.append(row.id)
                    last = ArrivalScan.Position(arrival: row.arrival, id: row.id)
                    return ids.count < limit
                }
                switch end {
                case .exhausted: return (ids, nil)
                case .stopped: return (ids, last)
                case .effort(let position): return (ids, position)
                }
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Returns the keys of the next records that match a selection and arrived before a time, and the key after which
    /// to continue.
    func ids(
        _ selection: LogSelection, arrivedBefore cutoff: Int64, after cursor: Int64?, _ limit: Int
    ) throws(StoreError) -> (ids: [Int64], next: Int64?) {
        do {
            return try counts.read { db in
                try Self.withPlan(selection, db) { plan in
                    var ids: [Int64] = []
                    var scan = LogScan(plan, isNewestFirst: false, after: cursor, effort: 100_000, db)
                    let end = try scan.forEach { row in
                        if row.arrival < cutoff { ids.append(row.id) }
                        return ids.count < limit
                    }
                    switch end {
                    case .exhausted: return (ids, nil)
                    case .stopped(let id), .effort(let id): return (ids, id)
                    }
                }
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    // MARK: Reading

    func read<R>(_ pool: ReaderPool, _ body: (Database) throws -> R) throws(LogQueryError) -> R {
        do { return try pool.read(body) } catch { throw LogQueryError(StoreError(error, path: path)) }
    }

    /// Runs a body with the plan of a selection. If the index of words rejects the selection, the rows are tested
    /// instead.
    private static func withPlan<R>(_ selection: LogSelection, _ db: Database, _ body: (LogPlan) throws -> R) throws
        -> R
    {
        let plan = try LogPlan(selection, db)
        guard plan.match != nil else { return try body(plan) }
        do { return try body(plan) } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            return try body(LogPlan(selection, usesWords: false, db))
        }
    }
}
#endif
