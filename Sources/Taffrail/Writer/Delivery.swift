/// The header of a ring as deliveries change it: the progress of each sink, which survives SIGKILL. That of a dead run is a
/// copy, whose changes are written to the ring's file.
struct SinkTable {
    let header: RingHeader
    /// The ring of a dead run.
    var file: RingFile?

    /// Stores that everything before a position has been written. Returns `false` when the ring's file cannot be
    /// written.
    @discardableResult
    func storePosition(_ position: UInt64, ofSlot slot: Int) -> Bool {
        header.setPosition(ofSlot: slot, position)
        return save(RingHeader.offset(ofSlot: slot))
    }

    func countFiltered(_ count: UInt64, inSlot slot: Int) {
        header.countFiltered(count, inSlot: slot)
        save(RingHeader.filteredOffset(ofSlot: slot))
    }

    /// Stores that the system has failed to write a sink's data to the disk.
    func setHasLostWrites() {
        header.setHasLostWrites()
        save(RingHeader.flagsOffset)
    }

    /// Writes a word of the header that has changed to the file, if the header is not mapped.
    @discardableResult
    func save(_ offset: Int) -> Bool { file?.saveHeader(at: offset) ?? true }
}

/// Delivers to sinks the records they do not have yet, and stores the outcome: positions, counts, and missing records
/// in the ledgers. Live records and those of dead runs are delivered alike.
///
/// Confined to the writer thread, or to the thread of a recovery.
struct Delivery: ~Copyable {
    let table: SinkTable
    /// The ledgers in which missing records are finally recorded.
    var books: [LedgerBook]
    /// The queue of these records, which is informed of losses; `nil` for a dead run.
    var control: QueueControl?
    /// The records whose drops by processors have been counted.
    var counted: CountedDrops

    init(table: SinkTable, books: [LedgerBook], control: QueueControl? = nil) {
        self.table = table
        self.books = books
        self.control = control
        counted = CountedDrops(upTo: table.header.filteredUpTo)
    }

    /// Counts the losses of a sink, and enters them in the ledgers.
    private mutating func lose(_ tally: DropTally, _ count: UInt64, _ reason: DropReason, of state: SinkState) {
        table.header.countLost(count, inSlot: state.progress.slot)
        table.save(RingHeader.lostOffset(ofSlot: state.progress.slot))
        control?.countLosses(count)
        if reason == .refused { control?.countRefusals(count) }
        note(tally, reason, sink: state.name)
    }

    /// Enters the records that did not reach every sink in the ledgers.
    mutating func note(_ tally: DropTally, _ reason: DropReason, sink: String = "") {
        for index in books.indices { books[index].note(tally, reason, sink: sink) }
    }

    /// Delivers records to a sink, as far as the sink accepts them.
    ///
    /// - Returns: Whether the sink may get the records after its new position at once.
    mutating func deliver(
        _ records: consuming RecordBatch, to state: inout SinkState, through processors: ProcessorChain
    ) -> Bool {
        let processed = process(records, through: processors)
        // Both before a sink stores a position, from which a recovery continues after a kill.
        countDropped(by: processors)
        let batch = sift(processed, for: state)
        var taken = batch.count
        var failure: SinkError?
        do throws(SinkError) {
            if batch.count > 0 { try state.sink.write(batch) }
        } catch {
            taken = error.taken(of: batch.count)
            failure = error
        }
        state.progress.position = failure == nil ? batch.end : batch.position(after: taken)
        table.header.countWritten(UInt64(taken), inSlot: state.progress.slot)
        table.save(RingHeader.writtenOffset(ofSlot: state.progress.slot))
        // A sink that refuses a record permanently is working again.
        if taken > 0 || failure?.kind == .permanent { state.recover() }
        if let failure, failure.kind == .permanent { refuse(taken, of: batch, failure, &state) }
        if let sieve = state.sieve { count(sieve, of: &state) }
        guard table.storePosition(state.progress.position, ofSlot: state.progress.slot) else {
            fail(&state, "the queue's file cannot be written; later records may be written twice")
            return false
        }
        guard let failure, failure.kind == .temporary else { return true }
        fail(&state, failure.reason)
        return false
    }

    /// Returns records as processors leave them, valid until the next call. ``countDropped(by:)`` counts the others.
    mutating func process(_ records: consuming RecordBatch, through processors: ProcessorChain) -> RecordBatch {
        let (start, end) = (records.start, records.end)
        defer { counted.add(from: start, to: end) }
        return processors.process(records, counted: counted, isRecovered: control == nil)
    }

