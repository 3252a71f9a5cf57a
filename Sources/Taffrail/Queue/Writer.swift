internal import CTaffrail
internal import Synchronization

/// The one thread that takes records out of the ring and gives them to the sinks.
///
/// Confined to its thread from ``run()`` on.
final class Writer {
    private let queue: WriteQueue
    private let control: QueueControl
    private let ring: Ring
    private let header: RingHeader
    private let mailbox: WriterMailbox
    private var processors: ProcessorChain
    private var sinks: [SinkState] = []
    private var recovery: Recovery?
    /// Where it is noted what is missing in the end.
    private var books: [LedgerBook]

    /// Everything before this position has a sequence number.
    private var numbered: UInt64
    private var nextSequence: UInt64 = 1
    private var head: UInt64
    private var isDegraded = false
    /// When drops were last said: the number of the record that came next, and how many of the drops were sinks' own.
    private var lastReport: (sequence: UInt64, refused: UInt64) = (0, 0)
    private var takesSignals: Bool

    /// How many bytes of records one round takes: as much as stays in the processor's cache.
    private static let roundLimit: UInt64 = 256 << 10
    /// With more than this waiting, the next round follows at once.
    private static let eager: UInt64 = 64 << 10
    private static let firstPoll: Int64 = 2_000_000
    private static let polls = 3

    init(
        queue: WriteQueue, ring: Ring, processors: ProcessorChain, sinks: [any Sink], mailbox: WriterMailbox,
        recovery: Recovery?, ledgers: [LedgerFile], takesSignals: Bool
    ) {
        self.queue = queue
        self.processors = processors
        control = queue.control
        self.ring = ring
        header = ring.header
        books = ledgers.map { LedgerBook($0, of: ring.header) }
        self.mailbox = mailbox
        self.recovery = recovery
        head = header.head
        numbered = header.head
        self.takesSignals = takesSignals
        if !processors.isEmpty { header.setHasProcessors() }
        for (slot, sink) in sinks.prefix(RingHeader.sinkSlots).enumerated() {
            self.sinks.append(attached(sink, slot: slot, position: head))
        }
        noteLog()
        if sinks.count > RingHeader.sinkSlots {
            Diagnostics.report("\(sinks.count) sinks, \(RingHeader.sinkSlots) are possible: the last ones get nothing")
        }
    }

    private func attached(_ sink: any Sink, slot: Int, position: UInt64) -> SinkState {
        let header = header
        let journal = SinkJournal(ringPath: ring.path, run: ring.run, slot: slot) { position in
            header.setPosition(ofSlot: slot, position)
            return true
        }
        return SinkState(
            sink: sink, slot: slot, journal: journal, position: max(head, sink.position(in: ring.run) ?? position))
    }

    /// Tells whoever recovers the ring which log it is for.
    private func noteLog() {
        for state in sinks {
            guard let log = state.sink as? any LogFile else { continue }
            return header.setLog(slot: state.slot, encoder: log.encoderName, destination: log.destination)
        }
    }

    /// Whether rings of dead runs are being drained.
    var isRecovering: Bool { recovery != nil }

    /// Goes on with other sinks: those that stay where they are, one of the same name where the old one was, others
    /// from here. What the sinks that are gone did not get is counted and said.
    ///
    /// - Parameters:
    ///   - processors: The processors from here on; `nil`: as they are.
    ///   - ledgers: Where it is noted from here on what is missing.
    func replace(sinks list: [any Sink], processors: ProcessorChain?, ledgers: [LedgerFile]) {
        if let processors {
            self.processors = processors
            if !processors.isEmpty { header.setHasProcessors() }
        }
        let kept = sinks.filter { state in list.contains { $0 === state.sink || $0.name == state.sink.name } }
        for state in sinks where !kept.contains(where: { $0.slot == state.slot }) {
            let missed = tally(from: max(state.position, head), to: numbered)
            if missed.count > 0 {
                Diagnostics.report("sink \(state.sink.name) is gone and missed \(missed.count) records")
                note(missed, .gone, sink: state.sink.name)
            }
            header.setName(ofSlot: state.slot, "")
        }
        for index in books.indices where !ledgers.contains(books[index].file) { books[index].writeNow() }
        books = ledgers.map { file in
            books.first { $0.file == file } ?? LedgerBook(file, of: header)
        }
        var free = (0..<RingHeader.sinkSlots).filter { slot in !kept.contains { $0.slot == slot } }[...]
        sinks = list.prefix(RingHeader.sinkSlots).compactMap { sink in
            if let same = kept.first(where: { $0.sink === sink }) { return same }
            let old = kept.first { $0.sink.name == sink.name }
            guard let slot = old?.slot ?? free.popFirst() else { return nil }
            if old == nil {
                header.setPosition(ofSlot: slot, numbered)
                header.setName(ofSlot: slot, sink.name)
            }
            var state = attached(sink, slot: slot, position: old?.position ?? numbered)
            state.nextSequence = old?.nextSequence ?? nextSequence
            return state
        }
        noteLog()
    }

