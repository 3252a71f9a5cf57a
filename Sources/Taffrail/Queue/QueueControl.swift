internal import CTaffrail
internal import Synchronization

/// The page that producers and the writer share within one process.
///
/// It is anonymous and wiped by a fork: a child finds a limit of zero and so comes to the slow path, like every
/// caller before the first record and after the end.
struct QueueControl: @unchecked Sendable {
    static let length = 4096
    let base: UnsafeMutableRawPointer

    /// What the queue is at the moment.
    enum State: UInt32 {
        /// There is no ring: not yet, not any more, or this is a forked child.
        case none = 0
        case open
        /// The writer drains what is there; callers wait for the next state.
        case closing
        /// Shut down for good: callers drop.
        case shutDown
        /// No ring could be made: callers drop, until it is time for another try.
        case failed
    }

    @inline(__always)
    private func word64(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        (base + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    @inline(__always)
    private func word32(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
        (base + offset).assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    // A cache line each: what all producers change, what they only read, what the writer changes.

    /// The position behind the last reserved record.
    var tail: UnsafeMutablePointer<Atomic<UInt64>> { @inline(__always) get { word64(0) } }
    /// The value of `tail` while there is no ring to reserve in: no reservation that began before can succeed.
    static let closedTail: UInt64 = 1 << 62

    /// The position up to which a caller may reserve without asking further. 0: ask.
    var limit: UnsafeMutablePointer<Atomic<UInt64>> { @inline(__always) get { word64(128) } }
    /// A caller whose record ends behind this position wakes the writer.
    var wakeMark: UnsafeMutablePointer<Atomic<UInt64>> { @inline(__always) get { word64(136) } }
    /// The address of the ring's data, its capacity less one, and its secret.
    var data: UnsafeMutableRawPointer? {
        get { UnsafeMutableRawPointer(bitPattern: UInt(word64(144).pointee.load(ordering: .relaxed))) }
        nonmutating set {
            word64(144).pointee.store(UInt64(UInt(bitPattern: newValue)), ordering: .relaxed)
        }
    }
    var mask: UInt64 {
        @inline(__always) get { word64(152).pointee.load(ordering: .relaxed) }
        nonmutating set { word64(152).pointee.store(newValue, ordering: .relaxed) }
    }
    var secret: UInt64 {
        @inline(__always) get { word64(160).pointee.load(ordering: .relaxed) }
        nonmutating set { word64(160).pointee.store(newValue, ordering: .relaxed) }
    }
    /// How records get their ambient attributes: a ``ContextWord``.
    var context: UnsafeMutablePointer<Atomic<UInt64>> { @inline(__always) get { word64(176) } }
    /// Whether the gates of the loggers have not got their levels yet.
    var needsLevels: Bool {
        @inline(__always) get { word32(172).pointee.load(ordering: .relaxed) == 0 }
        nonmutating set { word32(172).pointee.store(newValue ? 0 : 1, ordering: .releasing) }
    }
    /// Records from this level on wake the writer and ask it to flush; 255: none.
    var flushLevel: UInt8 {
        @inline(__always) get { UInt8(truncatingIfNeeded: word32(168).pointee.load(ordering: .relaxed)) }
        nonmutating set { word32(168).pointee.store(UInt32(newValue), ordering: .relaxed) }
    }

    /// The position before which everything has been freed.
    var head: UnsafeMutablePointer<Atomic<UInt64>> { word64(256) }
    /// Changes when space is freed or the state changes.
    var space: Futex { Futex(base + 264) }
    /// How many callers wait for space.
    var spaceWaiters: UnsafeMutablePointer<Atomic<UInt32>> { word32(272) }
    /// How many callers have waited for long and go before all others.
    private var precedences: UnsafeMutablePointer<Atomic<UInt32>> { word32(276) }
    var isPrecedenceTaken: Bool { precedences.pointee.load(ordering: .sequentiallyConsistent) != 0 }

    /// Holds all other callers back, those too that would find room without asking.
    func takePrecedence() {
        precedences.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
        limit.pointee.store(0, ordering: .sequentiallyConsistent)
    }

    /// Lets the others go on.
    func endPrecedence() {
        precedences.pointee.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        space.advance()
    }

    /// Lets callers reserve up to a position without asking, unless one of them has precedence.
    func setLimit(_ position: UInt64) {
        limit.pointee.store(position, ordering: .sequentiallyConsistent)
        if isPrecedenceTaken { limit.pointee.store(0, ordering: .sequentiallyConsistent) }
    }

    /// Changes when the writer shall look.
    var wake: Futex { Futex(base + 320) }
    var wakeAddress: UnsafeMutablePointer<UInt32> { (base + 320).assumingMemoryBound(to: UInt32.self) }
    /// Up to here a flush is asked for, and up to here it is done.
    var flushAsked: UnsafeMutablePointer<Atomic<UInt64>> { word64(384) }
    var flushDone: UnsafeMutablePointer<Atomic<UInt64>> { word64(392) }
    /// Changes when `flushDone` does, or a flush fails.
    var flushed: Futex { Futex(base + 400) }
    /// How many flushes have failed in a way that asking again does not help.
    var failedFlushes: UnsafeMutablePointer<Atomic<UInt32>> { word32(416) }
    /// Opening and closing, one at a time.
    var lock: WordLock { WordLock(base + 448) }
    /// The names and levels of loggers.
    var registryLock: WordLock { WordLock(base + 512) }
    /// The numbers of call sites.
    var siteLock: WordLock { WordLock(base + 640) }

    var state: State {
        get { State(rawValue: word32(452).pointee.load(ordering: .acquiring)) ?? .none }
        nonmutating set { word32(452).pointee.store(newValue.rawValue, ordering: .releasing) }
    }
    /// Whether nobody may wait: the last sink fails, or the writer is stuck.
    var isDegraded: Bool {
        get { word32(456).pointee.load(ordering: .relaxed) != 0 }
        nonmutating set { word32(456).pointee.store(newValue ? 1 : 0, ordering: .relaxed) }
    }
    /// Whether a caller has waited in vain since the writer last freed space.
    var isStuck: Bool {
        get { word32(460).pointee.load(ordering: .relaxed) != 0 }
        nonmutating set { word32(460).pointee.store(newValue ? 1 : 0, ordering: .relaxed) }
    }

    /// The ring's header, which stays mapped as long as the process lives.
    var header: RingHeader? {
        get {
            UnsafeMutableRawPointer(bitPattern: UInt(word64(576).pointee.load(ordering: .acquiring)))
                .map(RingHeader.init(base:))
        }
        nonmutating set {
            word64(576).pointee.store(UInt64(UInt(bitPattern: newValue?.base)), ordering: .releasing)
        }
    }
    /// Counts a record that was dropped while there was no ring to count it in.
    func countDrop(_ level: Level, for reason: DropReason) {
        word64(1024 + 64 * reason.column + 8 * Int(level.rawValue)).pointee.wrappingAdd(1, ordering: .relaxed)
    }
    /// Takes over what ``countDrop(_:for:)`` has counted.
    func takeDrops(_ level: Level, for reason: DropReason) -> UInt64 {
        let count = word64(1024 + 64 * reason.column + 8 * Int(level.rawValue))
        return count.pointee.load(ordering: .relaxed) == 0 ? 0 : count.pointee.exchange(0, ordering: .relaxed)
    }

    /// How many of the dropped records were logged by a sink.
    var refused: UnsafeMutablePointer<Atomic<UInt64>> { word64(704) }

    /// When a failed queue may be made again, on the monotonic clock, and the pause before the try after that.
    private var retryAt: UnsafeMutablePointer<Atomic<UInt64>> { word64(712) }
    private var retryPause: UnsafeMutablePointer<Atomic<UInt64>> { word64(720) }
    private static let firstRetryPause: UInt64 = 1_000_000_000
    private static let longestRetryPause: UInt64 = 64_000_000_000

    /// Notes that no ring could be made. The next try follows after a second, and after twice as long each time.
    func fail(at now: Int64 = SystemClock.monotonicNanoseconds()) {
        let pause = max(Self.firstRetryPause, retryPause.pointee.load(ordering: .relaxed))
        retryAt.pointee.store(UInt64(max(0, now)) &+ pause, ordering: .relaxed)
        retryPause.pointee.store(min(2 * pause, Self.longestRetryPause), ordering: .relaxed)
        // What is dropped until then is counted here, and reported by the next ring.
        header = nil
        state = .failed
    }

    /// Notes that a ring has been made.
    func succeed() { retryPause.pointee.store(0, ordering: .relaxed) }

    /// Whether a ring may be made now.
    func mayOpen(at now: @autoclosure () -> Int64 = SystemClock.monotonicNanoseconds()) -> Bool {
        switch state {
        case .none: true
        case .failed: UInt64(max(0, now())) >= retryAt.pointee.load(ordering: .relaxed)
        case .open, .closing, .shutDown: false
        }
    }

    /// How many records were lost that the options did not ask to drop: for want of a queue, or by a failing sink.
    var losses: UnsafeMutablePointer<Atomic<UInt64>> { word64(728) }
    /// How many of them a flush has reported, by its result.
    var reportedLosses: UnsafeMutablePointer<Atomic<UInt64>> { word64(736) }
    /// Whether records have been lost since the last flush.
    var hasNewLosses: Bool {
        losses.pointee.load(ordering: .acquiring) != reportedLosses.pointee.load(ordering: .relaxed)
    }
    /// Counts lost records.
    func countLosses(_ count: UInt64) { losses.pointee.wrappingAdd(count, ordering: .releasing) }

    /// Ends reservations: callers wait for the next state.
    ///
    /// - Returns: The position behind the last reserved record; `nil` when somebody else has done it.
    func close() -> UInt64? {
        limit.pointee.store(0, ordering: .sequentiallyConsistent)
        state = .closing
        let end = tail.pointee.exchange(Self.closedTail, ordering: .acquiringAndReleasing)
        return end < Self.closedTail ? end : nil
    }

    /// A page for a queue, which lives as long as the process.
    static func makePage() -> UnsafeMutableRawPointer {
        MemoryMap.zeroedForGood(length, wipedOnFork: true)
    }

    /// Wakes the writer, whatever it waits for.
    func wakeWriter() {
        wakeMark.pointee.store(.max, ordering: .relaxed)
        wake.advance()
    }

    /// Has callers wake the writer for records that end after a position: whoever publishes from now on sees the mark, and
    /// whoever looks after this call sees what was published before.
    func expectWake(after position: UInt64) {
        wakeMark.pointee.store(position, ordering: .relaxed)
        Membarrier.run()
    }

    /// Whether somebody waits for the ring to be empty.
    var drainAsked: Bool {
        get { word32(408).pointee.load(ordering: .acquiring) != 0 }
        nonmutating set { word32(408).pointee.store(newValue ? 1 : 0, ordering: .releasing) }
    }

    /// Asks to be told, through `flushed`, when the ring is empty, and wakes the writer.
    func askForDrain() {
        drainAsked = true
        wakeWriter()
    }

    /// Asks for a flush up to a position and wakes the writer.
    func askForFlush(upTo position: UInt64) {
        flushAsked.pointee.max(position, ordering: .acquiringAndReleasing)
        wakeWriter()
    }
}
