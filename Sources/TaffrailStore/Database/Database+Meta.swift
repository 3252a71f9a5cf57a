#if Store
internal import GRDB

extension Database {
    /// Returns the value with a key in the table `meta` of every store.
    func meta(_ key: String) throws -> Int64? {
        try Int64.fetchOne(try cachedStatement(sql: "SELECT value FROM meta WHERE key = ?"), arguments: [key])
    }

    /// Stores a value in the table `meta`.
    func setMeta(_ key: String, _ value: Int64) throws {
        try cachedStatement(sql: "INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)").execute(
            arguments: [key, value])
    }
}
#endif