    /// The records between two positions of the ring.
    private func tally(from start: UInt64, to end: UInt64) -> DropTally {
        var tally = DropTally()
        guard start < end else { return tally }
        tally.add(
            recordsAt: ring.data + Int(truncatingIfNeeded: start) & (ring.capacity - 1), length: Int(end &- start))
        return tally
    }

    private func note(_ tally: DropTally, _ reason: DropReason, sink: String = "") {
        for index in books.indices { books[index].note(tally, reason, sink: sink) }
    }

    /// Has every sink open its destination anew.
    func reopenSinks() {
        for state in sinks {
            do throws(SinkError) { try state.sink.reopen() } catch {
                Diagnostics.report("sink \(state.sink.name) cannot be reopened: \(error.reason)")
            }
        }
    }

    /// Has the log files rotated, and every other sink open its destination anew.
    func rotateSinks() {
        for state in sinks {
            do throws(SinkError) {
                if let file = state.sink as? FileSink { try file.rotate() } else { try state.sink.reopen() }
            } catch {
                Diagnostics.report("sink \(state.sink.name) cannot be rotated: \(error.reason)")
            }
        }
    }

    /// The number of the record at a position, or of the next one.
    private func sequence(at position: UInt64) -> UInt64 {
        let position = max(position, head)
        guard position < numbered else { return nextSequence }
        return RecordFields(ring.data + Int(truncatingIfNeeded: position) & (ring.capacity - 1)).sequence
    }

    // MARK: The loop

    /// Runs until the queue is closed and empty. Its thread has entered as a writer already.
    func run() {
        taffrail_scratch_refuse(1)
        if takesSignals { takesSignals = taffrail_signal_add_waiter(control.wakeAddress) == 0 }
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
        let now = Clock.monotonicNanoseconds()
        if let recovery {
            guard recovery.advance(sinks: &sinks, processors: processors, now: now) else {
                degradeOrRecover()
                return false
            }
            self.recovery = nil
        }
        reportDrops()
        let from = numbered
        number()
        for index in sinks.indices { deliver(to: index, now: now) }
        if !processors.isEmpty {
            let dropped = processors.takeDropped()
            header.countFiltered(dropped.count, upTo: processors.countedPosition(in: ring.run))
            note(dropped, .processor)
        }
        setAside(now: now)
        let freed = free()
        for index in books.indices { books[index].write(at: now) }
        degradeOrRecover()
        return freed || numbered != from
    }

    private func waiting() -> UInt64 {
        let tail = control.tail.pointee.load(ordering: .relaxed)
        let end = tail < QueueControl.closedTail ? tail : mailbox.closing?.end ?? numbered
        return end &- numbered
    }

    private func sleep(since epoch: UInt32, nanoseconds: Int64, waking: UInt64) {
        control.wakeMark.pointee.store(head &+ waking, ordering: .relaxed)
        control.wake.wait(while: epoch, nanoseconds: nanoseconds)
        control.wakeMark.pointee.store(.max, ordering: .relaxed)
    }

    /// Sleeps until a record comes, or until a sink that failed is due. While dead rings are drained first, records of
    /// one's own wait for that, and wake the writer only when they have become many.
    private func park(since epoch: UInt32) {
        var limit = sinks.lazy.compactMap { $0.failure?.retryAt }.min()
            .map { max($0 - Clock.monotonicNanoseconds(), 1_000_000) }
        if recovery != nil || (limit == nil && numbered != head) { limit = SinkState.firstDelay }
        for index in books.indices where books[index].hasNews() { limit = min(limit ?? .max, LedgerBook.interval) }
        if !Membarrier.isAvailable { limit = min(limit ?? .max, 100_000_000) }
        control.wakeMark.pointee.store(
            recovery == nil ? 0 : head &+ UInt64(ring.capacity / 4), ordering: .relaxed)
        // Whoever commits from now on sees the mark; whoever committed before is seen here.
        Membarrier.run()
        if recovery != nil || !isCommitted(at: numbered) { control.wake.wait(while: epoch, nanoseconds: limit) }
        control.wakeMark.pointee.store(.max, ordering: .relaxed)
    }

    // MARK: Numbering

    @inline(__always)
    private func commitWord(at position: UInt64) -> UInt64 {
        (ring.data + Int(truncatingIfNeeded: position) & (ring.capacity - 1))
            .assumingMemoryBound(to: Atomic<UInt64>.self).pointee.load(ordering: .acquiring)
    }

    private func isCommitted(at position: UInt64) -> Bool {
        RecordCodec.length(commitWord: commitWord(at: position), position: position, secret: ring.secret) != nil
    }

