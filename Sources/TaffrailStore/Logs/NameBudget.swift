#if Store
internal import GRDB
internal import Taffrail

/// The number of names of loggers, devices and events that a store may still accept on a day, so that a sender that
/// invents names cannot fill the tables and the counts.
struct NameBudget {
    /// The name that replaces names beyond the limit.
    static let substitute = "taffrail.other"
    /// The prefix of the attributes that keep such names.
    static let prefix = "taffrail.other."
    /// The default limit.
    static let standard = 10_000

    private let limit: Int
    private let today: Int64
    private let db: Database
    private var day: Int64
    private var used: [String: Int64] = [:]

    private static let dayKey = "names:day"

    /// Reads the used part.
    ///
    /// - Parameter now: The time by the clock of this machine, because a record may have any time.
    init(_ limit: Int, at now: Timestamp, _ db: Database) throws {
        self.limit = limit
        today = CivilTime.floorDivide(now.nanoseconds, by: CivilTime.dayLength)
        self.db = db
        day = try db.meta(Self.dayKey) ?? .min
        try RawStatement.forEach("SELECT key, value FROM meta WHERE key LIKE 'names:%'", [], db) { row in
            let key = row.text(0)
            if key != Self.dayKey { used[key] = row[1] }
        }
    }

    /// Accepts one new name of a table, unless the limit has been reached since the start of the day (UTC).
    mutating func take(_ table: String) throws -> Bool {
        if today != day {
            // If the clock was ahead, names accepted then count until the end of the current day only.
            if today > day {
                used = [:]
                try db.execute(sql: "DELETE FROM meta WHERE key LIKE 'names:%'")
            }
            day = today
            try db.setMeta(Self.dayKey, today)
        }
        let key = "names:" + table
        let count = used[key] ?? 0
        guard count < limit else { return false }
        used[key] = count + 1
        try db.setMeta(key, count + 1)
        return true
    }
}
#endif
