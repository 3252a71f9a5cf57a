#if Store
internal import GRDB
public import Taffrail
internal import TaffrailRecording

/// The positions of devices, in an SQLite database.
///
/// Only one process writes to a store at a time; others may read it. Within a process, ``at(_:)`` returns the same
/// store for the same path. The database is opened by the first call that needs it, and every function may be called
/// from any thread; it blocks during disk operations.
///
/// Points survive SIGKILL once ``save(_:)`` has returned, and power loss once ``flush()`` has returned. The same fix is
/// kept once, however often it is saved.
public final class TrackStore: Sendable {
    /// The path of the database, absolute.
    public let path: String

    /// The result of a save.
    public struct Saved: Sendable, Hashable {
        /// The number of new points.
        public var inserted = 0
        /// The number of points that were already in the store, and are now marked as seen again.
        public var repeated = 0

        /// Creates a result without points.
        public init() {}
    }

    private struct State {
        /// The time of the last save.
        var lastSave: Timestamp?
        /// The last save whose points were searched for visits and trips.
        var lastAnalysed: Timestamp?
        var nextObserver = 0
        var observers: [Int: @Sendable (Saved, Timestamp) -> Void] = [:]
    }

    private let owner: StoreOwner<StoreConnection>
    private let state = Locked(State())

    init(path: String) {
        self.path = path
        owner = StoreOwner(StoreFile(path: path, kind: .positions))
    }

    // MARK: One store for each path

    private static let stores = StoreRegistry<TrackStore>()

    /// Returns the store of a path, without opening anything. A forked child gets a new one.
    public static func at(_ path: String) -> TrackStore {
        stores.store(at: DestinationPath.resolved(path), isOwn: \.owner.isOwn) { TrackStore(path: $0) }
    }

    /// `track.sqlite` in `$STATE_DIRECTORY`, which systemd sets, else in `$XDG_STATE_HOME/PROGRAM` (by default
    /// `~/.local/state/PROGRAM`).
    public static var defaultPath: String { Environment.programState + "/track.sqlite" }

    // MARK: Writing

    /// Opens the database, and creates it if it does not exist.
    public func open() throws(StoreError) { try withConnection { _ in } }

    /// Opens the database, and waits while another process uses it.
    ///
    /// - Parameter limit: How long to wait.
    package func open(waiting limit: Duration) throws(StoreError) { try owner.open(waiting: limit) }

    /// Opens the database, and waits while another process uses it.
    ///
    /// - Parameter pause: Called between two attempts.
    func open(waiting limit: Duration, pause: () -> Void) throws(StoreError) {
        try owner.open(waiting: limit, pause: pause)
    }

    /// Saves points in one transaction: all of them or, after an error, none.
    @discardableResult
    public func save(_ points: [TrackPoint]) throws(StoreError) -> Saved { try save(points, ends: nil, mark: nil) }

    /// Saves points of a run, together with the position in the run. Points saved before are skipped.
    ///
    /// - Parameter ends: For each point, the ring's position after its record.
    package func save(_ points: [TrackPoint], ends: [UInt64], mark: RingMark) throws(StoreError) -> Saved {
        try save(points, ends: Optional(ends), mark: mark)
    }

    private func save(_ points: [TrackPoint], ends: [UInt64]?, mark: RingMark?) throws(StoreError) -> Saved {
        guard !points.isEmpty || mark != nil else { return Saved() }
        let now = Timestamp.now
        let saved = try owner.with { try $0.save(points, ends: ends, mark: mark, now: now) }
        let observers = state.withLock { state in
            state.lastSave = now
            return Array(state.observers.values)
        }
        for observer in observers { observer(saved, now) }
        return saved
    }

    /// Makes everything saved so far survive power loss.
    public func flush() throws(StoreError) { try owner.flush() }

    /// Closes the database, after a ``flush()``; the next call opens it again.
    public func close() throws(StoreError) { try owner.close() }

    /// Returns the position up to which the store has the records of a ring; `nil` if it contains none, or cannot be
    /// opened.
    package func position(in ring: RingID) -> UInt64? { owner.position(in: ring) }

    /// Calls a function after every save of this process, until the result is deallocated.
    package func observe(_ body: @escaping @Sendable (Saved, Timestamp) -> Void) -> StoreObservation {
        let number = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = body
            return state.nextObserver
        }
        return StoreObservation { [weak self] in self?.state.withLock { $0.observers[number] = nil } }
    }

    /// The number of points, and the times of the first and the last in milliseconds, if they are known without opening
    /// the database.
    var facts: (rows: Int64, oldest: Int64?, newest: Int64?) {
        owner.peek { connection in
            guard let connection else { return (0, nil, nil) }
            return (connection.points, connection.oldest, connection.newest)
        }
    }

    /// Runs a body if anything has been saved since it last succeeded.
    ///
    /// - Parameter body: Returns whether it succeeded.
    func ifSaved(_ body: () throws(StoreError) -> Bool) throws(StoreError) {
        let (save, isKnown) = state.withLock { ($0.lastSave, $0.lastSave == $0.lastAnalysed) }
        guard !isKnown, try body() else { return }
        state.withLock { $0.lastAnalysed = save }
    }

    /// The time at which this process last saved something.
    public var lastSave: Timestamp? { state.withLock { $0.lastSave } }

    // MARK: The connection

    /// Runs a body with the open database. A damaged database is moved aside, and the body runs with a new one.
    func withConnection<R: Sendable>(_ body: (StoreConnection) throws -> R) throws(StoreError) -> R {
        try owner.with(body)
    }

    /// Runs a body with the database if it is open.
    func withOpenConnection<R: Sendable>(_ body: (StoreConnection) throws -> R) throws(StoreError) -> R? {
        try owner.withOpen(body)
    }
}

extension TrackStore: SinkStore {}
#endif
