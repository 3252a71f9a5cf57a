internal import Synchronization

/// The page that producers and the writer of one process share.
///
/// It is anonymous and wiped by a fork: a child finds a limit of zero and takes the slow path, like every caller before
/// the first record and after the end.
struct QueueControl: @unchecked Sendable {
    let base: UnsafeMutableRawPointer

    /// Creates the page of a queue. It is never freed.
    init() { base = MemoryMap.permanent(4096, wipedOnFork: true) }

    enum State: UInt32 {
        /// No ring is open: before the first record, after the end, or in a forked child.
        case none = 0
        case open
        /// The writer drains the ring; callers wait for the next state.
        case closing
        /// Shut down permanently: callers drop.
        case shutDown
        /// No ring could be created: callers drop until the next attempt.
        case failed
    }

    @inline(__always)
    private func word64(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        (base + offset).atomic64
    }

    @inline(__always)
    private func word32(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
        (base + offset).assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    // One cache line each: words that all producers change, words that they only read, words that the writer changes.

    /// The position after the last reserved record.
    var tail: UnsafeMutablePointer<Atomic<UInt64>> { @inline(__always) get { word64(0) } }
    /// The value of `tail` while no ring is open: no reservation that began earlier can succeed.
    static let closedTail: UInt64 = 1 << 62

    /// The position up to which a caller may reserve without further checks. 0: always check.
    var limit: UnsafeMutablePointer<Atomic<UInt64>> { @inline(__always) get { word64(128) } }
    /// A caller whose record ends after this position wakes the writer.
    var wakeMark: UnsafeMutablePointer<Atomic<UInt64>> { @inline(__always) get { word64(136) } }
    /// The address of the ring's data, its capacity less one, and its secret.
    var data: UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: UInt(word64(144).pointee.load(ordering: .relaxed)))
    }
    var mask: UInt64 { @inline(__always) get { word64(152).pointee.load(ordering: .relaxed) } }
    var secret: UInt64 { @inline(__always) get { word64(160).pointee.load(ordering: .relaxed) } }

    /// Stores where the data of a ring is.
    func setRing(data: UnsafeMutableRawPointer, capacity: Int, secret: UInt64) {
        word64(144).pointee.store(UInt64(UInt(bitPattern: data)), ordering: .relaxed)
        word64(152).pointee.store(UInt64(capacity - 1), ordering: .relaxed)
        word64(160).pointee.store(secret, ordering: .relaxed)
    }

    /// How records get their ambient attributes: a ``ContextWord``.
    var context: UnsafeMutablePointer<Atomic<UInt64>> { @inline(__always) get { word64(176) } }
    /// Whether the gates of the loggers still need their levels.
    var needsLevels: Bool {
        @inline(__always) get { word32(172).pointee.load(ordering: .relaxed) == 0 }
        nonmutating set { word32(172).pointee.store(newValue ? 0 : 1, ordering: .releasing) }
    }
    /// Records from this level up wake the writer and request a flush; 255: none.
    var flushLevel: UInt8 {
        @inline(__always) get { UInt8(truncatingIfNeeded: word32(168).pointee.load(ordering: .relaxed)) }
        nonmutating set { word32(168).pointee.store(UInt32(newValue), ordering: .relaxed) }
    }

    /// The position before which everything has been freed.
    var head: UnsafeMutablePointer<Atomic<UInt64>> { word64(256) }
    /// Changes when space is freed or the state changes.
    var space: Futex { Futex(base + 264) }
    /// The number of callers that wait for space.
    var spaceWaiters: UnsafeMutablePointer<Atomic<UInt32>> { word32(272) }
    /// The number of callers that have waited long and take precedence.
    private var precedences: UnsafeMutablePointer<Atomic<UInt32>> { word32(276) }
    var isPrecedenceTaken: Bool { precedences.pointee.load(ordering: .sequentiallyConsistent) != 0 }

    /// Stops all other callers, including those that would find room without checking.
    func takePrecedence() {
        precedences.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
        limit.pointee.store(0, ordering: .sequentiallyConsistent)
    }

    /// Lets the other callers continue.
    func endPrecedence() {
        precedences.pointee.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        space.advance()
    }

    /// Lets callers reserve up to a position without checking, unless one of them has precedence.
    func setLimit(_ position: UInt64) {
        limit.pointee.store(position, ordering: .sequentiallyConsistent)
        if isPrecedenceTaken { limit.pointee.store(0, ordering: .sequentiallyConsistent) }
    }

    /// Changes when the writer must look for work.
    var wake: Futex { Futex(base + 320) }
    var wakeAddress: UnsafeMutablePointer<UInt32> { (base + 320).assumingMemoryBound(to: UInt32.self) }
    /// The positions up to which a flush has been requested and completed.
    var flushRequested: UnsafeMutablePointer<Atomic<UInt64>> { word64(384) }
    var flushDone: UnsafeMutablePointer<Atomic<UInt64>> { word64(392) }
    /// Changes when `flushDone` does, or a flush fails.
    var flushed: Futex { Futex(base + 400) }
    /// The number of flushes that failed with a permanent error, for which no caller waits any longer.
    var failedFlushes: UnsafeMutablePointer<Atomic<UInt32>> { word32(416) }
    /// Serializes opening and closing.
    var lock: WordLock { WordLock(base + 448) }
    /// The names and levels of loggers.
    var registryLock: WordLock { WordLock(base + 512) }
    /// The numbers of call sites.
    var siteLock: WordLock { WordLock(base + 640) }

    var state: State {
        get { State(rawValue: word32(452).pointee.load(ordering: .acquiring)) ?? .none }
        nonmutating set { word32(452).pointee.store(newValue.rawValue, ordering: .releasing) }
    }
    /// Whether every sink fails, so that no caller may wait.
    var isDegraded: Bool {
        get { word32(456).pointee.load(ordering: .relaxed) != 0 }
        nonmutating set { word32(456).pointee.store(newValue ? 1 : 0, ordering: .relaxed) }
    }
    /// Whether a caller has timed out since the writer last freed space.
    var isStuck: Bool {
        get { word32(460).pointee.load(ordering: .relaxed) != 0 }
        nonmutating set { word32(460).pointee.store(newValue ? 1 : 0, ordering: .relaxed) }
    }

    /// Whether the last ring that was closed has not been written and flushed by all sinks; its writer clears it.
    var leavesRecords: Bool {
        get { word32(464).pointee.load(ordering: .acquiring) != 0 }
        nonmutating set { word32(464).pointee.store(newValue ? 1 : 0, ordering: .releasing) }
    }

    /// Whether a change has closed a sink that had lost writes, and has then moved the queue.
    var hasClosedLostSink: Bool {
        get { word32(468).pointee.load(ordering: .acquiring) != 0 }
        nonmutating set { word32(468).pointee.store(newValue ? 1 : 0, ordering: .releasing) }
    }

    /// The ring's header, which stays mapped until the process ends.
    var header: RingHeader? {
        get {
            UnsafeMutableRawPointer(bitPattern: UInt(word64(576).pointee.load(ordering: .acquiring)))
                .map(RingHeader.init(base:))
        }
        nonmutating set {
            word64(576).pointee.store(UInt64(UInt(bitPattern: newValue?.base)), ordering: .releasing)
        }
    }
    /// Counts a record that did not get into the ring: in the ring's header, or here while no ring is open.
    func countDrop(_ level: Level, for reason: DropReason) {
        if let header { return header.countDrop(level, for: reason) }
        word64(1024 + 64 * reason.column + 8 * Int(level.rawValue)).pointee.wrappingAdd(1, ordering: .relaxed)
    }
    /// Takes over what ``countDrop(_:for:)`` has counted here.
    func takeDrops(_ level: Level, for reason: DropReason) -> UInt64 {
        let count = word64(1024 + 64 * reason.column + 8 * Int(level.rawValue))
        return count.pointee.load(ordering: .relaxed) == 0 ? 0 : count.pointee.exchange(0, ordering: .relaxed)
    }

    /// The number of dropped records that were logged by a sink.
    var refused: UnsafeMutablePointer<Atomic<UInt64>> { word64(704) }

    /// The earliest time of the next attempt to create the queue, on the monotonic clock, and the pause after that
    /// attempt.
    private var retryAt: UnsafeMutablePointer<Atomic<UInt64>> { word64(712) }
    private var retryPause: UnsafeMutablePointer<Atomic<UInt64>> { word64(720) }

    /// Notes that no ring could be created. The next attempt follows after a second; the pause doubles each time, up
    /// to 64 s.
    func fail() {
        let pause = max(1_000_000_000, retryPause.pointee.load(ordering: .relaxed))
        retryAt.pointee.store(UInt64(max(0, SystemClock.monotonicNanoseconds())) &+ pause, ordering: .relaxed)
        retryPause.pointee.store(min(2 * pause, 64_000_000_000), ordering: .relaxed)
        // Drops until then are counted here and reported by the next ring.
        header = nil
        state = .failed
    }

    /// Notes that a ring has been created.
    func succeed() { retryPause.pointee.store(0, ordering: .relaxed) }

    /// Returns whether a ring may be created now.
    func mayOpen() -> Bool {
        switch state {
        case .none: true
        case .failed: UInt64(max(0, SystemClock.monotonicNanoseconds())) >= retryAt.pointee.load(ordering: .relaxed)
        case .open, .closing, .shutDown: false
        }
    }

    /// The number of records lost although the options do not require it: for lack of a queue, or because of a failing
    /// sink.
    var losses: UnsafeMutablePointer<Atomic<UInt64>> { word64(728) }
    /// The number of these that have been reported by the result of a flush.
    var reportedLosses: UnsafeMutablePointer<Atomic<UInt64>> { word64(736) }
    /// Whether records have been lost since the last flush.
    var hasNewLosses: Bool {
        losses.pointee.load(ordering: .acquiring) != reportedLosses.pointee.load(ordering: .relaxed)
    }
    func countLosses(_ count: UInt64) { losses.pointee.wrappingAdd(count, ordering: .releasing) }

    /// The number of records that a sink has refused permanently.
    var refusals: UnsafeMutablePointer<Atomic<UInt64>> { word64(744) }
    /// The number of these at the last acknowledgement.
    var reportedRefusals: UnsafeMutablePointer<Atomic<UInt64>> { word64(760) }
    func countRefusals(_ count: UInt64) { refusals.pointee.wrappingAdd(count, ordering: .releasing) }
    /// The position before which every sink that works has everything, as of the last ``askForDrain()`` that was served.
    var acknowledged: UnsafeMutablePointer<Atomic<UInt64>> { word64(752) }

    /// Stops reservations: callers wait for the next state.
    ///
    /// - Returns: The position after the last reserved record; `nil` when another thread has already done it.
    func close() -> UInt64? {
        limit.pointee.store(0, ordering: .sequentiallyConsistent)
        state = .closing
        let end = tail.pointee.exchange(Self.closedTail, ordering: .acquiringAndReleasing)
        guard end < Self.closedTail else { return nil }
        leavesRecords = true
        return end
    }

    /// Wakes the writer from any wait.
    func wakeWriter() {
        wakeMark.pointee.store(.max, ordering: .relaxed)
        wake.advance()
    }

    /// Makes callers wake the writer for records that end after a position. A caller that publishes after this sees the
    /// mark, and a reader after this call sees everything published before.
    func expectWake(after position: UInt64) {
        wakeMark.pointee.store(position, ordering: .relaxed)
        Membarrier.run()
    }

    /// Whether a thread waits for the ring to be empty.
    var drainAsked: Bool {
        get { word32(408).pointee.load(ordering: .acquiring) != 0 }
        nonmutating set { word32(408).pointee.store(newValue ? 1 : 0, ordering: .releasing) }
    }

    /// Requests a notification through `flushed` when the ring is empty, and wakes the writer.
    func askForDrain() {
        drainAsked = true
        wakeWriter()
    }

    /// Requests a flush up to a position and wakes the writer.
    func askForFlush(upTo position: UInt64) {
        flushRequested.pointee.max(position, ordering: .acquiringAndReleasing)
        wakeWriter()
    }
}
