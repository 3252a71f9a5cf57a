#if Store
internal import GRDB
internal import Taffrail

/// The position up to which the points of a device have been divided into visits and trips, and the state of the
/// unfinished part.
///
/// The newest mark is kept, the last of each hour for a day, and the last of each UTC day for 100 days: from these the
/// analysis continues after late points.
struct AnalysisMark {
    var device: Int64
    /// Milliseconds since 1970: all points up to this time have been analysed.
    var time: Int64
    private var state: String

    init(device: Int64, time: Int64, _ analysis: JourneyAnalysis) {
        self.device = device
        self.time = time
        state = analysis.encoded()
    }

    private init(_ row: Row) { (device, time, state) = (row[0], row[1], row[2]) }

    private static let day = CivilTime.dayLength / 1_000_000
    /// How long marks are kept.
    private static let kept = 100 * day

    /// Returns the newest mark of a device; `nil` if there is none.
    static func newest(of device: Int64, _ db: Database) throws -> AnalysisMark? {
        let statement = try db.cachedStatement(
            sql: "SELECT device, time, state FROM analysis WHERE device = ? ORDER BY time DESC LIMIT 1")
        return try Row.fetchOne(statement, arguments: [device]).map(AnalysisMark.init)
    }

    /// Returns the state.
    func analysis() throws -> JourneyAnalysis { try JourneyAnalysis(encoded: state) }

    /// Stores the mark, and removes marks that are no longer needed.
    func store(_ db: Database) throws {
        let start = CivilTime.floorDivide(time, by: BlockKey.length) &* BlockKey.length
        try db.execute(
            sql: """
                DELETE FROM analysis WHERE device = ? AND (time >= ? OR time < ? OR time < ? AND EXISTS (
                    SELECT 1 FROM analysis later WHERE later.device = analysis.device AND later.time > analysis.time
                    AND later.time / ? = analysis.time / ?))
                """, arguments: [device, start, time &- Self.kept, time &- Self.day, Self.day, Self.day])
        try db.cachedStatement(sql: "INSERT INTO analysis(device, time, state) VALUES(?, ?, ?)").execute(
            arguments: [device, time, state])
    }

    /// Undoes the results for a device's points from a time on, because a point earlier than the last one has arrived.
    ///
    /// - Returns: The time after which flags may have changed, including those of some earlier points; `nil` if no
    ///   flags have.
    static func undo(of device: Int64, from time: Int64, _ db: Database) throws -> (start: Int64, earlier: [Int64])? {
        let newest = try Int64.fetchOne(
            try db.cachedStatement(sql: "SELECT max(time) FROM analysis WHERE device = ?"), arguments: [device])
        guard let newest, newest >= time else { return nil }
        try db.execute(sql: "DELETE FROM analysis WHERE device = ? AND time >= ?", arguments: [device, time])
        let mark = try Self.newest(of: device, db)
        let start = mark?.time ?? Int64.min
        for table in ["visit", "trip"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE device = ? AND found > ?", arguments: [device, start])
        }
        let excluded = TrackPoint.Flags.excluded.rawValue
        try db.execute(
            sql: "UPDATE point SET flags = flags & ~? WHERE time > ? AND device = ? AND flags & ? <> 0",
            arguments: [excluded, start, device, excluded])
        let undecided = try mark?.analysis().undecided ?? []
        for fix in undecided {
            try db.execute(
                sql: "UPDATE point SET flags = flags & ~? WHERE time = ? AND hash = ?",
                arguments: [excluded, fix.time, fix.hash])
        }
        return (start, undecided.map(\.time))
    }

    /// Removes the data before a time from all marks.
    static func forget(before time: Int64, _ db: Database) throws {
        // What remains of a visit must still be long enough for a visit.
        try db.execute(sql: "DELETE FROM visit WHERE departure < ?", arguments: [time &+ JourneyRules.dwell])
        try db.execute(sql: "UPDATE visit SET arrival = ? WHERE arrival < ?", arguments: [time, time])
        try db.execute(sql: "DELETE FROM trip WHERE departure < ?", arguments: [time])
        try db.execute(sql: "DELETE FROM analysis WHERE time < ?", arguments: [time])
        for row in try Row.fetchAll(db, sql: "SELECT device, time, state FROM analysis") {
            let mark = AnalysisMark(row)
            var analysis = try mark.analysis()
            analysis.forget(before: time)
            let state = analysis.encoded()
            guard state != mark.state else { continue }
            try db.execute(
                sql: "UPDATE analysis SET state = ? WHERE device = ? AND time = ?",
                arguments: [state, mark.device, mark.time])
        }
    }
}
#endif
