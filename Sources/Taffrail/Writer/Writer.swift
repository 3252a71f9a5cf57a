internal import CTaffrail
internal import Synchronization

/// The thread that takes records out of the ring and delivers them to the sinks.
///
/// Confined to its thread once ``run()`` is called.
final class Writer {
    private let queue: WriteQueue
    private let control: QueueControl
    private let mailbox: WriterMailbox
    private let recovery: Recovery?
    private var isRecovering: Bool { recovery?.isDone == false }
    /// Whether every sink gets records of dead runs first.
    private var isBlocked: Bool

    private let ring: Ring
    private var window: RingWindow
    private var processors: ProcessorChain
    var sinks: AttachedSinks
    private var delivery: Delivery
    private let taps: RecordTaps
    private var isDegraded = false
    private var drops: DropReporter
    private var takesSignals = false

    /// With more waiting bytes than this, the next round follows at once.
    private static let eager: UInt64 = 64 << 10
    private static let firstPoll: Int64 = 2_000_000
    private static let polls = 3

    init(
        queue: WriteQueue, ring: Ring, processors: ProcessorChain, sinks: [FilteredSink], mailbox: WriterMailbox,
        recovery: Recovery?, ledgers: [LedgerFile], taps: RecordTaps = RecordTaps()
    ) {
        self.queue = queue
        self.taps = taps
        self.processors = processors
        control = queue.control
        self.ring = ring
        drops = DropReporter(ring.header)
        delivery = Delivery(
            table: SinkTable(header: ring.header), books: ledgers.map { LedgerBook($0, of: ring.header) },
            control: queue.control)
        self.mailbox = mailbox
        self.recovery = recovery
        isBlocked = recovery?.isDone == false
        window = RingWindow(ring)
        if !processors.isEmpty { ring.header.setHasProcessors(onlyGuards: !processors.hasProcessors) }
        self.sinks = AttachedSinks(sinks, to: ring, ledgers: ledgers)
    }

    // MARK: The loop

    /// Starts its thread, which blocks all signals. Returns `false` when the system refuses.
    ///
    /// - Parameter takesSignals: Whether signals wake the writer, which then drains the queue and lets the signal end the
    ///   program.
    func start(takesSignals: Bool) -> Bool {
        // Before the thread starts: the handler ends a process in which no writer waits.
        if takesSignals { self.takesSignals = taffrail_signal_add_waiter(control.wakeAddress) == 0 }
        // On behalf of the new thread, so that no fork comes between its start and its first instruction.
        taffrail_writer_enter()
        nonisolated(unsafe) let writer = self
        let isStarted = DedicatedThread.start(named: "taffrail", takesSignals: false) { writer.run() }
        if !isStarted {
            taffrail_writer_leave()
            if self.takesSignals { taffrail_signal_remove_waiter(control.wakeAddress) }
        }
        return isStarted
    }

    /// Runs until the queue is closed and empty. Its thread has already been registered as a writer.
    private func run() {
        taffrail_scratch_refuse(1)
        var emptyPolls = 0
        while true {
            let before = control.wake.value
            let progress = round()
            serveFlush()
            mailbox.run(self)
            if finishIfRequested() { return taffrail_writer_leave() }
            if progress { emptyPolls = 0 }
            let pending = waiting()
            taffrail_writer_leave()
            defer { taffrail_writer_enter() }
            if progress && (pending >= Self.eager || (pending > 0 && control.drainAsked)) { continue }
            if emptyPolls < Self.polls {
                sleep(
                    since: before, nanoseconds: Self.firstPoll << Int64(emptyPolls), waking: UInt64(ring.capacity / 4))
                if !progress { emptyPolls += 1 }
            } else {
                park(since: before)
            }
        }
    }

    /// Runs one round: numbers the waiting records, delivers them, and frees their space.
    private func round() -> Bool {
        let now = SystemClock.monotonicNanoseconds()
        if let recovery, !recovery.isDone {
            isBlocked = recovery.advance(sinks: &sinks.states, processors: processors, now: now)
            if isBlocked {
                degradeOrRecover()
                return false
            }
        }
        drops.collect(from: control)
        if !isDegraded, control.state == .open { drops.report(to: queue, next: window.nextSequence) }
        let new = window.numbered
        let isNew = window.number(tail: control.tail.pointee.load(ordering: .relaxed))
        for index in sinks.states.indices where !sinks.states[index].isLate { deliver(to: index, now: now) }
        if isNew { taps.feed(window, from: new, through: processors, of: &delivery) }
        sinks.detachLate(numbered: window.numbered, now: now)
        let freed = free()
        for index in delivery.books.indices { delivery.books[index].write(at: now) }
        sinks.pointers?.keep(at: now)
        degradeOrRecover()
        return freed || isNew
    }

