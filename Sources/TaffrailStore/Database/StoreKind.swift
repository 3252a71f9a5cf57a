#if Store
internal import GRDB

/// What distinguishes the databases of one kind of store: the mark in their header, and the versions of their tables.
struct StoreKind: Sendable {
    /// Marks a database as of this kind.
    let applicationID: Int32
    /// What leads from each version to the next. What was once released is never changed; new versions are added.
    let migrations: [String]
    /// The pages of the write-ahead log after which it is written into the database. With more of them, pages that change often
    /// are written less often. Default: SQLite's.
    var checkpointPages = 1_000

    /// The version of the tables that this program writes.
    var version: Int32 { Int32(migrations.count) }

    /// Makes the tables, or brings those of an earlier version up to date, in one transaction.
    func migrate(_ db: Database, from found: Int32) throws {
        guard found < version else { return }
        try db.inTransaction(.immediate) {
            for step in migrations[Int(max(0, found))...] { try db.execute(sql: step) }
            try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            return .commit
        }
        // The header of the file, which is read before the file is opened, has the version from now on.
        try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
#endif
