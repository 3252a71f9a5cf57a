/// Records of one run, in order: those of the writer's own ring, or a stretch of a dead one.
protocol RecordSource {
    /// The run that logged them.
    var run: RingID { get }
    /// The tables that the numbers in them refer to.
    var tables: RingTables? { get }
    /// Returns the complete records from the first one at or after a position, as many as one batch takes; `nil` at the
    /// end.
    ///
    /// - Parameter sequence: The number of the record at that position, if known.
    func part(from position: UInt64, sequence: UInt64) -> RecordPart?
    /// Returns the number of the record at a position, or of the next one.
    func sequence(at position: UInt64) -> UInt64
}

/// Contiguous records in memory.
struct RecordPart {
    let base: UnsafeMutableRawPointer
    let length: Int
    let count: Int
    /// The ring position of the first one.
    let start: UInt64
}

/// The ring's table of sinks, in which a delivery stores its progress. It survives SIGKILL.
protocol SinkTable {
    /// Stores that everything before a position has been written. Returns `false` when the ring's file cannot be
    /// written.
    func storePosition(_ position: UInt64, ofSlot slot: Int) -> Bool
    func countWritten(_ count: UInt64, inSlot slot: Int)
    func countLost(_ count: UInt64, inSlot slot: Int)
    func countFiltered(_ count: UInt64, inSlot slot: Int)
    /// Counts records before a position that processors dropped.
    func countFiltered(_ count: UInt64, upTo position: UInt64)
}

/// Delivers to sinks the records they do not have yet, and stores the outcome: positions, counts, and missing records
/// in the ledgers. Live records and those of dead runs are delivered alike.
///
/// Confined to the writer thread, or to the thread of a recovery.
struct Delivery {
    let table: any SinkTable
    /// The ledgers in which missing records are finally recorded.
    var books: [LedgerBook]

    /// The queue of these records, which is informed of losses; `nil` for a dead run.
    private let control: QueueControl?

    init(table: any SinkTable, books: [LedgerBook], control: QueueControl? = nil) {
        self.table = table
        self.books = books
        self.control = control
    }

    /// Counts and records the losses of a sink.
    mutating func lose(_ tally: DropTally, _ count: UInt64, _ reason: DropReason, inSlot slot: Int, sink: String) {
        table.countLost(count, inSlot: slot)
        control?.countLosses(count)
        if reason == .refused { control?.countRefusals(count) }
        note(tally, reason, sink: sink)
    }

    /// Records in the ledgers the records that did not reach every sink.
    mutating func note(_ tally: DropTally, _ reason: DropReason, sink: String = "") {
        for index in books.indices { books[index].note(tally, reason, sink: sink) }
    }

    /// Delivers a source to a sink, as far as the sink accepts it.
    ///
    /// - Returns: The number of records that the sink has written.
    @discardableResult
    mutating func deliver(
        _ source: borrowing some RecordSource, to state: inout SinkState, progress: inout SinkProgress,
        through processors: ProcessorChain, now: Int64
    ) -> UInt64 {
        guard state.mayTry(at: now) else { return 0 }
        var written: UInt64 = 0
        while let part = source.part(from: progress.position, sequence: progress.nextSequence) {
            let processed = processors.process(
                RecordBatch(
                    base: UnsafeRawPointer(part.base), length: part.length, run: source.run, count: part.count,
                    start: part.start, checkpoint: progress.checkpoint, tables: source.tables))
            // Both before a sink stores a position, from which a recovery continues after a kill.
            countDropped(by: processors, in: source.run)
            let batch = sift(processed, state.sieve, progress)
            var taken = batch.count
            var failure: SinkError?
            do throws(SinkError) {
                if batch.count > 0 { try state.sink.write(batch) }
            } catch {
                taken = error.taken(of: batch.count)
                failure = error
            }
            progress.position = failure == nil ? batch.end : batch.position(after: taken)
            table.countWritten(UInt64(taken), inSlot: progress.slot)
            written &+= UInt64(taken)
            // A sink that refuses a record permanently is working again.
            if taken > 0 || failure?.kind == .permanent { state.recover() }
            if let failure, failure.kind == .permanent { refuse(taken, of: batch, failure, state, &progress) }
            if let sieve = state.sieve { count(sieve, &progress, sink: state.name) }
            progress.nextSequence = source.sequence(at: progress.position)
            guard table.storePosition(progress.position, ofSlot: progress.slot) else {
                fail(&state, "the queue's file cannot be written; later records may be written twice")
                return written
            }
            if let failure, failure.kind == .temporary {
                fail(&state, failure.reason)
                return written
            }
        }
        return written
    }

    /// Counts the records that processors have dropped since the last call.
    mutating func countDropped(by processors: ProcessorChain, in run: RingID) {
        let dropped = processors.takeDropped()
        guard dropped.count > 0 else { return }
        table.countFiltered(dropped.count, upTo: processors.countedPosition(in: run))
        note(dropped, .processor)
    }

