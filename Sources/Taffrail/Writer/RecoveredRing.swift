/// A dead run's ring while it is being delivered.
struct RecoveredRing: ~Copyable {
    /// A sink of the run that the recovering pipeline does not have.
    struct Absent {
        let slot: Int
        let name: String
        /// Everything before this position has been written.
        let position: UInt64
        /// Its filter, if the ring has it.
        let filter: SinkFilter
        /// The records starting there. The missed ones wait for it.
        var tally = SinkTally()
    }

    let ring: RingFile
    let match: SinkMatch
    var delivery: Delivery
    /// The logs that the run wrote, each with the name of its sink.
    private let logs: [(log: WrittenLog, sink: String)]
    /// The progress of each sink; `nil` for one that the run did not have.
    var sinkProgress: [SinkProgress?]
    /// The run's sinks that are absent, and the records that they have not received.
    var absent: [Absent] = []
    var sequence: UInt64
    /// The position before the first record that a sink lacks.
    var start: UInt64 {
        let positions = sinkProgress.compactMap { $0?.position } + absent.map(\.position)
        return max(ring.header.head, positions.min() ?? 0)
    }
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
                    checkpoint: ring.checkpoint(slot: slot),
                    // A sink may store no position for records that mean nothing to it; everything before the head is
                    // freed.
                    position: max(header.head, state.sink.position(in: header.run) ?? header.position(ofSlot: slot)),
                    filteredUpTo: max(header.head, header.position(ofSlot: slot)))
            }
        }
        for slot in 0..<RingHeader.sinkSlots where !match.slots.contains(slot) && !header.name(ofSlot: slot).isEmpty {
            absent.append(
                Absent(
                    slot: slot, name: header.name(ofSlot: slot), position: header.position(ofSlot: slot),
                    filter: ring.filter(ofSlot: slot)))
        }
        sequence = header.nextSequence
        end = header.head
        var books: [LedgerBook] = []
        var files = scope.ledgers
        let own = files.isEmpty ? [] : [ring.directory]
        for directory in own + RingPointer.directories(ofRing: ring.path, header.run) {
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

    /// Counts the records of a stretch that absent sinks lack: as processors leave them if these take the place of the
    /// run's own, otherwise all that the run owes.
    mutating func skip(_ stretch: borrowing RecordBatch, _ processors: ProcessorChain) {
        // The ring is kept for a program that may have other processors, or the run had none, except guards. What these
        // drop counts as missed, too.
        let header = ring.header
        let isRaw = keepsAbsent || !header.hasProcessors || header.hasOnlyGuards && processors.hasProcessors
        for index in absent.indices {
            let part = stretch.part(from: absent[index].position)
            guard part.count > 0 else { continue }
            let filter = absent[index].filter
            if isRaw {
                absent[index].tally.add(part, passing: filter)
            } else {
                absent[index].tally.add(delivery.process(part, through: processors), passing: filter)
            }
        }
        delivery.countDropped(by: processors)
    }

    /// Drops the records of the sinks given up, and enters the drop in the ledger.
    mutating func giveUp(_ dropped: Set<String>) {
        guard canBook else { return }
        for index in absent.indices where dropped.contains(absent[index].name) && absent[index].tally.missed.count > 0 {
            note(absent[index], .discarded)
            absent[index].tally = SinkTally()
            // In this order, a kill in between repeats the ledger entries; the other way round they would be missing.
            // They include what the sink's filter withheld: the ring has no count of it.
            delivery.books.writeAll()
            delivery.table.storePosition(end, ofSlot: absent[index].slot)
        }
    }

    /// Notes what an absent sink will never get.
    private mutating func note(_ sink: Absent, _ reason: DropReason = .sinkRemoved) {
        if sink.tally.missed.count > 0 {
            let missed = CountText.text(sink.tally.missed.count, "record")
            Diagnostics.report("run \(ring.header.run): sink \(sink.name) was removed and missed \(missed)")
        }
        delivery.note(sink.tally.missed, reason, sink: sink.name)
        delivery.note(sink.tally.filtered, .filtered, sink: sink.name)
    }

    func reportKept(_ sink: Absent) {
        let count = CountText.text(sink.tally.missed.count, "record waits", "records wait")
        Diagnostics.report(
            "\(ring.path): \(count) for sink \(sink.name) of \(ring.header.program). To write them, run "
                + "\"\(command)\" with the configuration that has this sink")
    }

    func reportLosses() {
        let header = ring.header
        let dropped = header.unreportedDrops
        if dropped > 0 {
            Diagnostics.report("run \(header.run) dropped \(CountText.text(dropped, "record")) before it ended")
        }
        if ring.damaged > 0 {
            let count = CountText.text(ring.damaged, "damaged record was", "damaged records were")
            Diagnostics.report("\(ring.path): \(count) skipped")
        }
        for problem in ring.tableProblems { Diagnostics.report(problem) }
    }

    /// Enters the missing records of the run, and its end, in the ledger.
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

    // MARK: Records that are kept

    /// Returns why the sinks must not get the records, although the run had these sinks: only the configuration of its
    /// program has the parts that the records need. `nil` if nothing prevents it.
    func obstacle(_ sinks: [SinkState], _ processors: ProcessorChain, _ scope: Recovery.Scope) -> String? {
        let header = ring.header
        if scope.leavesProcessed, !processors.suffices(for: header) {
            return text("its program has processors, and this one has none")
        }
        // A program that has changed its configuration may write its own records in another way.
        guard scope.isOursOnly, scope.keepsAbsent || !header.isOfThisProgram else { return nil }
        for (state, progress) in zip(sinks, sinkProgress) {
            guard let progress, let log = state.sink.logFile else { continue }
            // The header has the format of the first log only.
            let isFirst = header.logSlot.map { $0 == progress.slot } ?? true
            let filter = ring.filter(ofSlot: progress.slot)
            let isUnknown = filter.isEmpty && isFirst && header.hasFilteredLog
            if isUnknown || !filter.isEmpty && filter != state.filter {
                return text("its program filters the records for \(state.name) differently")
            }
            if scope.keepsAbsent, !isFirst || header.encoder != log.encoder {
                return text("its program writes \(state.name) in \(isFirst ? header.encoder : "an unknown format")")
            }
        }
        return nil
    }

    private func text(_ reason: String) -> String {
        let program = ring.header.program.isEmpty ? "that program" : ring.header.program
        return reason + ". To write the records, run \(program) itself or \"\(command)\" with its configuration"
    }

    /// Why no sink gets the records, and what to do.
    var reasonWithoutSinks: String {
        let names = absent.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let sinks = names.isEmpty ? "it has no sinks" : "this configuration does not have its sinks \(names)"
        return sinks + ". To write the records, run \"\(command)\" with the configuration that had them"
    }

    /// The command that delivers the records for which this configuration has no sinks.
    var command: String { Recovery.command(forRing: ring.path) }
}
