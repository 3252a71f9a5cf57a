#if Store
internal import Foundation
internal import GRDB
public import Taffrail

/// The positions of devices, in an SQLite database.
///
/// One process writes to a store at a time; others may read. Within a process, ``at(_:)`` returns the same store for the same
/// path. The database is opened by the first call that needs it, and every function may be called from any thread; it
/// blocks as long as a disk takes.
///
/// What ``save(_:)`` has returned for survives SIGKILL; what ``flush()`` has returned for survives power loss. The same fix is
/// kept once, however often it is saved.
public final class TrackStore: Sendable {
    /// The path of the database, absolute.
    public let path: String

    /// What a save has changed.
    public struct Saved: Sendable, Hashable {
        /// How many points are new.
        public var inserted = 0
        /// How many were in the store, and are now noted as seen again.
        public var repeated = 0

        /// Nothing.
        public init() {}
    }

    private struct State {
        var connection: StoreConnection?
        /// When something was saved last.
        var lastSave: Timestamp?
        var nextObserver = 0
        var observers: [Int: @Sendable (Saved, Timestamp) -> Void] = [:]
    }

    private let state = Locked(State())
    /// The process whose connection it is.
    private let process = ThisProcess.id

    init(path: String) { self.path = path }

    deinit {
        guard process != ThisProcess.id else { return }
        // A parent's connection is never closed in a child: that would change files that the parent uses.
        state.withLock { state in
            if let inherited = state.connection { _ = Unmanaged.passRetained(inherited) }
        }
    }

    // MARK: One store for each path

    private static let stores = Locked<[String: Weak]>([:])

    private struct Weak { weak var store: TrackStore? }

    /// The store of a path; nothing is opened. In a forked child it is another one than the parent's.
    public static func at(_ path: String) -> TrackStore {
        let path = DestinationPath.resolved(path)
        return stores.withLock { stores in
            if let store = stores[path]?.store, store.process == ThisProcess.id { return store }
            stores = stores.filter { $0.value.store != nil }
            let store = TrackStore(path: path)
            stores[path] = Weak(store: store)
            return store
        }
    }

    /// `track.sqlite` in `$STATE_DIRECTORY`, which systemd sets, else in `$XDG_STATE_HOME/PROGRAM` (by default
    /// `~/.local/state/PROGRAM`).
    public static var defaultPath: String {
        if let state = Environment["STATE_DIRECTORY"]?.split(separator: ":").first, state.hasPrefix("/") {
            return state + "/track.sqlite"
        }
        let base = Environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (base ?? Environment.home + "/.local/state") + "/" + Environment.program + "/track.sqlite"
    }

    // MARK: Writing

    /// Opens the database, and makes one where there is none.
    public func open() throws(StoreError) { try withConnection { _ in } }

    /// Opens the database, and waits while another process uses it.
    ///
    /// - Parameters:
    ///   - limit: How long.
    ///   - pause: Called between two attempts.
    package func open(
        waiting limit: Duration, pause: () -> Void = { Thread.sleep(forTimeInterval: 0.05) }
    ) throws(StoreError) {
        let end = SystemClock.monotonicNanoseconds() &+ limit.nanoseconds
        while true {
            do throws(StoreError) { return try open() } catch {
                guard error.kind == .busy, SystemClock.monotonicNanoseconds() < end else { throw error }
            }
            pause()
        }
    }

    /// Saves points in one transaction: all of them, or with an error none.
    @discardableResult
    public func save(_ points: [TrackPoint]) throws(StoreError) -> Saved { try save(points, ends: nil, mark: nil) }

    /// Saves points of a run, together with how far the run has been saved. What was saved before is passed over.
    ///
    /// - Parameter ends: For each point, the ring's position after its record.
    package func save(_ points: [TrackPoint], ends: [UInt64], mark: RingMark) throws(StoreError) -> Saved {
        try save(points, ends: Optional(ends), mark: mark)
    }

    private func save(_ points: [TrackPoint], ends: [UInt64]?, mark: RingMark?) throws(StoreError) -> Saved {
        guard !points.isEmpty || mark != nil else { return Saved() }
        let now = Timestamp.now
        let (saved, observers) = try withConnection { state, connection in
            let saved = try connection.save(points, ends: ends, mark: mark, now: now)
            state.lastSave = now
            return (saved, Array(state.observers.values))
        }
        for observer in observers { observer(saved, now) }
        return saved
    }