    /// Delivers to a sink the records it does not have; those of dead runs come first.
    private func deliver(to index: Int, now: Int64) {
        var accepts = sinks.states[index].mayTry(at: now)
        while accepts {
            let progress = sinks.states[index].progress
            guard let batch = window.batch(from: progress.position, checkpoint: progress.checkpoint) else { return }
            accepts = delivery.deliver(batch, to: &sinks.states[index], through: processors)
        }
    }

    // MARK: Requests between two batches

    /// Replaces the sinks, and the processors if there are new ones.
    ///
    /// - Parameters:
    ///   - processors: The new processors; `nil` keeps the old ones.
    ///   - ledgers: The ledgers that will record missing records.
    func replace(sinks list: [FilteredSink], processors: ProcessorChain?, ledgers: [LedgerFile]) {
        // What a removed sink lacks was logged before the change.
        let old = self.processors
        if let processors {
            self.processors = processors
            if !processors.isEmpty { ring.header.setHasProcessors(onlyGuards: !processors.hasProcessors) }
            recovery?.noteNewProcessors()
        }
        sinks.replace(by: list, window: window, processors: old, delivery: &delivery, ledgers: ledgers)
        if processors != nil { delivery.recountDropped(for: sinks.states) }
    }

    /// Delivers the records logged before a position, as far as the sinks accept them.
    ///
    /// - Returns: `false` while rings of dead runs come first, or if a record before the position is not complete yet.
    func deliver(upTo end: UInt64) -> Bool {
        while isBlocked || window.numbered < end
            || sinks.states.contains(where: {
                $0.progress.position < end && $0.failure == nil && !$0.isDetached && !$0.isLate
            })
        {
            if !round() { return false }
        }
        return true
    }

    private func waiting() -> UInt64 {
        let tail = control.tail.pointee.load(ordering: .relaxed)
        let end = tail < QueueControl.closedTail ? tail : mailbox.closing?.end ?? window.numbered
        return end &- window.numbered
    }

    private func sleep(since epoch: UInt32, nanoseconds: Int64, waking: UInt64) {
        control.wakeMark.pointee.store(window.head &+ waking, ordering: .relaxed)
        control.wake.wait(while: epoch, nanoseconds: nanoseconds)
        control.wakeMark.pointee.store(.max, ordering: .relaxed)
    }

    /// Sleeps until a record arrives, or until a failed sink that lacks records is due. While dead rings are drained first,
    /// new records wait and wake the writer only when there are many.
    private func park(since epoch: UInt32) {
        var limit: Int64?
        for state in sinks.states where state.isLate || state.progress.position < window.numbered {
            guard let failure = state.failure else { continue }
            limit = min(limit ?? .max, max(failure.retryAt - SystemClock.monotonicNanoseconds(), 1_000_000))
        }
        if isBlocked || (limit == nil && (isRecovering || window.numbered != window.head)) {
            limit = SinkState.firstDelay
        }
        for index in delivery.books.indices where delivery.books[index].hasNews() {
            limit = min(limit ?? .max, LedgerBook.interval)
        }
        if !Membarrier.isAvailable { limit = min(limit ?? .max, 100_000_000) }
        control.expectWake(after: isBlocked ? window.head &+ UInt64(ring.capacity / 4) : 0)
        if isBlocked || !window.hasNext { control.wake.wait(while: epoch, nanoseconds: limit) }
        control.wakeMark.pointee.store(.max, ordering: .relaxed)
    }

    // MARK: Space

    private func free() -> Bool {
        var end = window.numbered
        for state in sinks.states where !state.isDetached { end = min(end, max(window.head, state.progress.position)) }
        let progress = end != window.head
        if progress {
            sinks.skip(to: end, window: window, processors: processors, delivery: &delivery)
            window.free(upTo: end)
            control.isStuck = false
            control.head.pointee.store(end, ordering: .sequentiallyConsistent)
            publishLimit()
            if control.spaceWaiters.pointee.load(ordering: .sequentiallyConsistent) > 0 { control.space.advance() }
        }
        return progress
    }

