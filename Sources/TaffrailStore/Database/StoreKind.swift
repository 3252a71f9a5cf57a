#if Store
internal import GRDB

/// The properties of one kind of store: the mark in the header of its databases, and the versions of their tables.
struct StoreKind: Sendable {
    /// Marks a database as of this kind.
    let applicationID: Int32
    /// The migrations from each version to the next. A released one is never changed; new ones are appended.
    let migrations: [String]
    /// The pages of the write-ahead log after which it is written into the database. With more of them, pages that change often
    /// are written less often. Default: SQLite's.
    var checkpointPages = 1_000

    /// The version of the tables that this program writes.
    var version: Int32 { Int32(migrations.count) }

    /// Creates the tables, or migrates those of an earlier version, in one transaction.
    func migrate(_ db: Database, from found: Int32) throws {
        guard found < version else { return }
        try db.inTransaction(.exclusive) {
            for step in migrations[Int(max(0, found))...] { try db.execute(sql: step) }
            try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            return .commit
        }
        // The file's header, which is read before the file is opened, then has the new version.
        try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
#endif
