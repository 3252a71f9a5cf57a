#if Store
internal import GRDB
public import Taffrail
internal import TaffrailText

extension StoreReader {
    /// A summary of the points of one device in one session.
    public struct Session: Sendable, Hashable {
        /// The session's name.
        public var name: String
        /// The device.
        public var device: String
        /// The number of points.
        public var points: Int
        /// The time of the first point, to the millisecond.
        public var first: Timestamp
        /// The time of the last point, to the millisecond.
        public var last: Timestamp
    }

    /// Returns the sessions, by the times of their first points.
    public func sessions() throws(StoreError) -> [Session] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT s.name, d.name, s.points, s.first, s.last FROM session s JOIN device d ON d.id = s.device
                    WHERE s.points > 0 ORDER BY s.first, s.id
                    """
            ).map { row in
                Session(
                    name: row[0], device: row[1], points: Int(clamping: row[2] as Int64),
                    first: Timestamp(nanoseconds: (row[3] as Int64) &* 1_000_000),
                    last: Timestamp(nanoseconds: (row[4] as Int64) &* 1_000_000))
            }
        }
    }

    /// Returns the devices with points, sorted by name.
    public func devices() throws(StoreError) -> [String] {
        try read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT DISTINCT d.name FROM session s JOIN device d ON d.id = s.device WHERE s.points > 0 ORDER BY 1"
            )
        }
    }

    /// Returns the number of points in the hours of a query, by device, an upper bound for the query itself. The
    /// query's session, place and limit have no effect.
    func counts(_ query: TrackQuery) throws(StoreError) -> [ExactText: Int] {
        var sql = "SELECT d.name, sum(k.points) FROM block k JOIN device d ON d.id = k.device"
        var conditions = "k.last >= ? AND k.first < ?"
        let lower = query.since?.milliseconds() ?? Int64.min
        let upper = query.until.map { $0.milliseconds() &+ 1 } ?? Int64.max
        var arguments: StatementArguments = [lower, upper]
        if let device = query.device {
            conditions += " AND d.name = ?"
            arguments += [device]
        }
        if let boxes = query.box?.blocks {
            sql += " JOIN block_box b ON b.id = k.id"
            let overlap = "(b.north >= ? AND b.south <= ? AND b.east >= ? AND b.west <= ?)"
            conditions += " AND (" + boxes.map { _ in overlap }.joined(separator: " OR ") + ")"
            for box in boxes { arguments += [box.south, box.north, box.west, box.east] }
        }
        let text = "\(sql) WHERE \(conditions) GROUP BY d.name"
        return try read { [arguments] db in
            var counts: [ExactText: Int] = [:]
            for row in try Row.fetchAll(db, sql: text, arguments: arguments) {
                counts[ExactText(row[0])] = Int(clamping: row[1] as Int64)
            }
            return counts
        }
    }

    /// Returns the times of a query's points in milliseconds, taken from its hours; `nil` if there are none. Only the
    /// query's device and times have an effect.
    func extent(_ query: TrackQuery) throws(StoreError) -> Range<Int64>? {
        var sql = "SELECT min(k.first), max(k.last) FROM block k"
        var arguments: StatementArguments = []
        if let device = query.device {
            sql += " JOIN device d ON d.id = k.device WHERE d.name = ?"
            arguments += [device]
        }
        return try read { [sql, arguments] db in
            guard let row = try Row.fetchOne(db, sql: sql, arguments: arguments), let first = row[0] as Int64?,
                let last = row[1] as Int64?
            else { return nil }
            let lower = max(first, query.since?.milliseconds(roundedUp: true) ?? first)
            let upper = min(last &+ 1, query.until?.milliseconds(roundedUp: true) ?? .max)
            return lower < upper ? lower..<upper : nil
        }
    }

    /// Returns the numbers and names of a device or, with `nil`, of all, by name.
    static func devices(_ name: String?, _ db: Database) throws -> [(number: Int64, name: String)] {
        // A condition for both cases could not use the index.
        var sql = "SELECT id, name FROM device"
        var arguments: StatementArguments = []
        if let name {
            sql += " WHERE name = ?"
            arguments += [name]
        }
        return try Row.fetchAll(db, sql: "\(sql) ORDER BY name", arguments: arguments).map { ($0[0], $0[1]) }
    }

    /// The size of the database and its write-ahead log.
    public var size: ByteSize { ByteSize(bytes: Int(clamping: StoreFile(path: path, kind: .positions).size)) }

    /// Writes a copy of the current state of the store into a file that must not exist, while others may save.
    public func backUp(to file: String) throws(StoreError) {
        let store = StoreFile(path: path, kind: .positions)
        do { try store.backUp(try store.openForReading(), to: file) } catch { throw StoreError(error, path: path) }
    }
}
#endif
