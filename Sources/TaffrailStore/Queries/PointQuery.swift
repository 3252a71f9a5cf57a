#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// A ``TrackQuery`` in terms of the tables, read page by page.
///
/// If the query has a device, a session or a box, only the hours of blocks that may contain such points are read,
/// except hours whose overviews miss the box.
struct PointQuery {
    private var lower = Int64.min
    private var upper = Int64.max
    private var condition = ""
    private var arguments: [Int64] = []
    /// The blocks whose hours may contain points, in the order of the query; `nil`: all.
    private var blocks: [Block]?
    /// The index of the first block that has not been read yet.
    private var next = 0
    /// The boxes in which a point must be, each with one or two parts; empty if overviews are not used.
    private var boxes: [[BlockBox]] = []
    private let isNewestFirst: Bool
    private let circle: NamedPlace?
    private var isEmpty = false
    /// The key at which the next page begins.
    private var cursor: PointKeyPair?

    private struct Block {
        var id: Int64
        var hour: Int64
    }

    /// The key of a row.
    private struct PointKeyPair {
        var time: Int64
        var hash: Int64
    }

    /// The columns, in the order in which ``point(_:)`` reads them.
    private static let columns = """
        p.time, p.hash, p.nanoseconds, p.lat, p.lon, p.hacc, p.speed, p.altitude, p.course, p.vacc, p.climb, p.battery, p.zone,
        p.sequence, p.flags, p.seen, d.name, s.name, s.run, o.name
        """

    /// - Parameter hasOverviews: Whether the store has overviews of blocks.
    init(_ query: TrackQuery, hasOverviews: Bool, _ db: Database) throws {
        isNewestFirst = query.isNewestFirst
        circle = query.place
        if let since = query.since { lower = since.milliseconds() }
        // Rows are found by milliseconds: a bound within a millisecond includes the whole millisecond.
        if let until = query.until { upper = until.milliseconds(roundedUp: true) }
        if !query.includesExcluded { add(" AND p.flags & ? = 0", [TrackPoint.Flags.excluded.rawValue]) }
        var table = "block k"
        var blockCondition = ""
        var blockArguments: [Int64] = []
        if let device = query.device {
            let number = try StoreReader.devices(device, db).first?.number
            isEmpty = isEmpty || number == nil
            add(" AND p.device = ?", [number ?? 0])
            blockCondition += " AND k.device = ?"
            blockArguments.append(number ?? 0)
        }
        if let session = query.session {
            let devices = try restrict(toSession: session, db)
            blockCondition += " AND k.device IN (" + devices.map { _ in "?" }.joined(separator: ", ") + ")"
            blockArguments += devices
        }
        for (name, box) in [
            ("b", query.box), ("c", circle.map { CoordinateBox(around: $0.center, radius: $0.radius) }),
        ] {
            guard let box else { continue }
            let boxes = box.blocks
            self.boxes.append(boxes)
            table += " JOIN block_box \(name) ON \(name).id = k.id"
            let overlap = "\(name).north >= ? AND \(name).south <= ? AND \(name).east >= ? AND \(name).west <= ?"
            let within = "p.lat BETWEEN ? AND ? AND p.lon BETWEEN ? AND ?"
            blockCondition += " AND (" + boxes.map { _ in "(\(overlap))" }.joined(separator: " OR ") + ")"
            blockArguments += boxes.flatMap { [$0.south, $0.north, $0.west, $0.east] }
            add(
                " AND (" + boxes.map { _ in "(\(within))" }.joined(separator: " OR ") + ")",
                boxes.flatMap { [$0.south, $0.north, $0.west, $0.east] })
        }
        if !hasOverviews { boxes = [] }
        guard query.device != nil || query.box != nil || circle != nil || query.session != nil else { return }
        var found: [Block] = []
        try RawStatement.forEach(
            "SELECT k.id, k.hour FROM \(table) WHERE k.last >= ? AND k.first < ?\(blockCondition) ORDER BY k.hour"
                + (isNewestFirst ? " DESC" : ""), [lower, upper] + blockArguments, db
        ) { found.append(Block(id: $0[0], hour: $0[1])) }
        blocks = found
    }

