#if Store
internal import GRDB
public import Taffrail
public import TaffrailQuery

/// The records of programs and devices, in an SQLite database that is indexed by time and by words.
///
/// One process writes to a store at a time; others may read, by ``LogStoreReader``. Within a process, ``at(_:)`` returns the same
/// store for the same path. The database is opened by the first call that needs it, and every function may be called from
/// any thread; it blocks as long as a disk takes.
///
/// What ``save(_:)`` has returned for survives SIGKILL; what ``flush()`` has returned for survives power loss. A record with
/// the device, run, number, time and message of another one is dropped.
public final class LogStore: Sendable {
    /// The path of the database, absolute.
    public let path: String

    /// What a save has changed.
    public struct Saved: Sendable, Hashable {
        /// How many records are new.
        public var inserted = 0
        /// How many were in the store, and were dropped.
        public var repeated = 0
        /// How many of the new ones have the device, run and number of another one, but not its time and message. They are stored
        /// without their number.
        public var conflicting = 0

        /// Nothing.
        public init() {}
    }

    let owner: StoreOwner<LogConnection>
    /// How long a deletion waits for readers.
    let patience: Duration
    private let counts = Locked<(lastSave: Timestamp?, repeated: Int64, conflicting: Int64)>((nil, 0, 0))

    init(path: String, patience: Duration = .seconds(15)) {
        self.path = path
        self.patience = patience
        owner = StoreOwner(StoreFile(path: path, kind: .records))
    }

    private static let stores = StoreRegistry<LogStore>()

    /// The store of a path; nothing is opened. In a forked child it is another one than the parent's.
    public static func at(_ path: String) -> LogStore {
        stores.store(at: DestinationPath.resolved(path), isOwn: \.owner.isOwn) { LogStore(path: $0) }
    }

    /// `logs.sqlite` in `$STATE_DIRECTORY`, which systemd sets, else in `$XDG_STATE_HOME/PROGRAM` (by default
    /// `~/.local/state/PROGRAM`).
    public static var defaultPath: String { StatePath.file("logs.sqlite") }

    // MARK: Writing

    /// Opens the database, and makes one where there is none.
    public func open() throws(StoreError) { try owner.with { _ in } }

    /// Opens the database, and waits while another process uses it.
    ///
    /// - Parameter limit: How long.
    package func open(waiting limit: Duration) throws(StoreError) { try owner.open(waiting: limit) }

    /// Saves records in one transaction: all of them, or with an error none.
    @discardableResult
    public func save(_ records: [StoredRecord]) throws(StoreError) -> Saved { try save(records, ends: nil, mark: nil) }

    /// Saves records of a run, together with how far the run has been saved. What was saved before is passed over.
    ///
    /// - Parameter ends: For each record, the ring's position after it.
    package func save(_ records: [StoredRecord], ends: [UInt64]?, mark: RingMark?) throws(StoreError) -> Saved {
        guard !records.isEmpty || mark != nil else { return Saved() }
        let saved = try owner.with { try $0.save(records, ends: ends, mark: mark) }
        counts.withLock {
            $0.lastSave = .now
            $0.repeated += Int64(saved.repeated)
            $0.conflicting += Int64(saved.conflicting)
        }
        return saved
    }

    /// Makes everything saved so far survive power loss.
    public func flush() throws(StoreError) { try owner.flush() }

    /// Closes the database, after a ``flush()``; the next call opens it again.
    public func close() throws(StoreError) { try owner.close() }

    /// The position up to which the store has the records of a ring; `nil` where it has none, or cannot be opened.
    package func position(in ring: RingID) -> UInt64? { owner.position(in: ring) }

    /// The status of the store: `rows`, `bytes` (of the database and its log), `oldest`, `newest`, `last_save`, `repeated` (dropped by this
    /// process), `conflicting` (stored without their number); unknown values are omitted.
    public var status: [LogValueEntry] {
        let facts = owner.peek { ($0?.records ?? 0, $0?.oldest, $0?.newest) }
        var entries = [
            LogValueEntry("rows", .int(facts.0)),
            LogValueEntry("bytes", .int(StoreFile(path: path, kind: .records).size)),
        ]
        for (name, time) in [("oldest", facts.1), ("newest", facts.2)] {
            if let time { entries.append(LogValueEntry(name, .date(Timestamp(nanoseconds: time)))) }
        }
        let (lastSave, repeated, conflicting) = counts.withLock { $0 }
        if let lastSave { entries.append(LogValueEntry("last_save", .date(lastSave))) }
        if repeated > 0 { entries.append(LogValueEntry("repeated", .int(repeated))) }
        if conflicting > 0 { entries.append(LogValueEntry("conflicting", .int(conflicting))) }
        return entries
    }
}
#endif