    /// Gives numbers to the complete records that follow, as many as one round takes.
    private func number() {
        let ring = ring
        let mask = ring.capacity - 1
        let secret = ring.secret
        let limit = min(numbered &+ Self.roundLimit, head &+ UInt64(ring.capacity))
        var position = numbered
        var sequence = nextSequence
        while position < limit {
            let record = ring.data + Int(truncatingIfNeeded: position) & mask
            let word = record.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.load(ordering: .acquiring)
            guard let length = RecordCodec.length(commitWord: word, position: position, secret: secret) else { break }
            record.storeBytes(of: sequence, toByteOffset: 8, as: UInt64.self)
            sequence &+= 1
            position &+= UInt64(length)
        }
        guard position != numbered else { return }
        numbered = position
        nextSequence = sequence
        header.nextSequence = sequence
        header.tail = max(position, min(control.tail.pointee.load(ordering: .relaxed), head &+ UInt64(ring.capacity)))
    }

    // MARK: Sinks

    private func deliver(to index: Int, now: Int64) {
        var state = sinks[index]
        defer { sinks[index] = state }
        guard state.mayTry(at: now) else { return }
        while state.position < numbered {
            let (length, count) = extent(from: state)
            guard count > 0 else { return }
            let batch = processors.process(
                RecordBatch(
                    base: ring.data + Int(truncatingIfNeeded: state.position) & (ring.capacity - 1), length: length,
                    run: ring.run, count: count, start: state.position, journal: state.journal))
            do throws(SinkError) {
                if batch.count > 0 { try state.sink.write(batch) }
                state.position = batch.end
                state.nextSequence = sequence(at: state.position)
                header.countWritten(inSlot: state.slot, UInt64(batch.count))
                recovered(&state)
            } catch {
                let taken = error.taken(of: batch.count)
                state.position = batch.position(after: taken)
                state.nextSequence = sequence(at: state.position)
                header.countWritten(inSlot: state.slot, UInt64(taken))
                if taken > 0 { recovered(&state) }
                switch error.kind {
                case .temporary:
                    header.setPosition(ofSlot: state.slot, state.position)
                    let isNew = state.failure == nil
                    state.fail(error.reason, at: Clock.monotonicNanoseconds())
                    if isNew { Diagnostics.report("sink \(state.sink.name): \(error.reason); trying again") }
                    return
                case .permanent:
                    let refused = state.position
                    state.position = batch.position(after: taken + 1)
                    note(refusal(between: refused, and: state.position), .refused, sink: state.sink.name)
                    state.nextSequence = sequence(at: state.position)
                    header.countLost(inSlot: state.slot, 1)
                    Diagnostics.report("sink \(state.sink.name) refuses a record for good: \(error.reason)")
                }
            }
            header.setPosition(ofSlot: state.slot, state.position)
        }
    }

    /// How much from a position on one batch takes.
    private func extent(from state: SinkState) -> (length: Int, count: Int) {
        let position = state.position
        if numbered &- position <= 2 * Self.roundLimit {
            // Sequence numbers are dense, so nothing has to be counted.
            let count = nextSequence &- state.nextSequence
            return (Int(truncatingIfNeeded: numbered &- position), Int(truncatingIfNeeded: count))
        }
        var end = position
        var count = 0
        while end < numbered {
            let length = RecordBatch.length(of: ring.data + Int(truncatingIfNeeded: end) & (ring.capacity - 1))
            if count > 0 && end &+ UInt64(length) &- position > Self.roundLimit { break }
            end &+= UInt64(length)
            count += 1
        }
        return (Int(end &- position), count)
    }

    private func recovered(_ state: inout SinkState) {
        guard state.failure != nil || state.isDetached else { return }
        state.failure = nil
        state.isDetached = false
        let missed = state.missed == 0 ? "" : "; it missed \(state.missed) records"
        state.missed = 0
        Diagnostics.report("sink \(state.sink.name) takes records again\(missed)")
    }

    /// The record that a sink refused: the last one before `end`. Others before it were dropped by processors.
    private func refusal(between start: UInt64, and end: UInt64) -> DropTally {
        var position = max(start, head)
        var tally = DropTally()
        while position < end {
            let record = ring.data + Int(truncatingIfNeeded: position) & (ring.capacity - 1)
            position &+= UInt64(RecordBatch.length(of: record))
            if position >= end { tally.add(RecordFields(record)) }
        }
        return tally
    }