    /// Makes everything saved so far survive power loss.
    public func flush() throws(StoreError) {
        guard process == ThisProcess.id, state.withLock({ $0.connection?.isDirty ?? false }) else { return }
        try withConnection { _, connection in try connection.flush() }
    }

    /// Closes the database, after a ``flush()``; the next call opens it again.
    public func close() throws(StoreError) {
        guard process == ThisProcess.id else { return }
        try flush()
        do {
            try state.withLock { state in
                let connection = state.connection
                state.connection = nil
                try connection?.close()
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// The position up to which the store has the records of a ring; `nil` where it has none, or cannot be opened.
    package func position(in ring: RingID) -> UInt64? {
        guard FileName.exists(path) else { return nil }
        do throws(StoreError) {
            return try withConnection { _, connection in try connection.position(of: ring) }
        } catch {
            // What is offered again is passed over when it can be opened.
            return nil
        }
    }

    /// Calls a function after every save of this process, until the result is gone.
    package func observe(_ body: @escaping @Sendable (Saved, Timestamp) -> Void) -> StoreObservation {
        let number = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = body
            return state.nextObserver
        }
        return StoreObservation { [weak self] in self?.state.withLock { $0.observers[number] = nil } }
    }

    /// How many points there are, and the times of the first and the last in milliseconds, as far as they are known without
    /// opening the database.
    var facts: (rows: Int64, oldest: Int64?, newest: Int64?) {
        state.withLock { state in
            guard let connection = state.connection else { return (0, nil, nil) }
            return (connection.points, connection.oldest, connection.newest)
        }
    }

    /// When something was saved last by this process.
    public var lastSave: Timestamp? { state.withLock { $0.lastSave } }

    // MARK: The connection

    /// Runs a body with the open database. A damaged one is moved aside, and the body runs with a new one.
    func withConnection<R: Sendable>(_ body: (StoreConnection) throws -> R) throws(StoreError) -> R {
        try withConnection { _, connection in try body(connection) }
    }

    /// Runs a body with the database if it is open.
    func withOpenConnection<R: Sendable>(_ body: (StoreConnection) throws -> R) throws(StoreError) -> R? {
        guard process == ThisProcess.id else { return nil }
        do {
            return try state.withLock { state in
                guard let connection = state.connection, connection.isInPlace else { return nil }
                return try body(connection)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private func withConnection<R: Sendable>(
        _ body: (inout State, StoreConnection) throws -> R
    ) throws(StoreError) -> R {
        guard process == ThisProcess.id else {
            throw StoreError(.busy, "\(path) is being written by the parent process")
        }
        do {
            return try state.withLock { state in
                for _ in 0..<2 {
                    do {
                        return try body(&state, try Self.opened(&state, path))
                    } catch {
                        let error = StoreError(error, path: path)
                        guard error.kind == .corrupt else { throw error }
                        try Self.replace(&state, path, because: error)
                    }
                }
                return try body(&state, try Self.opened(&state, path))
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private static func opened(_ state: inout State, _ path: String) throws -> StoreConnection {
        if let connection = state.connection {
            if connection.isInPlace { return connection }
            Diagnostics.report("\(path) was deleted or replaced while it was open; it is opened again")
            try? connection.close()
            state.connection = nil
        }
        let connection = try StoreConnection(StoreFile(path: path))
        state.connection = connection
        return connection
    }

    /// Moves a damaged database aside. Only the process that has the lock does.
    private static func replace(_ state: inout State, _ path: String, because error: StoreError) throws {
        try? state.connection?.close()
        state.connection = nil
        let file = StoreFile(path: path)
        let lock = try file.openLock()
        guard lock.lock() else { throw StoreError(.busy, "\(path) is being written by another process") }
        let target = try file.moveAside()
        lock.unlock()
        Diagnostics.report("\(error); it is kept as \(target), and a new store is begun")
    }
}

/// The time for which a function is called after saves.
package final class StoreObservation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
#endif