    /// Restricts the query to the positions of a session.
    ///
    /// - Returns: The devices of the session.
    private mutating func restrict(toSession session: String, _ db: Database) throws -> [Int64] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, first, last, device FROM session WHERE name = ? AND points > 0", arguments: [session])
        isEmpty = isEmpty || rows.isEmpty
        add(
            " AND p.session IN (" + rows.map { _ in "?" }.joined(separator: ", ") + ")", rows.map { $0["id"] as Int64 })
        if let first = rows.map({ $0["first"] as Int64 }).min() { lower = max(lower, first) }
        if let last = rows.map({ $0["last"] as Int64 }).max() { upper = min(upper, last &+ 1) }
        return rows.map { $0["device"] }
    }

    private mutating func add(_ text: String, _ values: [Int64]) {
        condition += text
        arguments += values
    }

    /// Reads the next points, at most `count`; returns none at the end.
    mutating func next(_ count: Int, _ db: Database) throws -> [TrackPoint] {
        var points: [TrackPoint] = []
        while !isEmpty, points.count < count, let span = nextSpan() {
            if cursor == nil, try isMissed(db) {
                leave()
                continue
            }
            let wanted = count - points.count
            var found = 0
            var last = cursor
            try forEachRow(in: span, wanted, db) { [circle] row in
                found += 1
                last = PointKeyPair(time: row[0], hash: row[1])
                let point = Self.point(row)
                guard circle.map({ $0.center.distance(to: point.coordinate) <= $0.radius }) ?? true else { return }
                points.append(point)
            }
            cursor = last
            // An exhausted span is left.
            if found < wanted { leave() }
        }
        return points
    }

    /// Returns the times to read next: from the first, inclusive, to the second, exclusive.
    private func nextSpan() -> (Int64, Int64)? {
        guard let blocks else { return lower < upper ? (lower, upper) : nil }
        guard next < blocks.count else { return nil }
        let hour = blocks[next].hour
        return (max(lower, hour &* BlockKey.length), min(upper, (hour &+ 1) &* BlockKey.length))
    }

    /// Returns whether the overviews of all blocks in the next hour miss one of the boxes.
    private func isMissed(_ db: Database) throws -> Bool {
        guard let blocks, !boxes.isEmpty else { return false }
        for block in blocks[next...].prefix(while: { $0.hour == blocks[next].hour }) {
            guard let overview = try BlockOverview.stored(block.id, hour: block.hour, db),
                boxes.contains(where: { $0.allSatisfy(overview.misses) })
            else { return false }
        }
        return true
    }

    private mutating func leave() {
        cursor = nil
        guard let blocks, next < blocks.count else {
            isEmpty = true
            return
        }
        let hour = blocks[next].hour
        while next < blocks.count, blocks[next].hour == hour { next += 1 }
    }

    private func forEachRow(
        in span: (Int64, Int64), _ count: Int, _ db: Database, _ body: (RawStatement) -> Void
    ) throws {
        var sql = """
            SELECT \(Self.columns) FROM point p JOIN device d ON d.id = p.device JOIN session s ON s.id = p.session
            LEFT JOIN source o ON o.id = p.source WHERE p.time >= ? AND p.time < ?
            """
        var values = [span.0, span.1]
        if let cursor {
            sql += isNewestFirst ? " AND (p.time, p.hash) < (?, ?)" : " AND (p.time, p.hash) > (?, ?)"
            values += [cursor.time, cursor.hash]
        }
        sql +=
            condition + (isNewestFirst ? " ORDER BY p.time DESC, p.hash DESC" : " ORDER BY p.time, p.hash") + " LIMIT ?"
        values += arguments + [Int64(count)]
        try RawStatement.forEach(sql, values, db, body)
    }

    private static func point(_ row: RawStatement) -> TrackPoint {
        var point = TrackPoint(
            timestamp: Timestamp(nanoseconds: row[0] &* 1_000_000 &+ row[2]), lat: 0, lon: 0, device: row.text(16),
            session: row.text(17))
        var numbers = PointRow(point)
        numbers.lat = row[3]
        numbers.lon = row[4]
        numbers.hAcc = row.optionalInt(5)
        numbers.speed = row.optionalInt(6)
        numbers.altitude = row.optionalInt(7)
        numbers.course = row.optionalInt(8)
        numbers.verticalAccuracy = row.optionalInt(9)
        numbers.climb = row.optionalInt(10)
        numbers.battery = row.optionalInt(11)
        numbers.localOffset = row.optionalInt(12)
        numbers.setValues(of: &point)
        point.sequence = row.optionalInt(13).map { UInt64(bitPattern: $0) }
        point.flags = TrackPoint.Flags(rawValue: row[14])
        point.lastSeen = row.optionalInt(15).map { Timestamp(nanoseconds: $0 &* 1_000_000) }
        point.run = row.optionalText(18).flatMap { RingID($0) }
        point.source = row.optionalText(19)
        return point
    }
}
#endif
