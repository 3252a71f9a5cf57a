internal import CTaffrail
internal import Synchronization

/// The one thread that takes records out of the ring and gives them to the sinks.
///
/// Confined to its thread from ``run()`` on.
final class Writer {
    private let queue: WriteQueue
    private let control: QueueControl
    private let mailbox: WriterMailbox
    private var recovery: Recovery?
    /// Whether records of dead runs come first for every sink.
    private var isBlocked: Bool

    private let ring: Ring
    private let header: RingHeader
    private var window: RingWindow
    private var processors: ProcessorChain
    private var sinks: AttachedSinks
    private var delivery: Delivery

    private var isDegraded = false
    private var drops: DropReporter
    private var takesSignals = false

    /// With more than this waiting, the next round follows at once.
    private static let eager: UInt64 = 64 << 10
    private static let firstPoll: Int64 = 2_000_000
    private static let polls = 3

    init(
        queue: WriteQueue, ring: Ring, processors: ProcessorChain, sinks: [FilteredSink], mailbox: WriterMailbox,
        recovery: Recovery?, ledgers: [LedgerFile]
    ) {
        self.queue = queue
        self.processors = processors
        control = queue.control
        self.ring = ring
        header = ring.header
        drops = DropReporter(ring.header)
        delivery = Delivery(
            table: ring.header, books: ledgers.map { LedgerBook($0, of: ring.header) }, control: queue.control)
        self.mailbox = mailbox
        self.recovery = recovery
        isBlocked = recovery != nil
        window = RingWindow(ring)
        if !processors.isEmpty { header.setHasProcessors() }
        self.sinks = AttachedSinks(sinks, to: ring, ledgers: ledgers)
    }

    /// Has signals wake the writer, which then drains the queue and lets the signal kill. Before its thread starts: the
    /// handler ends a process in which no writer waits.
    func takeSignals() { takesSignals = taffrail_signal_add_waiter(control.wakeAddress) == 0 }

    /// Undoes ``takeSignals()``.
    func giveSignalsBack() {
        if takesSignals { taffrail_signal_remove_waiter(control.wakeAddress) }
    }

    // MARK: The loop

