#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailQuery
internal import TaffrailText

/// Inserts records within one transaction, and collects the resulting changes to other tables.
struct LogInserter {
    private let db: Database
    private let insertion: RawStatement
    private let text: RawStatement
    private var tally = LogTally()
    private var devices: [Int64: Device] = [:]
    /// The keys of the new records, each with its position in the batch.
    private var added: [(id: Int64, index: Int)] = []
    /// The next key to try, for keys that are taken.
    private var free: [Int64: Int64] = [:]
    private var json: [UInt8] = []
    /// The number of records that were already in the store.
    private(set) var repeated = 0
    /// The number of records with the origin and number of another record.
    private(set) var conflicting = 0
    /// The number of records with a name beyond the limit of the day.
    private(set) var limited = 0
    /// The positions in the batch of records whose event is stored under the substitute name.
    private var otherEvents: Set<Int> = []
    /// The number of new records with each source location.
    private var sources: [Int64: Int64] = [:]

    /// The changes of a transaction to a device.
    private struct Device {
        var last = Int64.min
        var place: Int64?
        var placeTime = Int64.min
    }

    /// The number of new records.
    var inserted: Int { added.count }

    init(_ db: Database) throws {
        self.db = db
        insertion = try RawStatement(
            """
            INSERT INTO record(id, time, arrival, level, logger, device, event, origin, sequence, lat, lon, source, trace,
                message, attributes, indexed) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, db)
        text = try RawStatement("INSERT INTO record_text(rowid, message, event, indexed) VALUES(?, ?, ?, ?)", db)
    }

    /// Inserts a record, unless the store contains a record with the same origin, number, time and message.
    mutating func insert(_ record: StoredRecord, index: Int, _ names: inout LogNames) throws {
        let numbers = try names.numbers(of: record, db)
        let time = record.time.nanoseconds
        insertion.bind(2, time)
        insertion.bind(3, record.arrival.nanoseconds)
        insertion.bind(4, Int64(record.level.rawValue))
        insertion.bind(5, numbers.logger)
        insertion.bind(6, numbers.device)
        insertion.bind(7, numbers.event)
        insertion.bind(8, numbers.origin)
        insertion.bind(9, record.sequence.map { Int64(bitPattern: $0) })
        let place = record.coordinate.map(ScaledCoordinate.init)
        insertion.bind(10, place?.lat)
        insertion.bind(11, place?.lon)
        let source = try record.source.map { try names.number(of: $0, db) }
        insertion.bind(12, source)
        insertion.bind(13, blob: record.trace.map(LogRow.bytes))
        insertion.bind(14, text: record.message)
        let attributes = numbers.others.isEmpty ? record.attributes : record.attributes + numbers.others
        bind(attributes)
        insertion.bind(16, text: record.indexedText)
        guard
            let id = try insertAtFreeID(from: RecordID.of(time))
                ?? insertConflicting(record, attributes, numbers.origin)
        else {
            repeated += 1
            return
        }
        added.append((id, index))
        if !numbers.others.isEmpty { limited += 1 }
        if numbers.isOtherEvent { otherEvents.insert(index) }
        if let source { sources[source, default: 0] += 1 }
        tally.add(
            LogTallyKey(
                minute: LogSlot.minute(time), level: Int64(record.level.rawValue), logger: numbers.logger,
                device: numbers.device, event: numbers.event), 1)
        var device = devices[numbers.device] ?? Device()
        device.last = max(device.last, time)
        if record.coordinate != nil, time >= device.placeTime { (device.place, device.placeTime) = (id, time) }
        devices[numbers.device] = device
    }

    private mutating func bind(_ attributes: [LogValueEntry]) {
        guard !attributes.isEmpty else { return insertion.bind(15, nil) }
        json.removeAll(keepingCapacity: true)
        json.append(json: .map(attributes))
        insertion.bind(15, utf8: json)
    }

    /// Inserts the bound record without its number, which another record of its origin has; `nil` if it is already
    /// stored.
    private mutating func insertConflicting(
        _ record: StoredRecord, _ attributes: [LogValueEntry], _ origin: Int64
    ) throws -> Int64? {
        guard let sequence = record.sequence else { return nil }
        let first = RecordID.startOfMillisecond(RecordID.of(record.time.nanoseconds))
        // The record with the number, or a record that had a conflict before.
        for (condition, values) in [
            ("sequence = ?", [Int64(bitPattern: sequence)]),
            ("sequence IS NULL AND id >= ? AND id < ?", [first, RecordID.endOfMillisecond(first)]),
        ] {
            var isKnown = false
            try RawStatement.forEach(
                "SELECT time, message, arrival FROM record WHERE origin = ? AND \(condition)", [origin] + values, db
            ) { row in
                // Without a time of its origin, a repetition has a different time, that of its own arrival.
                let hasNoTime = row[0] == row[2] && record.time == record.arrival
                let isSame = hasNoTime || row[0] == record.time.nanoseconds
                isKnown = isKnown || isSame && ExactText(row.text(1)) == ExactText(record.message)
            }
            if isKnown { return nil }
        }
        insertion.bind(9, nil)
        bind(attributes + [LogValueEntry(OriginAttributes.sequence, .string("\(sequence)"))])
        guard let id = try insertAtFreeID(from: RecordID.of(record.time.nanoseconds)) else { return nil }
        conflicting += 1
        return id
    }

    /// Inserts the bound record with the first free key; `nil` if another record has its origin and number.
    private mutating func insertAtFreeID(from first: Int64) throws -> Int64? {
        var id = free[first] ?? first
        var attempts = 0
        while true {
            insertion.bind(1, id)
            guard let code = try insertion.runUnlessForbidden() else { break }
            // The constraint of origin and number.
            if code == .SQLITE_CONSTRAINT_UNIQUE { return nil }
            guard code == .SQLITE_CONSTRAINT_PRIMARYKEY || code == .SQLITE_CONSTRAINT_ROWID else {
                throw DatabaseError(resultCode: code)
            }
            attempts += 1
            id = attempts < 4 ? id + 1 : try firstFreeID(from: id)
        }
        if id != first {
            if free.count > 4_096 { free = [:] }
            free[first] = id + 1
        }
        return id
    }

    /// Returns the first free key, starting at a key that is taken.
    private func firstFreeID(from id: Int64) throws -> Int64 {
        var free = id
        let statement = try RawStatement("SELECT id FROM record WHERE id >= ? ORDER BY id", db)
        statement.bind(1, id)
        defer { statement.reset() }
        while try statement.step(), statement[0] == free {
            // This requires a sender without a clock, and that many records after the year 2248.
            guard free < .max else { throw StoreError(.other, "no key is free") }
            free += 1
        }
        return free
    }

    /// Writes the resulting changes to the index of words, the counts and the devices.
    ///
    /// - Parameter open: The newest hour that has had records.
    mutating func finish(_ records: [StoredRecord], open: inout Int64?) throws {
        // The index expects keys in ascending order; each exception makes it write a separate segment.
        if zip(added, added.dropFirst()).contains(where: { $0.id > $1.id }) { added.sort { $0.id < $1.id } }
        for (id, index) in added {
            text.bind(1, id)
            text.bind(2, text: records[index].message)
            let event = otherEvents.contains(index) ? NameBudget.substitute : records[index].eventName
            text.bind(3, text: event?.storable)
            text.bind(4, text: records[index].indexedText)
            try text.run()
        }
        try tally.write(db, open: &open)
        let use = try RawStatement("UPDATE source SET records = records + ? WHERE id = ?", db)
        for (source, count) in sources {
            use.bind(1, count)
            use.bind(2, source)
            try use.run()
        }
        let update = try RawStatement(
            """
            UPDATE device SET last = max(ifnull(last, ?1), ?1), place = CASE WHEN ?2 IS NOT NULL AND
                ifnull((SELECT time FROM record WHERE id = place), ?3) <= ?3 THEN ?2 ELSE place END WHERE id = ?4
            """, db)
        for (number, device) in devices {
            update.bind(1, device.last)
            update.bind(2, device.place)
            update.bind(3, device.placeTime)
            update.bind(4, number)
            try update.run()
        }
    }
}
#endif
