#if Store
internal import GRDB
internal import Taffrail

/// The one connection of a process that writes to a database: it holds the lock file, and is the only one that
/// checkpoints. Subclasses define the contents.
///
/// Not thread-safe; ``StoreOwner`` serializes access.
class StoreDatabase {
    let file: StoreFile
    let queue: DatabaseQueue
    /// Held while the connection is open; closed in forked children, so that the lock is released when the parent ends.
    private let lock: StoreLock
    /// Identifies the file, to detect that it has been deleted or replaced.
    private let identity: (device: UInt64, inode: UInt64)
    /// Whether something has been written that a power loss could destroy.
    var isDirty = false
    private let sync: StoreSync
    private let journal: StoreJournal
    /// Whether the write-ahead log may have pages of what has been deleted: another process may have left them.
    private(set) var logHasDeleted = true
    /// The run whose position was stored most recently.
    private var lastRun: RingID?

    /// Opens a database, and creates it if it does not exist.
    required init(_ file: StoreFile) throws {
        self.file = file
        lock = try StoreLock(file)
        try file.finishMoving()
        let preferred = lock.journal
        if try !file.exists() {
            try file.create { draft in
                let queue = try Self.open(draft, preferred)
                try Self.prepare(queue, preferred, version: 0, of: file)
                try queue.close()
            }
        }
        (queue, journal) = try Self.open(file, preferred)
        let found = try queue.inDatabase { try Int32.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
        // The version may still be in the write-ahead log.
        try file.check(found)
        try Self.prepare(queue, journal, version: found, of: file)
        if journal == .rollback {
            if try file.hasLog() { throw Self.fixedJournal(of: file) }
            // That of another file system, with which the database was copied.
            try FileName.removeIfPresent(file.path + "-shm")
        }
        let sync = StoreSync(journal, checkpointPages: file.kind.checkpointPages)
        self.sync = sync
        queue.inDatabase { sync.watch($0) }
        guard let status = try FileStatus.of(file.path) else { throw StoreError(.missing, "\(file.path) was deleted") }
        identity = (status.device, status.inode)
        try count()
        // The rest of deletions of earlier runs. If it is being read, a later deletion or maintenance removes it.
        _ = try? emptyLog()
    }

    /// Sets a connection up, and makes the tables or brings them up to date.
    private static func prepare(
        _ queue: DatabaseQueue, _ journal: StoreJournal, version: Int32, of file: StoreFile
    ) throws {
        try queue.writeWithoutTransaction { db in
            // Before the first table is created; a database with tables keeps its setting.
            if version == 0 { try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
            try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA cache_size = -8192")
            guard try journal.start(db) else { throw fixedJournal(of: file) }
            // A log that has grown because of readers is truncated once they have finished.
            try db.execute(sql: "PRAGMA journal_size_limit = 16777216; PRAGMA analysis_limit = 400")
            try file.kind.migrate(db, from: version)
        }
    }

    private static func fixedJournal(of file: StoreFile) -> StoreError {
        StoreError(.other, "\(file.path): its journal cannot be changed here")
    }

    // The lock is destroyed after this.
    deinit { try? queue.close() }

    /// Opens a database with a journal; with its write-ahead log if it has one that a reader has open.
    private static func open(
        _ file: StoreFile, _ journal: StoreJournal
    ) throws -> (queue: DatabaseQueue, journal: StoreJournal) {
        do { return (try open(file.path, journal), journal) } catch let error as DatabaseError {
            guard error.resultCode == .SQLITE_BUSY, journal == .rollback, try file.hasLog() else { throw error }
            let queue = try open(file.path, .writeAhead)
            Diagnostics.report(
                "\(file.path) keeps its write-ahead log, which another process reads, until it is opened again; "
                    + "a full disk may end this program")
            return (queue, .writeAhead)
        }
    }

    private static func open(_ path: String, _ journal: StoreJournal) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        journal.configure(&configuration)
        configuration.foreignKeysEnabled = false
        configuration.label = "taffrail.store"
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Counts the contents of the database; called after it was opened.
    func count() throws {}

    /// Repairs the damage that an error reports, if the rest is intact.
    ///
    /// - Returns: Whether the repair was possible.
    func repair(_ error: DatabaseError) throws -> Bool { false }

    /// Forgets what is known about the contents; called after a transaction was rolled back.
    func forget() {}

    /// Whether the path still refers to the open file.
    var isInPlace: Bool {
        guard let status = try? FileStatus.of(file.path) else { return false }
        return status.device == identity.device && status.inode == identity.inode
    }

    /// Runs a body in a transaction, which is rolled back if it throws.
    func transaction<R>(_ body: (Database) throws -> R) throws -> R {
        do {
            return try queue.writeWithoutTransaction { db in
                var result: R?
                // With a rollback journal this waits for readers before the work, and not within it.
                try db.inTransaction(.exclusive) {
                    result = try body(db)
                    return .commit
                }
                guard let result else { throw StoreError(.other, "\(file.path): a transaction was rolled back") }
                return result
            }
        } catch {
            // They may contain changes that were rolled back.
            forget()
            lastRun = nil
            sync.note(error)
            throw error
        }
    }

    /// Runs a body that may write outside a transaction.
    func write<R>(_ body: (Database) throws -> R) throws -> R {
        do { return try queue.writeWithoutTransaction(body) } catch {
            sync.note(error)
            throw error
        }
    }

    /// Lets SQLite update its statistics of the contents where they are out of date.
    func optimize() throws { try write { try $0.execute(sql: "PRAGMA optimize") } }

    /// Makes everything survive power loss. With a rollback journal, it already does.
    func flush() throws {
        guard isDirty else { return }
        if journal == .writeAhead { try flushLog() }
        if sync.hasLostWrites { throw StoreError(lostIn: file.path) }
        isDirty = false
    }

    /// Synchronizes a commit, and with it all of the log before it. If the disk has no space for it, only the log is
    /// synchronized.
    private func flushLog() throws {
        do {
            try sync {
                do { try commitDurably() } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
                    try FileDescriptor(file.path + "-wal", [.read]).synchronize()
                }
            }
        } catch {
            guard sync.hasLostWrites else { throw error }
        }
    }

    private func commitDurably() throws {
        try queue.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        defer { try? queue.inDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") } }
        try transaction { try $0.setMeta("flushed", Timestamp.now.nanoseconds / 1_000_000) }
    }

    /// Closes the database: the log is written into it, unless another connection is reading.
    func close() throws {
        try queue.close()
        lock.unlock()
    }

    // MARK: Positions of rings

    /// Stores a position, and deletes those of runs whose queues no longer exist.
    func keep(_ mark: RingMark, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO ring(run, position, path) VALUES(?, ?, ?)").execute(
            arguments: [mark.run.description, Int64(bitPattern: mark.position), mark.path])
        guard lastRun != mark.run else { return }
        for row in try Row.fetchAll(
            db, sql: "SELECT run, path FROM ring WHERE run <> ?", arguments: [mark.run.description])
        {
            let path: String? = row["path"]
            // A queue that cannot be checked may still exist.
            if let path, (try? FileStatus.of(path) == nil) != true { continue }
            try db.execute(sql: "DELETE FROM ring WHERE run = ?", arguments: [row["run"] as String])
        }
        lastRun = mark.run
    }

    /// Returns the position up to which the records of a ring are stored.
    func position(of run: RingID) throws -> UInt64? { try queue.inDatabase { try Self.position(of: run, $0) } }

    static func position(of run: RingID, _ db: Database) throws -> UInt64? {
        let statement = try db.cachedStatement(sql: "SELECT position FROM ring WHERE run = ?")
        return try Int64.fetchOne(statement, arguments: [run.description]).map { UInt64(bitPattern: $0) }
    }

    /// Returns the bytes used by the database, without free pages.
    func usedBytes() throws -> Int64 {
        try queue.inDatabase { db in
            func pragma(_ name: String) throws -> Int64 { try Int64.fetchOne(db, sql: "PRAGMA \(name)") ?? 0 }
            return try (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")
        }
    }

    /// Returns some of the space of deleted rows to the file system, in one transaction.
    ///
    /// - Returns: Whether there is more.
    func vacuumSome() throws -> Bool {
        try transaction { db in
            func free() throws -> Int64 { try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0 }
            let before = try free()
            // All rows, each of which frees a page.
            _ = try Row.fetchAll(db, sql: "PRAGMA incremental_vacuum(2000)")
            let after = try free()
            return after > 0 && after < before
        }
    }

    /// Records that something was deleted, whose pages stay in the log until it is emptied.
    func didDelete() {
        isDirty = true
        logHasDeleted = true
    }

    /// Empties the log if it may contain pages of deleted data.
    func eraseLog() throws { if logHasDeleted { try emptyLog() } }

    /// Writes the log into the database and empties it.
    ///
    /// - Returns: Whether the log was emptied; it is not while another connection reads.
    @discardableResult
    func emptyLog() throws -> Bool {
        let isEmpty = try sync {
            try queue.writeWithoutTransaction { db in
                let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                return row.map { $0[0] as Int64 == 0 } ?? false
            }
        }
        if isEmpty { logHasDeleted = false }
        return isEmpty
    }
}
#endif