    private func sift(
        _ batch: consuming RecordBatch, _ sieve: SinkSieve?, _ progress: SinkProgress
    ) -> RecordBatch {
        guard let sieve else { return batch }
        let (table, slot) = (table, progress.slot)
        progress.checkpoint.counting = { table.countFiltered(sieve.count(upTo: $0), inSlot: slot) }
        return sieve.pass(batch, countedUpTo: progress.filteredUpTo)
    }

    /// Counts the rest of the withheld records before a sink's position.
    private mutating func count(_ sieve: SinkSieve, _ progress: inout SinkProgress, sink: String) {
        // A sink may retain the checkpoint, which must not retain the ring.
        progress.checkpoint.counting = nil
        table.countFiltered(sieve.count(upTo: progress.position), inSlot: progress.slot)
        progress.filteredUpTo = sieve.countedUpTo
        note(sieve.takeCounted(), .filtered, sink: sink)
    }

    /// Counts the records of a dead run that a sink's filter withheld before the position that the sink itself has stored,
    /// if the run was killed before it counted them.
    mutating func countWithheld(in stretch: RingFile.Stretch, from state: SinkState, _ progress: inout SinkProgress) {
        let end = min(progress.position, stretch.end)
        guard !state.filter.isEmpty, progress.filteredUpTo < end else { return }
        let first = stretch.boundary(atOrAfter: progress.filteredUpTo)
        let last = max(first, stretch.boundary(atOrAfter: end))
        var tally = SinkTally()
        tally.add(
            recordsAt: stretch.base + Int(first &- stretch.start), length: Int(last &- first), run: stretch.run,
            tables: stretch.tables, passing: state.filter)
        countFiltered(tally.filtered, inSlot: progress.slot, sink: state.name)
        progress.filteredUpTo = end
    }

    private mutating func countFiltered(_ tally: DropTally, inSlot slot: Int, sink: String) {
        guard tally.count > 0 else { return }
        table.countFiltered(tally.count, inSlot: slot)
        note(tally, .filtered, sink: sink)
    }

    /// Counts records that a sink does not get: those that it should have had as lost, the others as filtered.
    mutating func skip(_ tally: SinkTally, _ reason: DropReason, inSlot slot: Int, sink: String) {
        if tally.missed.count > 0 { lose(tally.missed, tally.missed.count, reason, inSlot: slot, sink: sink) }
        countFiltered(tally.filtered, inSlot: slot, sink: sink)
    }

    /// Skips a record that a sink can never write.
    private mutating func refuse(
        _ index: Int, of batch: borrowing RecordBatch, _ error: SinkError, _ state: SinkState,
        _ progress: inout SinkProgress
    ) {
        progress.position = batch.position(after: index + 1)
        lose(batch.tally(ofRecord: index), 1, .refused, inSlot: progress.slot, sink: state.name)
        Diagnostics.report("sink \(state.name) refuses a record permanently: \(error.reason)")
    }

    private func fail(_ state: inout SinkState, _ reason: String) {
        let isNew = state.failure == nil
        state.fail(reason, at: SystemClock.monotonicNanoseconds())
        if isNew { Diagnostics.report("sink \(state.name): \(reason); retrying") }
    }
}

extension RingWindow: RecordSource {
    func part(from position: UInt64, sequence: UInt64) -> RecordPart? {
        guard position < numbered else { return nil }
        let (length, count) = extent(from: position, sequence: sequence)
        guard count > 0 else { return nil }
        return RecordPart(base: memory(at: position), length: length, count: count, start: position)
    }
}

extension RingHeader: SinkTable {
    func storePosition(_ position: UInt64, ofSlot slot: Int) -> Bool {
        setPosition(ofSlot: slot, position)
        return true
    }
}

extension RingFile: SinkTable {
    func storePosition(_ position: UInt64, ofSlot slot: Int) -> Bool {
        count({ $0.setPosition(ofSlot: slot, position) }, at: RingHeader.offset(ofSlot: slot))
    }
    func countWritten(_ count: UInt64, inSlot slot: Int) {
        _ = self.count({ $0.countWritten(count, inSlot: slot) }, at: RingHeader.writtenOffset(ofSlot: slot))
    }
    func countLost(_ count: UInt64, inSlot slot: Int) {
        _ = self.count({ $0.countLost(count, inSlot: slot) }, at: RingHeader.lostOffset(ofSlot: slot))
    }
    func countFiltered(_ count: UInt64, inSlot slot: Int) {
        _ = self.count({ $0.countFiltered(count, inSlot: slot) }, at: RingHeader.filteredOffset(ofSlot: slot))
    }
    /// Stores that the system has failed to write a sink's data to the disk.
    func setHasLostWrites() { _ = self.count({ $0.setHasLostWrites() }, at: RingHeader.flagsOffset) }
    func countFiltered(_ count: UInt64, upTo position: UInt64) {
        _ = self.count(
            { $0.countFiltered(count, upTo: max(position, $0.filteredUpTo)) }, at: RingHeader.filteredOffset)
        _ = self.count({ _ in }, at: RingHeader.filteredUpToOffset)
    }
}
