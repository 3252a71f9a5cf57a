#if Store
internal import GRDB
internal import GRDBSQLite
internal import Taffrail

/// The one connection of a process that writes to a store: it holds the lock file, and is the only one that checkpoints.
///
/// Not for several threads at a time; ``TrackStore`` sees to that.
final class StoreConnection {
    let file: StoreFile
    let queue: DatabaseQueue
    /// Held as long as the connection is; closed in forked children, so that a parent's end frees it.
    private let lock: FileDescriptor
    /// Which file it is, to find out when it has been deleted or replaced.
    private let identity: (device: UInt64, inode: UInt64)
    /// The numbers of names, as the database has them.
    var names = NameTable()
    /// The boxes of blocks that were written last.
    var boxes: [Int64: BlockBox] = [:]
    /// Whether something has been written that a power loss may take.
    var isDirty = false
    /// The run whose position was stored last.
    var lastRun: RingID?
    /// How many points there are.
    var points: Int64 = 0
    /// The times of the first and the last point, in milliseconds since 1970.
    var oldest: Int64?
    var newest: Int64?

    /// Opens a store; makes one where there is none.
    init(_ file: StoreFile) throws {
        self.file = file
        let lock = try file.openLock()
        guard lock.lock() else { throw StoreError(.busy, "\(file.path) is being written by another process") }
        self.lock = lock
        try file.finishMoving()
        let state = try file.state()
        if state == .missing { try file.create() }
        queue = try Self.open(file.path)
        let found = try queue.inDatabase { db in
            // Before the first table is made; what has tables keeps what it has.
            try db.execute(
                sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA secure_delete = ON; PRAGMA cache_size = -8192")
            return try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        }
        // A version that is still in the write-ahead log.
        try file.check(found)
        guard let status = try FileStatus.of(file.path) else { throw StoreError(.missing, "\(file.path) is gone") }
        identity = (status.device, status.inode)
        try queue.writeWithoutTransaction { db in
            let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
            guard mode == "wal" else { throw StoreError(.other, "\(file.path): no write-ahead log is possible here") }
            // A log that readers have made long is cut when they have gone.
            try db.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216")
            try StoreSchema.migrate(db, from: found)
        }
        try count()
    }

    deinit {
        try? queue.close()
        // A child that is just being started has the descriptor until it runs its program.
        lock.unlock()
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        configuration.foreignKeysEnabled = false
        configuration.label = "taffrail.store"
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Counts the points anew.
    func count() throws {
        try queue.inDatabase { db in
            points = try Int64.fetchOne(db, sql: "SELECT sum(points) FROM block") ?? 0
            oldest = try Int64.fetchOne(db, sql: "SELECT min(time) FROM point")
            newest = try Int64.fetchOne(db, sql: "SELECT max(time) FROM point")
        }
    }

    /// Whether the path still leads to the file that is open.
    var isInPlace: Bool {
        guard let status = try? FileStatus.of(file.path) else { return false }
        return status.device == identity.device && status.inode == identity.inode
    }

    /// Runs a body in a transaction; nothing of it is kept where it throws.
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
            // They may have what was rolled back.
            names = NameTable()
            boxes = [:]
            lastRun = nil
            throw error
        }
    }

    /// Makes everything survive power loss: a commit that is synchronised, as all of the log before it then is. Where the disk
    /// has no room for it, the log is synchronised as it is.
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

    /// Closes the database: the log is written into it, unless another one reads.
    func close() throws {
        try queue.close()
        lock.unlock()
    }
}

/// The numbers that stand for names in the rows of points.
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
