internal import CTaffrail
internal import Synchronization

/// The path of records through a program, or a part of it: loggers, the write queue, the writer thread, the sinks.
///
/// ``shared`` needs no set-up. Another pipeline starts with its first enabled record, and lives until
/// ``shutdown(timeout:)`` or the end of the process, which drains it for at most 2 s.
public final class Pipeline: LoggerPipeline, @unchecked Sendable {
    private(set) var queue: WriteQueue
    private(set) var sites: CallSites
    let ambient = AmbientContext()
    let redaction = PermanentReference<KeyRedaction>()
    let traces = TraceSource()
    let control: QueueControl
    /// The requested queue options.
    private(set) var queueOptions: QueueOptions
    /// The time of its creation.
    private let birth = Timestamp.now

    // Protected by `control.lock`.
    /// Makes the sinks at the first record.
    private var makeSinks: () -> [LiveSink]
    /// Whether the log begins with the line `Logger initialized`: only if nothing has been set up.
    var isAnnounced: Bool
    /// `nil` before they have been made.
    var sinks: [LiveSink]?
    var processors: ProcessorChain
    private(set) var ring: Ring?
    private(set) var mailbox = WriterMailbox()
    /// The first position of the next ring, if there has been one.
    private var nextStart: UInt64 = 0
    private var processID: Int32 = 0
    /// The number of the ring, twice, and 1 if it is a file. Read by any thread, without `control.lock`.
    let ringNumber = Atomic<UInt64>(0)
    /// A ring that has no writer thread yet.
    private var unusedRing: Ring?
    /// The mailbox of a writer that a sink has blocked beyond the end of its ring. No other writer may use the sinks
    /// before it has ended.
    private var lateWriter: WriterMailbox?
    /// The raised priority of the writer thread. Confined to that thread.
    var writerPriority: RealtimePriority?
    /// Sorted by name.
    let commands = Locked<[CommandHandler]>([])
    /// Held while a command runs.
    let commandTurn = Locked<Void>(())
    package let taps = RecordTaps()
    /// The inputs and context providers.
    let running = Locked<[Running]>([])
    /// Whether to keep rings of dead runs that have records for sinks which this pipeline lacks: for a command that
    /// writes to one of a program's destinations but is not that program. Set before the first record.
    package var keepsAbsentSinks = false
    /// How long a log call waits for a set-up, in nanoseconds. Changed by tests only, before the first record.
    var setUpLimit = QueueLimits.longestChange
    /// A change that was abandoned while the writer was running it.
    var lateChange: ChangeRequest?

    // Protected by `control.registryLock`.
    var loggers: LoggerTable
    /// The attributes of the context providers, and their slots in the ring.
    var contexts = ContextShares()
    var contextSlots = ContextSlots()

    /// Held while the pipeline is changed.
    let changing = Locked<Void>(())
    /// The sources of the processors and the guards. Protected by `changing`.
    var processorParts: [PlannedPlugin] = []
    var guardParts: [PlannedPlugin] = []

    /// The state without a name. It and the pipeline refer to each other and live as long as the process, because
    /// loggers are values that follow plain pointers.
    let root: UnsafeMutablePointer<LoggerState>

    /// The pipeline of ``Logger/shared`` and of named loggers.
    public static let shared: Pipeline = {
        let settings = DefaultLog.settings()
        return Pipeline(
            processors: ProcessorChain([]), queue: QueueOptions(), levels: settings.levels,
            sharedGate: taffrail_shared_gate_address()
        ) { DefaultLog.sinks(settings).map { LiveSink($0) } }
    }()

    init(
        processors: ProcessorChain, queue options: QueueOptions, levels: LevelTable,
        sharedGate: UnsafePointer<taffrail_gate>?, makeSinks: @escaping () -> [LiveSink]
    ) {
        self.makeSinks = makeSinks
        isAnnounced = sharedGate != nil
        queueOptions = options
        self.processors = processors
        control = QueueControl()
        queue = WriteQueue(control: control, limits: options.limits)
        sites = CallSites(control, tableLength: CallSiteTable.length(beside: options.usedCapacity))
        root = LoggerState.make(
            name: "", gate: sharedGate, queue: queue, sites: sites, ambient: ambient, redaction: redaction,
            traceSource: traces)
        loggers = LoggerTable(root: root, levels: levels)
        _ = Unmanaged.passRetained(self)
        root.connect(to: self)
    }

