#if Store
internal import GRDB
internal import Taffrail

/// How SQLite makes the transactions of a store atomic.
enum StoreJournal {
    /// A write-ahead log: a commit survives SIGKILL, and power loss once the log is synchronized. Readers and the writer
    /// do not wait for each other.
    case writeAhead
    /// A rollback journal: a commit survives power loss. Readers and the writer wait for each other.
    case rollback

    /// Chooses the journal by the file system. SQLite maps the index of a write-ahead log into memory, so on file systems
    /// such as btrfs a full disk would end the program with SIGBUS.
    init(onDiskOf file: borrowing FileDescriptor) { self = file.keepsMappedBytes ? .writeAhead : .rollback }

    /// Prepares a connection before its first access to the database.
    func configure(_ configuration: inout Configuration) {
        guard self == .rollback else { return }
        configuration.busyMode = .timeout(1)
        // The index of a write-ahead log, which the database may have been used with elsewhere, is then not mapped.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
    }

    /// Switches the journal of an open database.
    ///
    /// - Returns: Whether the database has it now.
    func start(_ db: Database) throws -> Bool {
        let name = self == .writeAhead ? "wal" : "truncate"
        // All rows are fetched: SQLite changes the header only when the statement ends.
        let modes = try String.fetchAll(db, sql: "PRAGMA journal_mode = \(name)")
        try db.execute(sql: "PRAGMA locking_mode = NORMAL; PRAGMA synchronous = \(synchronous)")
        // The next access releases the lock of the exclusive mode.
        _ = try Row.fetchAll(db, sql: "SELECT name FROM sqlite_schema LIMIT 1")
        return modes == [name]
    }

    /// Whether a commit synchronizes the files.
    private var synchronous: String { self == .writeAhead ? "NORMAL" : "FULL" }
}
#endif
