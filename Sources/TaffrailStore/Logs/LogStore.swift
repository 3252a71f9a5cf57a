#if Store
internal import GRDB
public import Taffrail
public import TaffrailQuery
internal import TaffrailRecording

/// The records of programs and devices, in an SQLite database that is indexed by time and by words.
///
/// Only one process writes to a store at a time; others may read it with ``LogStoreReader``. Within a process,
/// ``at(_:)`` returns the same store for the same path. The database is opened by the first call that needs it, and
/// every function may be called from any thread; it blocks during disk operations.
///
/// Records survive SIGKILL once ``save(_:)`` has returned, and power loss once ``flush()`` has returned. A record with
/// the same device, run, number, time and message as another one is dropped.
public final class LogStore: Sendable {
    /// The path of the database, absolute.
    public let path: String

    /// The result of a save.
    public struct Saved: Sendable, Hashable {
        /// The number of new records.
        public var inserted = 0
        /// The number of records that were already in the store, and were dropped.
        public var repeated = 0
        /// The number of new records with the device, run and number of another one, but a different time or message.
        /// They are stored without their number.
        public var conflicting = 0
        /// The number of new records with a logger, device or event whose name was not accepted, because there were too
        /// many new names that day. `taffrail.other` replaces the name, and an attribute keeps it.
        public var limited = 0

        /// Creates a result without records.
        public init() {}
    }

    let owner: StoreOwner<LogConnection>
    /// How long a deletion waits for readers.
    let patience: Duration
    private let counts = Locked(Counts())
    /// The maximum number of new names of loggers, devices and events per day, for each of the three.
    private let nameLimit = Locked(NameBudget.standard)

    private struct Counts {
        var lastSave: Timestamp?
        var repeated: Int64 = 0
        var conflicting: Int64 = 0
        var limited: Int64 = 0
        /// The earliest time of the next report on stderr about names that are not accepted.
        var nextReport = Int64.min
    }

    init(path: String, patience: Duration = .seconds(15)) {
        self.path = path
        self.patience = patience
        owner = StoreOwner(StoreFile(path: path, kind: .records))
    }

    private static let stores = StoreRegistry<LogStore>()

    /// Returns the store of a path, without opening anything. A forked child gets a new one.
    public static func at(_ path: String) -> LogStore {
        stores.store(at: DestinationPath.resolved(path), isOwn: \.owner.isOwn) { LogStore(path: $0) }
    }

    /// `logs.sqlite` in `$STATE_DIRECTORY`, which systemd sets, else in `$XDG_STATE_HOME/PROGRAM` (by default
    /// `~/.local/state/PROGRAM`).
    public static var defaultPath: String { Environment.programState + "/logs.sqlite" }

    /// Sets the maximum number of new names of loggers, devices and events per day, for each of the three. Default
    /// 10,000.
    package func setNameLimit(_ limit: Int) { nameLimit.withLock { $0 = limit } }

    // MARK: Writing

    /// Opens the database, and creates it if it does not exist.
    public func open() throws(StoreError) { try owner.with { _ in } }

    /// Opens the database, and waits while another process uses it.
    ///
    /// - Parameter limit: How long to wait.
    package func open(waiting limit: Duration) throws(StoreError) { try owner.open(waiting: limit) }

    /// Saves records in one transaction: all of them or, after an error, none.
    @discardableResult
    public func save(_ records: [StoredRecord]) throws(StoreError) -> Saved { try save(records, ends: nil, mark: nil) }

    /// Saves records of a run, together with the position in the run. Records saved before are skipped.
    ///
    /// - Parameters:
    ///   - ends: For each record, the ring's position after it.
    ///   - now: The current time. Default: the machine's time.
    package func save(
        _ records: [StoredRecord], ends: [UInt64]?, mark: RingMark?, now: Timestamp = .now
    ) throws(StoreError) -> Saved {
        guard !records.isEmpty || mark != nil else { return Saved() }
        let limit = nameLimit.withLock { $0 }
        let saved = try owner.with { try $0.save(records, ends: ends, mark: mark, names: limit, now: now) }
        let isReported = counts.withLock { counts in
            counts.lastSave = now
            counts.repeated += Int64(saved.repeated)
            counts.conflicting += Int64(saved.conflicting)
            counts.limited += Int64(saved.limited)
            let now = SystemClock.monotonicNanoseconds()
            guard saved.limited > 0, now >= counts.nextReport else { return false }
            counts.nextReport = now &+ 3_600_000_000_000
            return true
        }
        if isReported {
            Diagnostics.report(
                "\(path): more than \(limit) new loggers, devices or events today; "
                    + "further names are stored as \(NameBudget.substitute)"
            )
        }
        return saved
    }

    /// Makes everything saved so far survive power loss.
    public func flush() throws(StoreError) { try owner.flush() }

    /// Closes the database, after a ``flush()``; the next call opens it again.
    public func close() throws(StoreError) { try owner.close() }

    /// Returns the position up to which the store has the records of a ring; `nil` if it contains none, or cannot be
    /// opened.
    package func position(in ring: RingID) -> UInt64? { owner.position(in: ring) }

    /// The status of the store: `rows`, `bytes` (of the database and its write-ahead log), `oldest`, `newest`,
    /// `last_save`, `repeated` (dropped by this process), `conflicting` (stored without their number), `limited` (names
    /// that were not accepted); unknown values are omitted.
    public var status: [LogValueEntry] {
        let facts = owner.peek { ($0?.records ?? 0, $0?.oldest, $0?.newest) }
        var entries = [
            LogValueEntry("rows", .int(facts.0)),
            LogValueEntry("bytes", .int(StoreFile(path: path, kind: .records).size)),
        ]
        for (name, time) in [("oldest", facts.1), ("newest", facts.2)] {
            if let time { entries.append(LogValueEntry(name, .date(Timestamp(nanoseconds: time)))) }
        }
        let counts = counts.withLock { $0 }
        if let lastSave = counts.lastSave { entries.append(LogValueEntry("last_save", .date(lastSave))) }
        for (name, count) in [
            ("repeated", counts.repeated), ("conflicting", counts.conflicting), ("limited", counts.limited),
        ] where count > 0 { entries.append(LogValueEntry(name, .int(count))) }
        return entries
    }
}

extension LogStore: SinkStore {}
#endif