    /// Detaches the sinks that hold up others.
    private func setAside(now: Int64) {
        let half = UInt64(ring.capacity / 2)
        for index in sinks.indices {
            guard let failure = sinks[index].failure, !sinks[index].isDetached else { continue }
            let othersGoOn = sinks.contains { $0.failure == nil }
            let isLate = numbered &- sinks[index].position > half || now - failure.since > SinkState.patience
            guard othersGoOn && isLate else { continue }
            sinks[index].isDetached = true
            Diagnostics.report(
                "sink \(sinks[index].sink.name) is set aside, what it misses is counted: \(failure.reason)")
        }
    }

    // MARK: Space

    private func free() -> Bool {
        var end = numbered
        for state in sinks where !state.isDetached { end = min(end, max(head, state.position)) }
        let progress = end != head
        if progress {
            for index in sinks.indices where sinks[index].position < end { skip(&sinks[index], to: end) }
            let start = ring.data + Int(truncatingIfNeeded: head) & (ring.capacity - 1)
            start.initializeMemory(as: UInt8.self, repeating: 0, count: Int(end &- head))
            head = end
            header.head = end
            control.isStuck = false
            control.head.pointee.store(end, ordering: .sequentiallyConsistent)
            publishLimit()
            if control.spaceWaiters.pointee.load(ordering: .sequentiallyConsistent) > 0 { control.space.advance() }
        }
        return progress
    }

    /// Counts what a sink that was set aside does not get any more.
    private func skip(_ state: inout SinkState, to end: UInt64) {
        let missed = tally(from: max(head, state.position), to: end)
        state.missed &+= missed.count
        state.position = end
        state.nextSequence = sequence(at: end)
        header.countLost(inSlot: state.slot, missed.count)
        header.setPosition(ofSlot: state.slot, end)
        note(missed, .behind, sink: state.sink.name)
    }

    private func publishLimit() {
        guard control.state == .open else { return }
        control.limit.pointee.store(
            head &+ UInt64(isDegraded ? ring.capacity / 2 : ring.capacity), ordering: .releasing)
    }

    /// The queue is degraded while every sink fails.
    private func degradeOrRecover() {
        let fails = !sinks.isEmpty && sinks.allSatisfy { $0.failure != nil }
        guard fails != isDegraded else { return }
        isDegraded = fails
        control.isDegraded = fails
        publishLimit()
        control.space.advance()
        if fails {
            let last = sinks.last.map { "\($0.sink.name): \($0.failure?.reason ?? "")" } ?? ""
            Diagnostics.report(
                "no sink takes records (\(last)): low levels are dropped while the queue fills, nothing waits")
        }
    }

    /// Says in the stream how many records did not get into it.
    private func reportDrops() {
        for reason in DropReason.ofCallers {
            for level in Level.allCases {
                let early = control.takeDrops(level, for: reason)
                if early > 0 { header.countDrop(level, for: reason, early) }
            }
        }
        guard !isDegraded, control.state == .open else { return }
        let report = DropReport(header: header)
        let unsaid = report.unsaid
        guard unsaid > 0 else { return }
        let refused = control.refused.pointee.load(ordering: .relaxed)
        // What a sink logs while it writes the report is no reason for the next one: that would never end.
        if unsaid <= refused &- lastReport.refused && nextSequence &- lastReport.sequence <= 1 { return }
        if report.submit(to: queue) { lastReport = (nextSequence, refused) }
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
        guard sinks.allSatisfy({ $0.position >= asked || $0.isDetached }), numbered >= asked else { return }
        var failed = false
        for index in sinks.indices where !sinks[index].isDetached {
            do throws(SinkError) {
                try sinks[index].sink.flush()
            } catch {
                failed = true
                Diagnostics.report("sink \(sinks[index].sink.name) cannot flush: \(error.reason)")
            }
        }
        if !failed { control.flushDone.pointee.store(asked, ordering: .releasing) }
        control.flushed.advance()
    }

    /// Notes that the run is over. `false`: its ring has to stay, because what it counted can be noted nowhere.
    private func closeBooks() -> Bool {
        do throws(SystemError) {
            for index in books.indices { try books[index].close(records: nextSequence &- 1) }
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
            recovery == nil && numbered == request.end && sinks.allSatisfy { $0.position == numbered || $0.isDetached }
        guard isEmpty || Clock.monotonicNanoseconds() >= request.deadline else { return false }
        for state in sinks {
            do throws(SinkError) {
                if request.closesSinks { try state.sink.close() } else { try state.sink.flush() }
            } catch {
                Diagnostics.report("sink \(state.sink.name) cannot be closed: \(error.reason)")
            }
        }
        if isEmpty && closeBooks() { ring.unlink() }
        ring.release()
        mailbox.finish(isEmpty: isEmpty)
        if takesSignals {
            taffrail_signal_remove_waiter(control.wakeAddress)
            let signal = taffrail_signal_pending()
            // The last writer to end lets the signal do what it would have done.
            if signal != 0 && taffrail_signal_has_waiters() == 0 { taffrail_signal_die(signal) }
        }
        return true
    }
}