    // MARK: Opening

    /// Opens the queue and the sinks now instead of with the first record, so that records of earlier runs are written
    /// even if nothing is logged.
    package func begin() {
        prepare()
        open(first: nil)
    }

    /// Creates a ring and its writer: for the first record, in a forked child, after the end of an earlier ring, and
    /// for another attempt.
    ///
    /// - Parameter first: The time of the record for which it is opened, if that already has one.
    func open(first: Timestamp?) {
        guard control.mayOpen() else { return }
        // A set-up that hangs while it opens a sink holds the lock. Only the first call waits for it.
        let deadline = SystemClock.monotonicNanoseconds() + (control.isStuck ? 0 : setUpLimit)
        let isNew = control.lock.withLock(until: deadline) { () -> Bool in
            guard control.mayOpen() else { return false }
            guard !hasLateWriter else {
                control.fail()
                return false
            }
            lateWriter = nil
            let ring: Ring
            do throws(SystemError) {
                if let unusedRing, processID == ThisProcess.id {
                    ring = unusedRing
                } else {
                    _ = openedSinks()
                    processID = ThisProcess.id
                    ring = try storage.makeRing(start: max(nextStart, UInt64(queueOptions.usedCapacity)))
                }
                unusedRing = nil
            } catch {
                Diagnostics.report("cannot create the queue; dropping records until it succeeds: \(error)")
                control.fail()
                return false
            }
            return start(ring, first: first)
        }
        if isNew == nil { control.isStuck = true }
        if isNew == true { Lifecycle.opened(self) }
    }

    /// Whether the writer of an earlier ring still uses the sinks. A forked child has none.
    var hasLateWriter: Bool { lateWriter.map { $0.end == nil } == true && processID == ThisProcess.id }

    /// The sinks; empty before the first record.
    var liveSinks: [LiveSink] { sinks ?? [] }

    /// The directory for data that outlives its runs.
    var storage: RunStorage { RunStorage(queue: queueOptions, sinks: liveSinks.map(\.sink)) }

    func openedSinks() -> [LiveSink] {
        if let sinks {
            // A forked child still shares the files that its parent had open.
            if processID != ThisProcess.id {
                for live in sinks {
                    do throws(SinkError) { try live.sink.reopen() } catch {
                        Diagnostics.report("sink \(live.sink.name) cannot be opened: \(error.reason)")
                    }
                }
            }
            return sinks
        }
        let made = makeSinks()
        makeSinks = { [] }
        sinks = made
        return made
    }

    /// Replaces the queue options, unless a ring has been created with the former ones. Requires `control.lock`.
    ///
    /// - Returns: Whether they are now in effect.
    func bindQueue(_ options: QueueOptions) -> Bool {
        guard queueOptions != options else { return true }
        guard processID == 0 else { return false }
        queueOptions = options
        queue.limits = options.limits
        sites = CallSites(control, tableLength: CallSiteTable.length(beside: options.usedCapacity))
        control.registryLock.withLock { loggers.bind(queue, sites) }
        return true
    }

