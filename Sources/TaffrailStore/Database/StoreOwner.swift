#if Store
internal import GRDB
internal import Taffrail

/// Owns the connection to a database: opens it for the first call that needs it, again when the file was replaced, and moves
/// a damaged file aside. Any thread may call; one call at a time runs.
final class StoreOwner<Connection: StoreDatabase>: Sendable {
    let file: StoreFile
    private let connection = Locked<Connection?>(nil)
    /// The process whose connection it is.
    private let process = ThisProcess.id

    init(_ file: StoreFile) { self.file = file }

    deinit {
        guard !isOwn else { return }
        // A parent's connection is never closed in a child: that would change files that the parent uses.
        connection.withLock { connection in
            if let inherited = connection { _ = Unmanaged.passRetained(inherited) }
        }
    }

    /// Whether this process, and not its parent, created it.
    var isOwn: Bool { process == ThisProcess.id }

    private var path: String { file.path }

    /// Runs a body with the open database. A damaged one is moved aside, and the body runs with a new one.
    func with<R: Sendable>(_ body: (Connection) throws -> R) throws(StoreError) -> R {
        guard isOwn else { throw StoreError(.busy, "\(path) is being written by the parent process") }
        do {
            return try connection.withLock { connection in
                var isRepaired = false
                for _ in 0..<2 {
                    do {
                        return try body(try opened(&connection))
                    } catch {
                        var error = error
                        if let found = error as? DatabaseError, !isRepaired, let connection {
                            do {
                                isRepaired = try connection.repair(found)
                                if isRepaired { continue }
                            } catch let second { error = second }
                        }
                        let problem = StoreError(error, path: path)
                        guard problem.kind == .corrupt else { throw problem }
                        try replace(&connection, because: problem)
                    }
                }
                return try body(try opened(&connection))
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Opens the database, and waits while another process uses it.
    ///
    /// - Parameters:
    ///   - limit: How long to wait.
    ///   - pause: Called between two attempts.
    func open(
        waiting limit: Duration, pause: () -> Void = { SystemClock.sleep(for: .milliseconds(50)) }
    ) throws(StoreError) {
        let end = SystemClock.monotonicNanoseconds(after: limit)
        while true {
            do throws(StoreError) { return try with { _ in } } catch {
                guard error.kind == .busy, SystemClock.monotonicNanoseconds() < end else { throw error }
            }
            pause()
        }
    }

    /// Runs a body with the database if it is open.
    func withOpen<R: Sendable>(_ body: (Connection) throws -> R) throws(StoreError) -> R? {
        guard isOwn else { return nil }
        do {
            return try connection.withLock { connection in
                guard let connection, connection.isInPlace else { return nil }
                return try body(connection)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Returns the result of a body that receives the current connection, open or `nil`; nothing is opened or checked.
    func peek<R: Sendable>(_ body: (Connection?) -> R) -> R { connection.withLock { body($0) } }

    /// Makes everything written so far survive power loss.
    func flush() throws(StoreError) {
        guard isOwn, peek({ $0?.isDirty ?? false }) else { return }
        try with { try $0.flush() }
    }

    /// Closes the database, after a ``flush()``; the next call opens it again.
    func close() throws(StoreError) {
        guard isOwn else { return }
        var failure: StoreError?
        do throws(StoreError) { try flush() } catch {
            // What is lost does not keep it open.
            guard error.isLost else { throw error }
            failure = error
        }
        do {
            try connection.withLock { connection in
                let open = connection
                connection = nil
                try open?.close()
            }
        } catch {
            throw StoreError(error, path: path)
        }
        if let failure { throw failure }
    }

    /// Returns the position up to which the database has the records of a ring; `nil` if it has none, or cannot be
    /// opened.
    func position(in ring: RingID) -> UInt64? {
        guard FileName.exists(path) else { return nil }
        do throws(StoreError) {
            return try with { try $0.position(of: ring) }
        } catch {
            // Records that are offered again are skipped once it can be opened.
            return nil
        }
    }

    private func opened(_ connection: inout Connection?) throws -> Connection {
        if let connection, connection.isInPlace { return connection }
        if let replaced = connection {
            Diagnostics.report("\(path) was deleted or replaced while it was open; reopening it")
            try? replaced.close()
            connection = nil
        }
        let new = try Connection(file)
        connection = new
        return new
    }

    /// Moves a damaged database aside. Only the process that holds the lock does this.
    private func replace(_ connection: inout Connection?, because error: StoreError) throws {
        try? connection?.close()
        connection = nil
        let lock = try StoreLock(file)
        let target = try file.renameDamaged()
        lock.unlock()
        Diagnostics.report("\(error); keeping it as \(target) and starting a new store")
    }
}
#endif