    /// Runs until the queue is closed and empty. Its thread has entered as a writer already.
    func run() {
        taffrail_scratch_refuse(1)
        var emptyPolls = 0
        while true {
            let before = control.wake.value
            let progress = round()
            serveFlush()
            mailbox.run(self)
            if finishIfAsked() { return taffrail_writer_leave() }
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

    /// One round: what is there gets numbers, goes to the sinks, and is freed.
    private func round() -> Bool {
        let now = SystemClock.monotonicNanoseconds()
        if let recovery {
            let progress = recovery.advance(sinks: &sinks.states, processors: processors, now: now)
            if progress == .done { self.recovery = nil }
            isBlocked = progress == .waiting
            if isBlocked {
                degradeOrRecover()
                return false
            }
        }
        drops.collect(from: control)
        if !isDegraded, control.state == .open { drops.report(to: queue, next: window.nextSequence) }
        let isNew = window.number(tail: control.tail.pointee.load(ordering: .relaxed))
        for index in sinks.states.indices { deliver(to: index, now: now) }
        if !processors.isEmpty {
            let dropped = processors.takeDropped()
            header.countFiltered(dropped.count, upTo: processors.countedPosition(in: ring.run))
            delivery.note(dropped, .processor)
        }
        sinks.setAside(numbered: window.numbered, now: now)
        let freed = free()
        for index in delivery.books.indices { delivery.books[index].write(at: now) }
        degradeOrRecover()
        return freed || isNew
    }

    /// Gives a sink what it has not got; one that lacks records of dead runs gets those first.
    private func deliver(to index: Int, now: Int64) {
        guard !sinks.states[index].isLate else { return }
        var place = sinks.states[index].place
        defer { sinks.states[index].place = place }
        delivery.deliver(window, to: &sinks.states[index], at: &place, through: processors, now: now)
    }

    // MARK: What is asked between two batches

    /// Goes on with other sinks, and with other processors where there are new ones.
    ///
    /// - Parameters:
    ///   - processors: The processors from here on; `nil`: as they are.
    ///   - ledgers: Where it is noted from here on what is missing.
    func replace(sinks list: [FilteredSink], processors: ProcessorChain?, ledgers: [LedgerFile]) {
        if let processors {
            self.processors = processors
            if !processors.isEmpty { header.setHasProcessors() }
        }
        sinks.replace(by: list, window: window, delivery: &delivery, ledgers: ledgers)
    }

    /// Has every sink open its destination anew.
    func reopenSinks() { sinks.reopen() }

    /// Has the log files rotated, and every other sink open its destination anew.
    func rotateSinks() { sinks.rotate() }

    /// Gives the sinks what was logged before a position, as far as they take it.
    ///
    /// - Returns: `false` while rings of dead runs come first, or a record before the position is not complete yet.
    func deliver(upTo end: UInt64) -> Bool {
        while isBlocked || window.numbered < end
            || sinks.states.contains(where: {
                $0.place.position < end && $0.failure == nil && !$0.isDetached && !$0.isLate
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

    /// Sleeps until a record comes, or until a sink that failed is due. While dead rings are drained first, records of
    /// one's own wait for that, and wake the writer only when they have become many.
    private func park(since epoch: UInt32) {
        var limit = sinks.states.lazy.compactMap { $0.failure?.retryAt }.min()
            .map { max($0 - SystemClock.monotonicNanoseconds(), 1_000_000) }
        if isBlocked || (limit == nil && (recovery != nil || window.numbered != window.head)) {
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
        let end = sinks.lowestPosition(atMost: window.numbered, head: window.head)
        let progress = end != window.head
        if progress {
            sinks.skip(to: end, window: window, delivery: &delivery)
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

    /// The queue is degraded while every sink fails.
    private func degradeOrRecover() {
        let fails = sinks.allFail
        guard fails != isDegraded else { return }
        isDegraded = fails
        control.isDegraded = fails
        publishLimit()
        control.space.advance()
        if fails {
            let last = sinks.states.last.map { "\($0.name): \($0.failure?.reason ?? "")" } ?? ""
            Diagnostics.report(
                "no sink takes records (\(last)): low levels are dropped while the queue fills, nothing waits")
        }
    }

    // MARK: Flush and end

    private func serveFlush() {
        if control.drainAsked {
            // Whoever waits looks how far it is, and asks again.
            control.drainAsked = false
            control.flushed.advance()
        }
        let asked = control.flushAsked.pointee.load(ordering: .acquiring)
        guard asked > control.flushDone.pointee.load(ordering: .relaxed), recovery == nil else { return }
        guard sinks.haveAll(before: asked), window.numbered >= asked else { return }
        var failed = false
        var isLost = false
        for state in sinks.states where !state.isDetached {
            do throws(SinkError) {
                try state.sink.flush()
            } catch {
                failed = true
                if error.kind == .permanent { isLost = true }
                Diagnostics.report("sink \(state.name) cannot flush: \(error.reason)")
            }
        }
        if !failed { control.flushDone.pointee.store(asked, ordering: .releasing) }
        if isLost {
            // Who waits gives up; who asks from now on has it tried again.
            let done = control.flushDone.pointee.load(ordering: .relaxed)
            _ = control.flushAsked.pointee.compareExchange(expected: asked, desired: done, ordering: .relaxed)
            control.failedFlushes.pointee.wrappingAdd(1, ordering: .releasing)
        }
        control.flushed.advance()
    }

    /// Notes that the run is over. `false`: its ring has to stay, because what it counted can be noted nowhere.
    private func closeBooks() -> Bool {
        do throws(SystemError) {
            for index in delivery.books.indices { try delivery.books[index].close(records: window.nextSequence &- 1) }
            return true
        } catch {
            Diagnostics.report("the end of the run cannot be noted, its queue stays: \(error)")
            return false
        }
    }

    /// Ends the ring when that was asked for and everything is out, or the time for it is over.
    private func finishIfAsked() -> Bool {
        if takesSignals && taffrail_signal_pending() != 0, mailbox.closing == nil, let end = control.close() {
            mailbox.close(WriterMailbox.Closing(end: end, deadline: .max, closesSinks: false))
        }
        guard let request = mailbox.closing else { return false }
        let isEmpty =
            recovery == nil && window.numbered == request.end && sinks.haveAll(before: window.numbered)
        guard isEmpty || SystemClock.monotonicNanoseconds() >= request.deadline else { return false }
        var isFlushed = true
        for state in sinks.states {
            do throws(SinkError) {
                if request.closesSinks { try state.sink.close() } else { try state.sink.flush() }
            } catch {
                if !state.isDetached { isFlushed = false }
                Diagnostics.report("sink \(state.name) cannot be closed: \(error.reason)")
            }
        }
        // What a sink could not make durable may be nowhere else.
        if isEmpty && isFlushed && closeBooks() {
            ring.unlink()
            sinks.removePointers()
        }
        ring.release()
        let isNumbered = isBlocked || window.numbered == request.end
        mailbox.finish(isEmpty && isFlushed ? .nothing : isNumbered ? .records : .unfinishedRecord)
        if takesSignals {
            giveSignalsBack()
            let signal = taffrail_signal_pending()
            // The last writer to end lets the signal do what it would have done.
            if signal != 0 && taffrail_signal_has_waiters() == 0 { taffrail_signal_die(signal) }
        }
        return true
    }
}
