#if Store
internal import GRDB
internal import GRDBSQLite
internal import Taffrail

/// The one connection of a process that writes to a store: it holds the lock file, and is the only one that checkpoints.
///
/// Not thread-safe; ``TrackStore`` serializes access.
final class StoreConnection {
    let file: StoreFile
    let queue: DatabaseQueue
    /// Held while the connection is open; closed in forked children, so that the lock is released when the parent ends.
    private let lock: FileDescriptor
    /// Identifies the file, to detect that it has been deleted or replaced.
    private let identity: (device: UInt64, inode: UInt64)
    /// The numbers of names, as stored in the database.
    var names = NameTable()
    /// The boxes of the blocks written last.
    var boxes: [Int64: BlockBox] = [:]
    /// For each device, the hour before which all closed blocks have an overview.
    var overviewed: [Int64: Int64] = [:]
    /// Whether something has been written that a power loss could destroy.
    var isDirty = false
    /// The run whose position was stored most recently.
    var lastRun: RingID?
    /// The number of points.
    var points: Int64 = 0
    /// The times of the first and the last point, in milliseconds since 1970.
    var oldest: Int64?
    var newest: Int64?

    /// Opens a store, and creates it if it does not exist.
    init(_ file: StoreFile) throws {
        self.file = file
        let lock = try file.openLock()
        guard lock.lock() else { throw StoreError(.busy, "\(file.path) is being written by another process") }
        self.lock = lock
        try file.finishMoving()
        let state = try file.state()
        if state == .missing {
            try file.create { draft in
                let queue = try Self.open(draft)
                try Self.prepare(queue, version: 0, of: file)
                try queue.close()
            }
        }
        queue = try Self.open(file.path)
        let found = try queue.inDatabase { try Int32.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
        // The version may still be in the write-ahead log.
        try file.check(found)
        try Self.prepare(queue, version: found, of: file)
        guard let status = try FileStatus.of(file.path) else { throw StoreError(.missing, "\(file.path) is gone") }
        identity = (status.device, status.inode)
        try count()
    }

    /// Sets a connection up, and makes the tables or brings them up to date.
    private static func prepare(_ queue: DatabaseQueue, version: Int32, of file: StoreFile) throws {
        try queue.writeWithoutTransaction { db in
            // Before the first table is created; a database with tables keeps its setting.
            try db.execute(
                sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA secure_delete = ON; PRAGMA cache_size = -8192")
            let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
            guard mode == "wal" else { throw StoreError(.other, "\(file.path): no write-ahead log is possible here") }
            // A log that has grown because of readers is truncated once they are gone.
            try db.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216")
            try StoreSchema.migrate(db, from: version)
        }
    }

    deinit {
        try? queue.close()
        // A child process that is being started holds the descriptor until it calls exec.
        lock.unlock()
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        configuration.foreignKeysEnabled = false
        configuration.label = "taffrail.store"
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Recounts the points.
    func count() throws {
        try queue.inDatabase { db in
            points = try Int64.fetchOne(db, sql: "SELECT sum(points) FROM block") ?? 0
            oldest = try Int64.fetchOne(db, sql: "SELECT min(time) FROM point")
            newest = try Int64.fetchOne(db, sql: "SELECT max(time) FROM point")
        }
    }

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
                try db.inTransaction(.immediate) {
                    result = try body(db)
                    return .commit
                }
                guard let result else { throw StoreError(.other, "\(file.path): a transaction was not carried out") }
                return result
            }
        } catch {
            // They may contain changes that were rolled back.
            names = NameTable()
            boxes = [:]
            overviewed = [:]
            lastRun = nil
            throw error
        }
    }

    /// Makes everything survive power loss: a synchronised commit, which also synchronises all of the log before it.
    /// If the disk has no space for it, the log is synchronised as it is.
    func flush() throws {
        guard isDirty else { return }
        do { try commitDurably() } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            try FileDescriptor(file.path + "-wal", [.read]).synchronize()
        }
        isDirty = false
    }

    private func commitDurably() throws {
        try queue.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        defer { try? queue.inDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") } }
        try transaction { db in
            let now = Timestamp.now.nanoseconds / 1_000_000
            try db.execute(sql: "INSERT OR REPLACE INTO meta(key, value) VALUES('flushed', ?)", arguments: [now])
        }
    }

    /// Closes the database: the log is written into it, unless another connection is reading.
    func close() throws {
        try queue.close()
        lock.unlock()
    }
}

/// The numbers that represent names in the rows of points.
struct NameTable {
    var devices: [String: (number: Int64, hash: UInt64)] = [:]
    var sources: [String: Int64] = [:]
    var sessions: [SessionName: Int64] = [:]

    struct SessionName: Hashable {
        var name: String
        var device: Int64
    }
}
#endif
