#if HTTP
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailQuery
internal import TaffrailText

/// Counts records: on the server if SQL can express the selection, otherwise by reading the candidates.
struct RecordCounts {
    private let store: ClickHouseStore
    private let table: ClickHouseTable

    /// The number of records read at a time.
    private static let chunk = 5_000
    /// The maximum number of groups, values or devices in a result.
    private static let most = 500_000
    /// Counts a record that was sent twice once.
    private static let count = "toUInt64(uniqExact(tf_time, tf_seq, tf_hash))"

    init(_ store: ClickHouseStore) throws {
        self.store = store
        table = try store.currentTable()
    }

    private func clause(_ selection: LogSelection) -> SelectionClause {
        SelectionClause(selection, table.columns, readsExactly: table.canSet)
    }

    /// Returns the conditions of a selection, including the time range; `nil` if the range is empty.
    private func conditions(_ selection: LogSelection, _ clause: SelectionClause) -> [String]? {
        let (since, until) = selection.range
        if let until, until == .min || until - 1 < since ?? .min { return nil }
        return table.columns.time(from: since, through: until.map { $0 - 1 }) + clause.conditions
    }

    /// Calls a function with the selected records, newest first.
    ///
    /// - Returns: The time from which all records were read; `nil` if all were read.
    private func forEach(
        _ selection: LogSelection, effort: Int, _ body: (StoredRecord) throws -> Void
    ) throws -> Timestamp? {
        var scan = try RecordScan(store, selection, isNewestFirst: true, after: nil)
        var looked = 0
        while true {
            let chunk = try scan.next(max(1, min(Self.chunk, effort - looked)))
            for row in chunk.rows where scan.isExact || selection.matches(row.record) { try body(row.record) }
            looked += chunk.rows.count
            if chunk.isLast { return nil }
            if looked >= effort || QueryBudget.current?.isNearlyOver == true {
                return scan.key.map { Timestamp(nanoseconds: $0.time) }
            }
        }
    }

    // MARK: Over time

    func histogram(_ request: HistogramRequest) throws -> Histogram {
        let clause = self.clause(request.selection)
        let none = Histogram(interval: request.interval ?? .minutes(1))
        guard let conditions = self.conditions(request.selection, clause) else { return none }
        var (since, until) = request.selection.range
        if since == nil || until == nil {
            guard let bounds = try store.bounds() else { return none }
            since = since ?? bounds.first
            until = until ?? (bounds.last == .max ? .max : bounds.last + 1)
        }
        guard let since, let until, since < until else { return none }
        let interval = HistogramRequest.interval(request, since: since, until: until)
        guard interval > 0 else { throw LogQueryError(.invalid, "the interval must be at least a millisecond") }
        var result = Histogram(interval: .nanoseconds(interval))
        var buckets: [Int64: [String: Int]] = [:]
        var groups = 0
        func add(_ start: Int64, _ group: String, _ count: Int) throws {
            result.total += count
            let old = buckets[start]?[group]
            buckets[start, default: [:]][group] = (old ?? 0) + count
            groups += old == nil ? 1 : 0
            guard groups <= Self.most else { throw LogQueryError(.invalid, "there are more than 500,000 groups") }
        }
        if clause.isExact {
            let step = "toInt64(\(interval))"
            var rows = try store.rows { table in
                """
                \(table.columns.with), tf_time - (tf_time % \(step) + \(step)) % \(step) AS tf_bucket, \
                \(Self.group(request.grouping)) AS tf_group \
                SELECT toInt64(tf_bucket), tf_group, \(Self.count) FROM \(table.name) \
                WHERE \(SQLText.allOf(conditions)) GROUP BY tf_bucket, tf_group LIMIT \(Self.most + 1)
                """
            }
            while !rows.isAtEnd {
                let (start, group) = (try rows.signed(), try rows.string())
                try add(start, Self.name(group, request.grouping), Int(clamping: try rows.unsigned()))
            }
        } else {
            result.since = try forEach(request.selection, effort: request.effort) { record in
                let start = CivilTime.floorDivide(record.time.nanoseconds, by: interval) * interval
                try add(start, Self.group(of: record, request.grouping), 1)
            }
        }
        result.buckets = buckets.sorted { $0.key < $1.key }.map {
            Histogram.Bucket(time: Timestamp(nanoseconds: $0.key), counts: $0.value)
        }
        return result
    }

