package import Taffrail
package import TaffrailText

/// The alerts of a file: a sink passes records to it, an input logs the alerts that it raises, and queries read it. Any
/// thread may call.
///
/// One process at a time has the file: it holds a lock on `FILE.lock`.
package final class AlertBook: Sendable {
    private struct State {
        var table: AlertTable?
        /// The number of sinks that have it open.
        var users = 0
        /// Whether the table is in the file, and whether the file would survive power loss.
        var isStored = true
        var isSynchronized = true
    }

    /// The lock of the file, which ends with the process.
    private final class Lock: Sendable {
        let file: FileDescriptor

        init(_ path: String, in directory: String) throws(SystemError) {
            let isNew = !FileName.exists(path)
            file = try FileDescriptor(path, [.readWrite, .create, .noFollow], closedInChildren: true)
            if isNew { file.handOver(toOwnerOf: directory) }
            guard file.lock() else { throw SystemError("lock \(path)", code: Errno.busy) }
        }
    }

    /// The path of the file.
    package let path: String
    private let directory: String
    private let process = ThisProcess.id
    private let now: @Sendable () -> AlertTable.Time
    private let state = Locked(State())
    private let lock = Locked<Lock?>(nil)
    private let reporting = Locked(())
    /// Wakes the input whenever there may be alerts to be logged.
    package let wakes = WakeStream()

    private static let books = Locked<[String: AlertBook]>([:])

    /// Creates a book that is not registered for its path.
    package init(path: String, now: @escaping @Sendable () -> AlertTable.Time = { AlertTable.Time() }) {
        self.path = path
        self.now = now
        directory = Directory.parent(of: path) ?? "."
    }

    /// Returns the book of a path in this process. A forked child has books of its own.
    package static func at(_ path: String) -> AlertBook {
        books.withLock { books in
            if let book = books[path] {
                if book.isOwn { return book }
                // Its lock may be one that a thread of the parent holds for ever.
                _ = Unmanaged.passRetained(book)
            }
            let book = AlertBook(path: path)
            books[path] = book
            return book
        }
    }

    /// Returns the book of a path, if a sink of this process has it open.
    static func open(at path: String) -> AlertBook? {
        books.withLock { $0[path] }.flatMap { $0.isOwn && $0.isOpen ? $0 : nil }
    }

    /// Whether this process has created it.
    package var isOwn: Bool { process == ThisProcess.id }

    private var isOpen: Bool { state.withLock { $0.table != nil } }

    // MARK: The sink

    /// Adds a user, whose rules replace those of others.
    package func join(_ rules: [AlertRule]) {
        state.withLock { state in
            state.users += 1
            state.table?.use(rules, at: now())
        }
    }

    /// Opens the file, and creates it where there is none.
    ///
    /// - Throws: EBUSY while another process has it.
    package func open(_ rules: [AlertRule]) throws(SystemError) {
        // The writer and a reload may open it at the same time.
        try lock.withLock { lock throws(SystemError) in
            guard !isOpen else { return }
            try Directory.create(directory)
            let held = try Lock(path + ".lock", in: directory)
            var table = try stored() ?? AlertTable()
            table.use(rules, at: now())
            let opened = table
            let error = state.withLock { state -> SystemError? in
                state.table = opened
                guard let error = store(&state) else { return nil }
                state.table = nil
                return error
            }
            if let error { throw error }
            lock = held
        }
        wakeIfNeeded()
    }

    /// Returns the contents of the file; `nil` if there is none, or it was moved aside.
    private func stored() throws(SystemError) -> AlertTable? {
        guard let bytes = try Self.bytes(path), !bytes.isEmpty else { return nil }
        if let table = AlertTable(json: bytes, now: now().monotonic) { return table }
        let kept = path + ".damaged"
        try FileName.rename(path, to: kept)
        Diagnostics.report("\(path) is damaged or of a later version: it is kept as \(kept), and alerts start over")
        return nil
    }

    /// Returns the position up to which it has the records of a run; `nil`: none, or it is not open.
    package func position(in run: RingID) -> UInt64? { state.withLock { $0.table?.position(in: run) } }

    /// Takes records: all of them or, with an error, none.
    ///
    /// - Parameters:
    ///   - ends: The position after each of them; records that have been taken before are skipped.
    ///   - end: The position after all of them.
    package func take(
        _ records: [StoredRecord], ends: [UInt64], of run: RingID, upTo end: UInt64
    ) throws(SystemError) {
        let now = now()
        let error = state.withLock { state -> SystemError? in
            guard let before = state.table else { return SystemError("\(path) is not open", code: Errno.badDescriptor) }
            var table = before
            table.isChanged = false
            let known = table.position(in: run) ?? 0
            for (record, end) in zip(records, ends) where end > known { table.take(record, at: now) }
            if end > known { table.mark(run, end) }
            // Without a change, unstored changes are left to the next tick: this batch does not need them.
            guard table.isChanged else {
                table.isChanged = before.isChanged
                state.table = table
                return nil
            }
            state.table = table
            guard let error = store(&state) else { return nil }
            state.table = before
            return error
        }
        wakeIfNeeded()
        if let error { throw error }
    }

    /// Makes the file survive power loss.
    package func flush() throws(SystemError) {
        let error = state.withLock { state -> SystemError? in
            guard state.table != nil, !state.isStored || !state.isSynchronized else { return nil }
            return store(&state, synchronizing: true)
        }
        if let error { throw error }
    }

    /// Flushes, and closes the file if no user is left.
    ///
    /// - Parameter isUser: Whether the caller has joined, and leaves.
    package func leave(_ isUser: Bool) throws(SystemError) {
        var failure: SystemError?
        do throws(SystemError) { try flush() } catch { failure = error }
        let isLast = state.withLock { state in
            if isUser { state.users -= 1 }
            return state.users == 0
        }
        if isLast { close() }
        if let failure { throw failure }
    }

    private func close() {
        state.withLock { $0.table = nil }
        lock.withLock { $0 = nil }
    }

    // MARK: The input

    private func wakeIfNeeded() {
        if state.withLock({ $0.table?.pending.isEmpty == false }) { wakes.wake() }
    }

    /// Raises the alerts that are due, ends those that are over, and logs all of them, the oldest first. The file is
    /// written once before that, and once after it.
    ///
    /// - Parameter log: Logs an alert without waiting, and returns whether the queue has it; if not, the alert is left
    ///   to the next call.
    package func report(_ log: (Alert) -> Bool) {
        // An input may still be at work when the next one begins.
        reporting.withLock { _ in
            let logged = Array(tick().prefix(while: log))
            guard !logged.isEmpty else { return }
            state.withLock { state in
                state.table?.remove(logged)
                storeIfNeeded(&state)
            }
        }
    }

    private func tick() -> [Alert] {
        state.withLock { state in
            state.table?.tick(now())
            storeIfNeeded(&state)
            return state.table?.pending ?? []
        }
    }

    /// Stores what has changed. An alert is reported even if that cannot be stored: it may be about the disk.
    private func storeIfNeeded(_ state: inout State) {
        guard state.table?.isChanged == true || !state.isStored else { return }
        state.isStored = store(&state) == nil
    }

    // MARK: Queries

    /// The values for the status file of the sink: how many alerts are not logged yet, how many were dropped because
    /// nothing logged them, and how many records were not counted; empty while the file is not open.
    package var status: [LogValueEntry] {
        state.withLock { state in
            guard let table = state.table else { return [] }
            let uncounted = table.entries.reduce(0) { $0 + $1.uncounted }
            return [("pending", table.pending.count), ("dropped", table.dropped), ("uncounted", uncounted)].map {
                LogValueEntry($0, .int(Int64($1)))
            }
        }
    }

    /// Returns a copy of the table, for queries.
    func withTable<R>(_ body: (AlertTable, AlertTable.Time) -> R) -> R? {
        let now = now()
        return state.withLock { $0.table }.map { body($0, now) }
    }

    // MARK: The file

    /// Replaces the file, so that readers see the old one or the new one.
    private func store(_ state: inout State, synchronizing: Bool = false) -> SystemError? {
        guard let table = state.table else { return nil }
        do throws(SystemError) {
            try FileName.replace(path, with: table.json, forOwnerOf: directory, isDurable: synchronizing)
            if synchronizing { try Directory.synchronize(directory) }
            state.table?.isChanged = false
            state.isStored = true
            state.isSynchronized = synchronizing
            return nil
        } catch {
            return error
        }
    }

    /// Returns the contents of a file of at most 64 MiB; `nil` if it does not exist.
    static func bytes(_ path: String) throws(SystemError) -> [UInt8]? {
        guard let status = try FileStatus.of(path) else { return nil }
        return try FileDescriptor(path, [.read, .ownFile]).read(Int(min(status.size, 64 << 20)), at: 0)
    }
}
