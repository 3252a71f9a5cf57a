#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailText

/// Inserts points within one transaction, and adds up the resulting changes elsewhere.
struct PointInserter {
    private let db: Database
    private let connection: StoreConnection
    private let insertion: RawStatement
    private let repetition: RawStatement
    private var blocks: [BlockKey: PointTally] = [:]
    private var sessions: [Int64: PointTally] = [:]
    /// The changes of the last points to their block and session; not yet in `blocks` and `sessions`.
    private var tally = PointTally()
    private var tallied: (block: BlockKey, session: Int64)?
    /// The names of the last point.
    private var names: Names?
    /// The numbers that represent them.
    private var numbers = Numbers()
    /// The numbers of points that were new, and that were in the store.
    private(set) var saved = TrackStore.Saved()
    /// The times of the first and the last new point.
    private(set) var first = Int64.max
    private(set) var last = Int64.min

    init(_ db: Database, _ connection: StoreConnection) throws {
        self.db = db
        self.connection = connection
        insertion = try RawStatement(
            """
            INSERT OR IGNORE INTO point(time, hash, nanoseconds, lat, lon, hacc, speed, altitude, course, vacc, climb,
                device, source, session, battery, zone, sequence, flags)
            VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, db)
        repetition = try RawStatement("UPDATE point SET seen = ? WHERE time = ? AND hash = ?", db)
    }

    /// Inserts a point; one that is in the store is only marked as seen again.
    ///
    /// - Parameter now: Milliseconds since 1970.
    mutating func insert(_ point: TrackPoint, now: Int64) throws {
        let numbers = try numbers(of: point)
        let row = PointRow(point)
        let key = PointKey(timestamp: point.timestamp, lat: row.lat, lon: row.lon, device: numbers.hash)
        let hash = Int64(bitPattern: key.hash)
        insertion.bind(1, key.time)
        insertion.bind(2, hash)
        insertion.bind(3, key.nanoseconds)
        insertion.bind(4, row.lat)
        insertion.bind(5, row.lon)
        insertion.bind(6, row.hAcc)
        insertion.bind(7, row.speed)
        insertion.bind(8, row.altitude)
        insertion.bind(9, row.course)
        insertion.bind(10, row.verticalAccuracy)
        insertion.bind(11, row.climb)
        insertion.bind(12, numbers.device)
        insertion.bind(13, numbers.source)
        insertion.bind(14, numbers.session)
        insertion.bind(15, row.battery)
        insertion.bind(16, row.localOffset)
        insertion.bind(17, point.sequence.map { Int64(bitPattern: $0) })
        insertion.bind(18, point.flags.subtracting(.excluded).rawValue)
        try insertion.run()
        guard db.changesCount > 0 else {
            saved.repeated += 1
            repetition.bind(1, now)
            repetition.bind(2, key.time)
            repetition.bind(3, hash)
            return try repetition.run()
        }
        saved.inserted += 1
        if let tallied, tallied.session == numbers.session, tallied.block.contains(key.time),
            tallied.block.device == numbers.device
        {
            return tally.add(key, row)
        }
        closeTally()
        tallied = (BlockKey(device: numbers.device, time: key.time), numbers.session)
        tally.add(key, row)
    }

    private mutating func closeTally() {
        guard let tallied else { return }
        first = min(first, tally.first)
        last = max(last, tally.last)
        blocks[tallied.block, default: PointTally()].add(tally)
        sessions[tallied.session, default: PointTally()].add(tally)
        tally = PointTally()
        self.tallied = nil
    }

    /// Writes the resulting changes to sessions and blocks.
    mutating func finish() throws {
        closeTally()
        for (session, tally) in sessions {
            try db.cachedStatement(
                sql: """
                    UPDATE session SET points = points + ?, first = min(first, ?), last = max(last, ?) WHERE id = ?
                    """
            ).execute(arguments: [tally.points, tally.first, tally.last, session])
        }
        var earliest: [Int64: Int64] = [:]
        for (block, tally) in blocks {
            try add(tally, to: block)
            earliest[block.device] = min(earliest[block.device] ?? tally.first, tally.first)
        }
        for (device, time) in earliest {
            try connection.undoAnalysis(of: device, from: time, db)
        }
    }

    private func add(_ tally: PointTally, to block: BlockKey) throws {
        guard let added = tally.box else { return }
        let id = try Int64.fetchOne(
            try db.cachedStatement(
                sql: """
                    INSERT INTO block(device, hour, points, first, last) VALUES(?, ?, ?, ?, ?)
                    ON CONFLICT(device, hour) DO UPDATE SET points = points + excluded.points,
                        first = min(first, excluded.first), last = max(last, excluded.last)
                    RETURNING id
                    """),
            arguments: [block.device, block.hour, tally.points, tally.first, tally.last])
        guard let id else { return }
        try connection.forgetOverviews(of: block.device, in: block.hour...block.hour, db)
        let known = try connection.boxes[id] ?? box(id)
        var box = known ?? added
        box.add(added)
        if connection.boxes.count > 64 { connection.boxes = [:] }
        connection.boxes[id] = box
        guard box != known else { return }
        try box.store(of: id, db)
    }

    private func box(_ id: Int64) throws -> BlockBox? {
        let statement = try db.cachedStatement(sql: "SELECT south, north, west, east FROM block_box WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id]).map {
            BlockBox(south: $0[0], north: $0[1], west: $0[2], east: $0[3])
        }
    }

    // MARK: Names

    /// The names of a point, which are compared by their bytes, as in the tables.
    private struct Names: Equatable {
        var device: ExactText
        var source: ExactText?
        var session: ExactText

        init(_ point: TrackPoint) {
            device = ExactText(point.device)
            source = point.source.map(ExactText.init(_:))
            session = ExactText(point.session)
        }
    }

    /// The numbers that represent the names of a point, and the hash of its device.
    private struct Numbers {
        var device: Int64 = 0
        var hash: UInt64 = 0
        var source: Int64?
        var session: Int64 = 0
    }

    private mutating func numbers(of point: TrackPoint) throws -> Numbers {
        let names = Names(point)
        if names == self.names { return numbers }
        let device = try device(names.device)
        numbers = Numbers(
            device: device.number, hash: device.hash, source: try names.source.map(source),
            session: try session(names.session, point.run, of: device.number))
        self.names = names
        return numbers
    }

    private func device(_ name: ExactText) throws -> (number: Int64, hash: UInt64) {
        if let known = connection.names.devices[name] { return known }
        let found = (number: try number(of: name, in: "device"), hash: PointKey.hash(of: name.text))
        connection.names.devices.add(name, found)
        return found
    }

    private func source(_ name: ExactText) throws -> Int64 {
        if let known = connection.names.sources[name] { return known }
        let found = try number(of: name, in: "source")
        connection.names.sources.add(name, found)
        return found
    }

    private func number(of name: ExactText, in table: String) throws -> Int64 {
        let arguments: StatementArguments = [name.text.storable]
        try db.execute(sql: "INSERT OR IGNORE INTO \(table)(name) VALUES(?)", arguments: arguments)
        return try db.number("SELECT id FROM \(table) WHERE name = ?", arguments)
    }

    private func session(_ name: ExactText, _ run: RingID?, of device: Int64) throws -> Int64 {
        let key = NameTable.SessionName(name: name, device: device)
        if let known = connection.names.sessions[key] { return known }
        let text = name.text.storable
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO session(name, device, run, points, first, last) VALUES(?, ?, ?, 0, ?, ?)
                """, arguments: [text, device, run?.description, Int64.max, Int64.min])
        let number = try db.number("SELECT id FROM session WHERE name = ? AND device = ?", [text, device])
        connection.names.sessions.add(key, number)
        return number
    }
}
#endif
