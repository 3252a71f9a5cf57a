/// A dead run's ring while it is being delivered.
struct RecoveredRing {
    let ring: RingFile
    let match: SinkMatch
    var delivery: Delivery
    /// The logs that the run wrote, each with the name of its sink.
    private let logs: [(log: WrittenLog, sink: String)]
    /// The progress of each sink; `nil` for one that the run did not have.
    var sinkProgress: [SinkProgress?]
    /// The run's sinks that are absent, and the records that they have not received.
    var absent: [AbsentSink]
    var sequence: UInt64
    /// The position after the last record.
    var end: UInt64
    /// Whether to keep the ring for absent sinks. Records that another program owes its sinks are kept, even if that
    /// program shares a log with this pipeline, and so are those of another log with the same name.
    let keepsAbsent: Bool
    private var canBook = true

    init(_ ring: RingFile, _ sinks: [SinkState], _ scope: Recovery.Scope) {
        self.ring = ring
        let header = ring.header
        let match = SinkMatch(sinks, in: header, directory: ring.directory)
        self.match = match
        keepsAbsent = scope.keepsAbsent || !header.isOfThisProgram || match.hasNamesake
        sinkProgress = zip(sinks, match.slots).map { state, slot in
            slot.map { slot in
                SinkProgress(
                    slot: slot, checkpoint: ring.checkpoint(slot: slot),
                    // A sink may store no position for records that mean nothing to it; everything before the head is
                    // freed.
                    position: max(header.head, state.sink.position(in: header.run) ?? header.position(ofSlot: slot)),
                    filteredUpTo: max(header.head, header.position(ofSlot: slot)))
            }
        }
        absent = (0..<RingHeader.sinkSlots).compactMap { slot in
            let name = header.name(ofSlot: slot)
            guard !name.isEmpty, !match.slots.contains(slot) else { return nil }
            return AbsentSink(
                slot: slot, name: name, position: header.position(ofSlot: slot), filter: ring.filter(ofSlot: slot))
        }
        sequence = header.nextSequence
        end = header.head
        var books: [LedgerBook] = []
        var files = scope.ledgers
        let own = LedgerFile(directory: ring.directory)
        if !files.isEmpty && !files.contains(own) { files.append(own) }
        for directory in RingPointer.directories(ofRing: ring.path, header.run) {
            let file = LedgerFile(directory: directory)
            if !files.contains(file) { files.append(file) }
        }
        do throws(SystemError) {
            for file in files { books.append(try LedgerBook(file, ofDead: header)) }
        } catch {
            canBook = false
            Diagnostics.report("\(ring.path) is kept, because its drops cannot be recorded in the ledger: \(error)")
        }
        delivery = Delivery(table: SinkTable(header: header, file: ring), books: canBook ? books : [])
        logs = WrittenLog.all(of: ring, zip(sinks, match.slots).filter { $1 != nil }.map(\.0), files)
    }

    /// Drops the records of the sinks given up, and records the drop in the ledger.
    mutating func giveUp(_ dropped: Set<String>) {
        guard canBook else { return }
        for index in absent.indices where dropped.contains(absent[index].name) && absent[index].waiting > 0 {
            note(absent[index], .discarded)
            absent[index].tally = SinkTally()
            // In this order, a kill in between repeats the ledger entries; the other way round they would be missing.
            // They include what the sink's filter withheld: the ring has no count of it.
            for book in delivery.books.indices { delivery.books[book].writeAll() }
            delivery.table.storePosition(end, ofSlot: absent[index].slot)
        }
    }

    /// Records what an absent sink will never get.
    private mutating func note(_ sink: AbsentSink, _ reason: DropReason = .sinkRemoved) {
        if sink.waiting > 0 {
            Diagnostics.report(
                "run \(ring.header.run): sink \(sink.name) was removed and missed \(sink.waiting) records")
        }
        delivery.note(sink.tally.missed, reason, sink: sink.name)
        delivery.note(sink.tally.filtered, .filtered, sink: sink.name)
    }

    /// The records that the ring has for absent sinks.
    var waiting: [Recovery.Waiting] {
        absent.compactMap { sink in
            guard sink.waiting > 0 else { return nil }
            return Recovery.Waiting(ring: ring.path, sink: sink.name, records: sink.waiting)
        }
    }

    func reportKept(_ waiting: Recovery.Waiting) {
        let count = CountText.text(waiting.records, "record waits", "records wait")
        Diagnostics.report(
            "\(ring.path): \(count) for sink \(waiting.sink) of \(ring.header.program); \"\(command)\" with the "
                + "configuration that has it writes them")
    }

    func reportLosses() {
        let header = ring.header
        let dropped = header.unreportedDrops
        if dropped > 0 { Diagnostics.report("run \(header.run) dropped \(dropped) records before it ended") }
        if ring.damaged > 0 {
            Diagnostics.report("\(ring.path): \(ring.damaged) damaged records were skipped")
        }
        for problem in ring.tableProblems { Diagnostics.report(problem) }
    }

    /// Records in the ledger the missing records of the run, and its end.
    mutating func book() -> Bool {
        guard canBook else { return false }
        for sink in absent { note(sink) }
        delivery.note(DropTally(UInt64(ring.damaged), level: nil), .damaged)
        do throws(SystemError) {
            try delivery.books.close(records: sequence &- 1, of: logs)
            return true
        } catch {
            Diagnostics.report("\(ring.path) is kept, because its end cannot be recorded in the ledger: \(error)")
            return false
        }
    }
}