    /// Returns the expression by which records are grouped, as a string.
    private static func group(_ grouping: LogGrouping?) -> String {
        switch grouping {
        case .level: "toString(tf_level)"
        case .logger: "toString(ScopeName)"
        case .device: "tf_device"
        case .event: "tf_event"
        case nil: "''"
        }
    }

    private static func name(_ group: String, _ grouping: LogGrouping?) -> String {
        grouping == .level ? UInt8(group).flatMap { Level(rawValue: $0) }?.name ?? "" : group
    }

    private static func group(of record: StoredRecord, _ grouping: LogGrouping?) -> String {
        switch grouping {
        case .level: record.level.name
        case .logger: record.logger
        case .device: record.device
        case .event: record.eventName ?? ""
        case nil: ""
        }
    }

    // MARK: Values

    func values(_ request: ValuesRequest) throws -> FieldValues {
        let clause = self.clause(request.selection)
        let grouping = LogGrouping(rawValue: request.field)
        let key = request.field.hasPrefix("@") ? String(request.field.dropFirst()) : request.field
        guard !key.isEmpty else { throw LogQueryError(.invalid, "the field has no name") }
        var result = FieldValues(values: [], distinct: 0)
        guard var conditions = self.conditions(request.selection, clause) else { return result }
        let limit = min(max(1, request.limit), 20_000)
        if clause.isExact {
            if grouping == .event { conditions.append("tf_event != ''") }
            if grouping == nil { conditions.append(table.columns.exists(key)) }
            let value = grouping == nil ? table.columns.value(key) : Self.group(grouping)
            // Levels are sorted by their names, which SQL does not know.
            let most = grouping == .level ? Self.most : limit
            var rows = try store.rows { table in
                """
                SELECT tf_group, tf_count, toUInt64(count() OVER ()) FROM (\(table.columns.with), toString(\(value)) AS tf_group \
                SELECT tf_group, \(Self.count) AS tf_count FROM \(table.name) \
                WHERE \(SQLText.allOf(conditions)) GROUP BY tf_group) ORDER BY tf_count DESC, tf_group LIMIT \(most)
                """
            }
            while !rows.isAtEnd {
                let group = Self.name(try rows.string(), grouping)
                let count = Int(clamping: try rows.unsigned())
                result.values.append(FieldValues.Count(value: .string(group), count: count))
                result.distinct = Int(clamping: try rows.unsigned())
            }
            if grouping == .level {
                result.values.sort { ($1.count, $0.value.description) < ($0.count, $1.value.description) }
                result.values = Array(result.values.prefix(limit))
            }
        } else {
            var counts: [ExactText: Int] = [:]
            result.since = try forEach(request.selection, effort: request.effort) { record in
                let text: String? =
                    switch grouping {
                    case .event: record.eventName
                    case nil: record[key].map(\.description)
                    default: Self.group(of: record, grouping)
                    }
                guard let value = text.map({ ExactText($0) }) else { return }
                if counts.count >= Self.most, counts[value] == nil {
                    result.uncounted += 1
                } else {
                    counts[value, default: 0] += 1
                }
            }
            result.distinct = counts.count
            result.values = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit).map {
                FieldValues.Count(value: .string($0.key.text), count: $0.value)
            }
        }
        return result
    }

    // MARK: Devices

    func devices() throws -> [LogDevice] {
        var rows = try store.rows { table in
            """
            \(table.columns.with) SELECT tf_device, \(Self.count), max(tf_time), toUInt8(countIf(tf_placed) > 0), \
            argMaxIf((assumeNotNull(tf_lat), assumeNotNull(tf_lon)), tf_time, tf_placed), maxIf(tf_time, tf_placed) \
            FROM \(table.name) GROUP BY tf_device ORDER BY tf_device LIMIT \(Self.most)
            """
        }
        var devices: [LogDevice] = []
        while !rows.isAtEnd {
            var device = LogDevice(name: try rows.string(), records: Int(clamping: try rows.unsigned()))
            device.last = Timestamp(nanoseconds: try rows.signed())
            let isPlaced = try rows.byte() != 0
            let place = Coordinate(latitude: try rows.double(), longitude: try rows.double())
            let time = Timestamp(nanoseconds: try rows.signed())
            if isPlaced { (device.coordinate, device.coordinateTime) = (place, time) }
            devices.append(device)
        }
        return devices
    }
}
#endif