    /// Starts the writer of a new ring, and returns whether that succeeded.
    private func start(_ ring: Ring, first: Timestamp?) -> Bool {
        self.ring = ring
        mailbox = WriterMailbox()
        control.setRing(data: ring.data, capacity: ring.capacity, secret: ring.secret)
        let number = (ringNumber.load(ordering: .relaxed) | 1) &+ 1
        ringNumber.store(number | (ring.path == nil ? 0 : 1), ordering: .releasing)
        ring.header.setDrops(queueOptions.whenFull)
        if control.hasClosedLostSink { ring.header.setHasClosedLostSink() }
        control.header = ring.header
        sites.copy(to: ring.header)
        control.flushLevel = queueOptions.flushLevel?.rawValue ?? 255
        let start = ring.header.head
        control.head.pointee.store(start, ordering: .relaxed)
        control.flushRequested.pointee.store(0, ordering: .relaxed)
        control.flushDone.pointee.store(0, ordering: .relaxed)
        control.acknowledged.pointee.store(start, ordering: .relaxed)
        control.wakeMark.pointee.store(.max, ordering: .relaxed)
        // Into a ring that no thread writes to yet.
        control.registryLock.withLock {
            contextSlots = ContextSlots()
            publishContexts()
        }
        control.isDegraded = false
        control.isStuck = false
        let storage = storage
        let ledgers = storage.ledgers(beside: ring)
        let writer = Writer(
            queue: queue, ring: ring, processors: processors, sinks: liveSinks.map(\.filtered), mailbox: mailbox,
            recovery: storage.recovery(besides: ring.run, keepsAbsent: keepsAbsentSinks, ledgers), ledgers: ledgers,
            taps: taps)
        guard writer.start(takesSignals: queueOptions.handleSignals) else {
            Diagnostics.report("cannot start the writer thread; dropping records until it succeeds")
            unusedRing = ring
            self.ring = nil
            control.fail()
            return false
        }
        control.succeed()
        control.tail.pointee.store(start, ordering: .relaxed)
        control.state = .open
        // Before the limit is set no other thread reserves.
        if isAnnounced {
            isAnnounced = false
            // Not the opening time, which would be later than that of the record that has waited for it.
            root.announce(at: min(birth, first ?? birth))
        }
        control.limit.pointee.store(start &+ UInt64(ring.capacity), ordering: .releasing)
        control.space.advance()
        return true
    }

    // MARK: End

    /// Stops the inputs and context providers, drains the queue, closes the sinks and ends the writer. Later records
    /// are dropped.
    ///
    /// Inputs that do not return within a second are no longer waited for.
    ///
    /// - Parameter timeout: The time limit for draining. Default 30 s.
    /// - Returns: Whether everything was written, with no records lost since the last flush. Unwritten records remain
    ///   in the ring's file, if there is one, for the next run to recover.
    @discardableResult
    public func shutdown(timeout: Duration = .seconds(30)) -> Bool {
        if !isOnWriterThread { Running.end(running.withLock { $0 }, within: timeout) }
        return end(timeout: timeout, closesSinks: true) && !control.hasNewLosses
    }

    /// Ends the ring. A later record opens a new one, unless the sinks were closed.
    @inline(never)
    @discardableResult
    func end(timeout: Duration, closesSinks: Bool) -> Bool {
        guard !isOnWriterThread else { return false }
        let deadline = SystemClock.monotonicNanoseconds() + timeout.timeout
        // A change blocked by a sink that hangs while it is opened holds the lock.
        let isEmpty = control.lock.withLock(until: deadline) { () -> Bool in
            guard control.state == .open, processID == ThisProcess.id else {
                if closesSinks && (control.state == .none || control.state == .failed) { control.state = .shutDown }
                // A signal has closed it, and its writer then ends the process.
                if control.state == .closing { _ = mailbox.waitForEnd(until: deadline) }
                return !control.leavesRecords
            }
            if let end = control.close() {
                mailbox.close(WriterMailbox.Closing(end: end, deadline: deadline, closesSinks: closesSinks))
                nextStart = (end &+ 2 * UInt64(queueOptions.usedCapacity)) & ~15
            }
            control.wakeWriter()
            let end = mailbox.waitForEnd(until: deadline + 1_000_000_000)
            // A caller may still be copying into a ring that was not drained: it stays mapped.
            if let ring, end != .nothing { _ = Unmanaged.passRetained(ring) }
            ring = nil
            if closesSinks || end == .unfinishedRecord {
                // The caller that is still copying would write into the next ring.
                control.state = .shutDown
            } else if end == nil {
                lateWriter = mailbox
                control.fail()
            } else {
                // Drops until the next ring are counted for that one.
                control.header = nil
                control.isStuck = false
                control.state = .none
            }
            control.space.advance()
            control.flushed.advance()
            return end == .nothing
        }
        guard let isEmpty else { return false }
        Lifecycle.ended(self)
        return isEmpty
    }
}
