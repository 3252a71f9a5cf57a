package import Taffrail
package import TaffrailText

/// The alerts of a file: a sink passes records to it, an input logs the alerts that it raises, and queries read it. Any
/// thread may call.
///
/// Only one process at a time writes the file: it holds a lock on `FILE.lock`.
package final class AlertBook: Sendable {
    private struct State {
        var table: AlertTable?
        /// The number of sinks that have the file open.
        var users = 0
        /// Whether the table has been written to the file, and whether the file would survive power loss.
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
    /// Wakes the input when there may be alerts to log.
    package let wakes = WakeStream()

    private static let books = Locked<[String: AlertBook]>([:])

    /// Creates a book that is not registered for its path.
    package init(path: String, now: @escaping @Sendable () -> AlertTable.Time = { AlertTable.Time() }) {
        self.path = path
        self.now = now
        directory = Directory.parent(of: path) ?? "."
    }

    /// Returns the book of a path in this process. A forked child has its own books.
    package static func at(_ path: String) -> AlertBook {
        books.withLock { books in
            if let book = books[path] {
                if book.isOwn { return book }
                // A thread of the parent may hold its lock, which is then never released in the child.
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

    /// Whether this process has created the book.
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

    /// Opens the file, and creates it if it does not exist.
    ///
    /// - Throws: EBUSY while another process uses it.
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

    /// Returns the contents of the file; `nil` if it does not exist, or was moved aside.
    private func stored() throws(SystemError) -> AlertTable? {
        guard let bytes = try Self.bytes(path), !bytes.isEmpty else { return nil }
        if let table = AlertTable(json: bytes, now: now().monotonic) { return table }
        let kept = path + ".damaged"
        try FileName.rename(path, to: kept)
        Diagnostics.report("\(path) is damaged or has a later version: it is kept as \(kept), and alerts start over")
        return nil
    }

    /// Returns the position up to which the records of a run have been taken; `nil`: none, or the file is not open.
    package func position(in run: RingID) -> UInt64? { state.withLock { $0.table?.position(in: run) } }

    /// Processes records: all of them or, after an error, none.
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
            // Without a change by this batch, earlier unstored changes are left to the next tick.
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

    /// Flushes, and closes the file if no users remain.
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

    /// Raises the alerts that are due, ends those whose condition no longer holds, and logs all of them, the oldest
    /// first. The file is written once before and once after that.
    ///
    /// - Parameter log: Logs an alert without waiting, and returns whether the queue accepted it; if not, the next call
    ///   logs it.
    package func report(_ log: (Alert) -> Bool) {
        // An input may still be running when the next one begins.
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

    /// Stores changes. An alert is reported even if they cannot be stored, because the disk may be its cause.
    private func storeIfNeeded(_ state: inout State) {
        guard state.table?.isChanged == true || !state.isStored else { return }
        state.isStored = store(&state) == nil
    }

    // MARK: Queries

    /// The values for the status file of the sink: the numbers of alerts that are not logged yet, of alerts that were
    /// dropped because nothing logged them, and of records that were not counted; empty while the file is not open.
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

    /// Replaces the file atomically, so that readers see either the old or the new one.
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