    private func publishLimit() {
        guard control.state == .open else { return }
        control.setLimit(window.head &+ UInt64(isDegraded ? ring.capacity / 2 : ring.capacity))
    }

    /// Degrades the queue while every sink fails.
    private func degradeOrRecover() {
        let fails = !sinks.states.isEmpty && sinks.states.allSatisfy { $0.failure != nil }
        guard fails != isDegraded else { return }
        isDegraded = fails
        control.isDegraded = fails
        publishLimit()
        control.space.advance()
        if fails {
            let last = sinks.states.last.map { "\($0.name): \($0.failure?.reason ?? "")" } ?? ""
            Diagnostics.report(
                "no sink is accepting records (\(last)); dropping low-level records so the program does not block")
        }
    }

    // MARK: Flush and end

    private func serveFlush() {
        if control.drainAsked {
            // The waiting thread checks the progress and asks again.
            control.drainAsked = false
            var position: UInt64?
            for state in sinks.states where state.failure == nil && !state.isLate {
                position = min(position ?? .max, state.progress.position)
            }
            if let position { control.acknowledged.pointee.max(position, ordering: .releasing) }
            control.flushed.advance()
        }
        let requested = control.flushRequested.pointee.load(ordering: .acquiring)
        guard requested > control.flushDone.pointee.load(ordering: .relaxed), !isRecovering else { return }
        guard sinks.haveAll(before: requested), window.numbered >= requested else { return }
        let (hasFailed, isLost) = sinks.flush()
        if !hasFailed { control.flushDone.pointee.store(requested, ordering: .releasing) }
        if isLost {
            // The waiting thread gives up; a later request retries.
            let done = control.flushDone.pointee.load(ordering: .relaxed)
            _ = control.flushRequested.pointee.compareExchange(expected: requested, desired: done, ordering: .relaxed)
            control.failedFlushes.pointee.wrappingAdd(1, ordering: .releasing)
        }
        control.flushed.advance()
    }

    /// Enters the end of the run in the ledgers. Returns `false` when its ring must stay, because that is impossible.
    private func closeBooks() -> Bool {
        do throws(SystemError) {
            try delivery.books.close(
                records: window.nextSequence &- 1,
                of: sinks.states.compactMap { state in WrittenLog(state.sink).map { ($0, state.name) } })
            return true
        } catch {
            Diagnostics.report("cannot record the end of the run in the ledger; its queue is kept: \(error)")
            return false
        }
    }

    /// Ends the ring when that was requested and it is empty, or the time limit is over.
    private func finishIfRequested() -> Bool {
        if takesSignals && taffrail_signal_pending() != 0, mailbox.closing == nil, let end = control.close() {
            mailbox.close(WriterMailbox.Closing(end: end, deadline: .max, closesSinks: false))
        }
        guard let request = mailbox.closing else { return false }
        let isEmpty = !isRecovering && window.numbered == request.end && sinks.haveAll(before: window.numbered)
        guard isEmpty || SystemClock.monotonicNanoseconds() >= request.deadline else { return false }
        let isFlushed = sinks.end(closing: request.closesSinks, until: request.deadline)
        // Data that a sink could not make durable may exist nowhere else. A kill after the pointers leaves only an empty ring.
        if isEmpty && isFlushed && closeBooks() {
            sinks.pointers?.remove()
            ring.unlink()
        }
        // None of its records has been numbered while those of dead runs came first.
        while isBlocked, window.number(tail: request.end) {}
        ring.release()
        if isEmpty && isFlushed { control.leavesRecords = false }
        mailbox.finish(isEmpty && isFlushed ? .nothing : window.numbered == request.end ? .records : .unfinishedRecord)
        if takesSignals {
            taffrail_signal_remove_waiter(control.wakeAddress)
            let signal = taffrail_signal_pending()
            // The last writer to end lets the signal take its default action.
            if signal != 0 && taffrail_signal_has_waiters() == 0 { taffrail_signal_die(signal) }
        }
        return true
    }
}