    /// Counts again what processors drop of the records that some sinks still lack, because the processors have
    /// changed: the new ones may drop other records than the old ones, and the ledger must explain every gap. Those
    /// that both drop count twice.
    mutating func recountDropped(for sinks: [SinkState]) {
        if let position = sinks.map(\.progress.position).min() { setCounted(CountedDrops(upTo: position)) }
    }

    /// Sets and stores which drops have been counted. After a kill, a recovery counts all after the first one that has
    /// not been.
    mutating func setCounted(_ counted: CountedDrops) {
        self.counted = counted
        table.header.filteredUpTo = counted.end
        table.save(RingHeader.filteredUpToOffset)
    }

    /// Counts the records that processors have dropped since the last call.
    mutating func countDropped(by processors: ProcessorChain) {
        let dropped = processors.takeDropped()
        guard dropped.count > 0 else { return }
        // No sink lacks what has been freed.
        counted.add(from: 0, to: table.header.head)
        table.header.countFiltered(dropped.count, upTo: counted.end)
        table.save(RingHeader.filteredOffset)
        table.save(RingHeader.filteredUpToOffset)
        note(dropped, .processor)
    }

    private func sift(_ batch: consuming RecordBatch, for state: SinkState) -> RecordBatch {
        guard let sieve = state.sieve else { return batch }
        let (table, slot) = (table, state.progress.slot)
        state.progress.checkpoint.counting = { table.countFiltered(sieve.count(upTo: $0), inSlot: slot) }
        if let passed = sieve.pass(batch, countedUpTo: state.progress.filteredUpTo) { return passed }
        return batch
    }

    /// Counts the rest of the withheld records before a sink's position.
    private mutating func count(_ sieve: SinkSieve, of state: inout SinkState) {
        // A sink may retain the checkpoint, which must not retain the ring.
        state.progress.checkpoint.counting = nil
        table.countFiltered(sieve.count(upTo: state.progress.position), inSlot: state.progress.slot)
        state.progress.filteredUpTo = sieve.countedUpTo
        note(sieve.takeCounted(), .filtered, sink: state.name)
    }

    /// Counts the records of a dead run that a sink's filter withheld before the position that the sink itself has stored,
    /// if the run was killed before it counted them.
    mutating func countWithheld(in stretch: borrowing RecordBatch, from state: inout SinkState) {
        let end = min(state.progress.position, stretch.end)
        guard !state.filter.isEmpty, state.progress.filteredUpTo < end else { return }
        var tally = SinkTally()
        tally.add(stretch.part(from: state.progress.filteredUpTo, to: end), passing: state.filter)
        countFiltered(tally.filtered, of: state)
        state.progress.filteredUpTo = end
    }

    private mutating func countFiltered(_ tally: DropTally, of state: SinkState) {
        guard tally.count > 0 else { return }
        table.countFiltered(tally.count, inSlot: state.progress.slot)
        note(tally, .filtered, sink: state.name)
    }

    /// Returns the records between a sink's position and another one that have not been freed, as processors leave
    /// them.
    mutating func tally(
        _ window: RingWindow, to end: UInt64, of state: SinkState, through processors: ProcessorChain
    ) -> SinkTally {
        var tally = SinkTally()
        var position = max(state.progress.position, window.head)
        while let records = window.batch(from: position, to: end) {
            position = records.end
            tally.add(process(records, through: processors), passing: state.filter)
        }
        countDropped(by: processors)
        return tally
    }

    /// Counts records that a sink does not get: those that it should have had as lost, the others as filtered.
    mutating func skip(_ tally: SinkTally, _ reason: DropReason, of state: SinkState) {
        if tally.missed.count > 0 { lose(tally.missed, tally.missed.count, reason, of: state) }
        countFiltered(tally.filtered, of: state)
    }

    /// Skips a record that a sink can never write.
    private mutating func refuse(
        _ index: Int, of batch: borrowing RecordBatch, _ error: SinkError, _ state: inout SinkState
    ) {
        state.progress.position = batch.position(after: index + 1)
        lose(batch.tally(ofRecord: index), 1, .refused, of: state)
        Diagnostics.report("sink \(state.name) refuses a record permanently: \(error.reason)")
    }

    private func fail(_ state: inout SinkState, _ reason: String) {
        let isNew = state.failure == nil
        state.fail(reason, at: SystemClock.monotonicNanoseconds())
        if isNew { Diagnostics.report("sink \(state.name): \(reason); retrying") }
    }
}
