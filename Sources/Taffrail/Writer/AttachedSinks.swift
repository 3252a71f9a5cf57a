/// The sinks of a writer: attached to its ring, replaced, detached. Confined to the writer thread.
struct AttachedSinks: ~Copyable {
    var states: [SinkState] = []
    private let ring: Ring
    private var ledgers: [LedgerFile]
    /// The pointers to the ring, for the sinks' later runs; `nil` for a ring in memory.
    var pointers: RingPointers?
    /// The counts of removed sinks by name. A sink that is added again continues them, whichever slot it gets: what the
    /// ledger lacks is the difference between the counts of a name here and there.
    private var removed: [Counts] = []
    /// The books of ledgers that changes have removed. A ledger that returns gets its book again, which knows the drops
    /// of callers that it has.
    private var former: [LedgerBook] = []
    private var header: RingHeader { ring.header }

    private struct Counts {
        let name: String
        let (lost, written, filtered): (UInt64, UInt64, UInt64)
    }

    /// Attaches the sinks of a new pipeline.
    init(_ sinks: [FilteredSink], to ring: Ring, ledgers: [LedgerFile]) {
        self.ring = ring
        self.ledgers = ledgers
        pointers = RingPointers(to: ring)
        let names = SinkNames.unique(for: sinks.map(\.base))
        for (slot, filtered) in sinks.prefix(RingHeader.sinkSlots).enumerated() {
            states.append(attach(filtered, name: names[slot], slot: slot, position: header.head))
        }
        noteLog()
        pointers?.store(for: states.map(\.sink))
        if sinks.count > RingHeader.sinkSlots {
            Diagnostics.report(
                "\(sinks.count) sinks exceed the maximum of \(RingHeader.sinkSlots): the last ones get no records")
        }
    }

    /// Assigns a slot to a sink that was not attached, at its own position or, without one, the given one.
    private func attach(_ filtered: FilteredSink, name: String, slot: Int, position: UInt64) -> SinkState {
        let header = header
        header.setSink(slot, name: name, destination: SinkNames.destinationID(of: filtered.base))
        let checkpoint = SinkCheckpoint(ringPath: ring.path, run: ring.run, slot: slot) { position in
            header.setPosition(ofSlot: slot, position)
            return true
        }
        filtered.base.attach(book(of: filtered.base, name))
        let position = max(header.head, filtered.base.position(in: ring.run) ?? position)
        return SinkState(filtered, name: name, progress: SinkProgress(checkpoint: checkpoint, position: position))
    }

    private func book(of sink: any Sink, _ name: String) -> SinkBook {
        let directory = sink.stateDirectory ?? ring.path.flatMap { Directory.parent(of: $0) }
        return SinkBook(sink: name, ledgers: ledgers, statusDirectory: directory)
    }

    /// Stores in the ring which log it belongs to, for its recovery, and the filters of all sinks, for readers.
    private func noteLog() {
        RingFilters.store(states.map { ($0.progress.slot, $0.filter) }, in: header)
        for state in states {
            guard let log = state.sink.logFile else { continue }
            // Stays set: records that were logged before a change may still be in the ring.
            if !state.filter.isEmpty { header.setHasFilteredLog() }
            return header.setLog(
                slot: state.progress.slot, encoder: log.encoder, layout: log.layout, destination: log.name)
        }
    }

    /// Returns whether all sinks that freeing waits for have everything before a position.
    func haveAll(before position: UInt64) -> Bool {
        states.allSatisfy { $0.progress.position >= position || $0.isDetached }
    }

    // MARK: Changes

    /// Replaces the sinks: one that stays keeps its position, one of the same name continues at the old one's, others
    /// start here. Records that removed sinks did not get are counted and reported.
    ///
    /// - Parameters:
    ///   - processors: Those of the records that the old sinks lack.
    ///   - ledgers: The ledgers that will record missing records.
    mutating func replace(
        by list: [FilteredSink], window: RingWindow, processors: ProcessorChain, delivery: inout Delivery,
        ledgers: [LedgerFile]
    ) {
        let before = states
        // For each new sink the one that it continues: itself, or one of the same name.
        let continued = list.map { filtered in
            before.firstIndex { $0.sink === filtered.base } ?? before.firstIndex { $0.sink.name == filtered.base.name }
        }
        remove(before.indices.filter { !continued.contains($0) }.map { before[$0] }, window, processors, &delivery)
        // Only the filters that stay, before the names of new sinks: after a kill in between, none has the filter of
        // another sink that had its slot. noteLog() stores all.
        var steady: [(slot: Int, filter: SinkFilter)] = []
        for (filtered, index) in zip(list, continued) {
            guard let index, before[index].filter == filtered.filter else { continue }
            steady.append((before[index].progress.slot, filtered.filter))
        }
        RingFilters.store(steady, in: header)
        // Nor must a new sink be taken for that of the log: noteLog() stores its slot again if there still is a log.
        header.clearLogSlot()
        let oldLogs = before.compactMap { WrittenLog($0.sink) }
        let newLogs = list.compactMap { WrittenLog($0.base) }
        for state in before {
            guard let log = WrittenLog(state.sink), !newLogs.contains(log) else { continue }
            delivery.books.note(log, isWritten: false, from: window.sequence(at: state.progress.position))
        }
        let movesBook = self.ledgers != ledgers
        setLedgers(ledgers, &delivery)
        for log in newLogs where !oldLogs.contains(log) {
            delivery.books.note(log, isWritten: true, from: window.nextSequence)
        }
        // At once: after a kill, a new log would seem to have lost everything before.
        if newLogs != oldLogs { delivery.books.writeAll() }
        let names = SinkNames.unique(for: list.map(\.base))
        var used = continued.compactMap { $0.map { before[$0].progress.slot } }
        states = []
        // A configuration with more sinks is rejected. Code may create a pipeline with more, which is then reported.
        for (place, filtered) in list.prefix(RingHeader.sinkSlots).enumerated() {
            guard let index = continued[place] else {
                guard let slot = (0..<RingHeader.sinkSlots).first(where: { !used.contains($0) }) else { continue }
                used.append(slot)
                states.append(add(filtered, name: names[place], slot: slot, position: window.numbered))
                continue
            }
            var state = before[index]
            if state.sink !== filtered.base {
                let progress = state.progress
                state = attach(filtered, name: state.name, slot: progress.slot, position: progress.position)
                state.isLate = before[index].isLate
            } else {
                if state.filter != filtered.filter { state.setFilter(filtered.filter) }
                if movesBook { filtered.base.attach(book(of: filtered.base, state.name)) }
            }
            states.append(state)
        }
        noteLog()
        pointers?.store(for: states.map(\.sink))
    }

    /// Counts and reports the records that removed sinks did not get, and frees their slots.
    private mutating func remove(
        _ gone: [SinkState], _ window: RingWindow, _ processors: ProcessorChain, _ delivery: inout Delivery
    ) {
        for state in gone {
            let tally = delivery.tally(window, to: window.numbered, of: state, through: processors)
            if tally.missed.count > 0 {
                let count = CountText.text(tally.missed.count, "record")
                Diagnostics.report("sink \(state.name) was removed and missed \(count)")
            }
            delivery.note(tally.missed, .sinkRemoved, sink: state.name)
            delivery.note(tally.filtered, .filtered, sink: state.name)
            let slot = state.progress.slot
            removed.removeAll { $0.name == state.name }
            removed.append(
                Counts(
                    name: state.name, lost: header.lost(inSlot: slot), written: header.written(inSlot: slot),
                    filtered: header.filtered(inSlot: slot) &+ tally.filtered.count))
        }
        // Including what their filters withheld, and before the ring no longer names them: a kill in between records it
        // twice rather than not at all.
        if !gone.isEmpty { delivery.books.writeAll() }
        for state in gone { header.setSink(state.progress.slot, name: "", destination: 0) }
    }

    /// Replaces the ledgers and their books.
    private mutating func setLedgers(_ ledgers: [LedgerFile], _ delivery: inout Delivery) {
        for index in delivery.books.indices where !ledgers.contains(delivery.books[index].file) {
            delivery.books[index].writeAll()
        }
        let header = header
        let known = delivery.books + former
        delivery.books = ledgers.map { file in known.first { $0.file == file } ?? LedgerBook(file, of: header) }
        former = known.filter { !ledgers.contains($0.file) }
        self.ledgers = ledgers
    }

    /// Attaches a new sink to a free slot.
    private func add(_ filtered: FilteredSink, name: String, slot: Int, position: UInt64) -> SinkState {
        let counts = removed.first { $0.name == name }
        header.setPosition(ofSlot: slot, position)
        header.setCounts(
            ofSlot: slot, lost: counts?.lost ?? 0, written: counts?.written ?? 0, filtered: counts?.filtered ?? 0)
        return attach(filtered, name: name, slot: slot, position: position)
    }

    /// Makes every sink reopen its destination.
    ///
    /// - Parameter rotating: Whether to rotate the log files instead.
    func reopen(rotating: Bool) {
        for state in states {
            do throws(SinkError) {
                if rotating { try state.sink.rotate() } else { try state.sink.reopen() }
            } catch {
                let outcome = rotating ? "rotated" : "opened"
                Diagnostics.report("sink \(state.name) cannot be \(outcome): \(error.reason)")
            }
        }
    }

    /// Makes the sinks that freeing waits for flush.
    ///
    /// - Returns: Whether one has failed, and whether one has lost written data, also one that has been replaced.
    func flush() -> (hasFailed: Bool, isLost: Bool) {
        var (hasFailed, isLost) = (header.hasClosedLostSink, header.hasClosedLostSink)
        for state in states where !state.isDetached {
            do throws(SinkError) {
                try state.sink.flush()
            } catch {
                hasFailed = true
                if error.kind == .permanent {
                    isLost = true
                    header.setHasLostWrites()
                }
                Diagnostics.report("sink \(state.name) cannot flush: \(error.reason)")
            }
        }
        return (hasFailed, isLost)
    }

    /// Closes the sinks, or flushes those that the next ring uses.
    ///
    /// - Parameter deadline: The time after which records that a sink can leave to the next run are no longer waited
    ///   for.
    /// - Returns: Whether all that freeing waits for have flushed, also those that have been replaced.
    func end(closing: Bool, until deadline: Int64) -> Bool {
        var isFlushed = !header.hasClosedLostSink
        for state in states {
            do throws(SinkError) {
                if closing {
                    let limit = max(0, deadline &- SystemClock.monotonicNanoseconds())
                    try state.sink.close(within: .nanoseconds(limit))
                } else {
                    try state.sink.flush()
                }
            } catch {
                if !state.isDetached { isFlushed = false }
                if error.kind == .permanent { header.setHasLostWrites() }
                Diagnostics.report("sink \(state.name) cannot be closed: \(error.reason)")
            }
        }
        return isFlushed
    }

    // MARK: Failures

    /// Detaches failing sinks that hold up the others: those for which half the ring waits, and those that have failed
    /// for longer than they ask to be waited for.
    mutating func detachLate(numbered: UInt64, now: Int64) {
        let half = UInt64(ring.capacity / 2)
        for index in states.indices {
            guard let failure = states[index].failure, !states[index].isDetached else { continue }
            let othersWork = states.contains { $0.failure == nil }
            var isLate = numbered &- states[index].progress.position > half
            if let patience = states[index].sink.patience {
                isLate = isLate || .nanoseconds(max(0, now &- failure.since)) > patience
            }
            guard othersWork && isLate else { continue }
            states[index].isDetached = true
            Diagnostics.report(
                "sink \(states[index].name) is detached; the records it misses are counted: \(failure.reason)")
        }
    }

    /// Counts the records that detached sinks no longer get.
    mutating func skip(to end: UInt64, window: RingWindow, processors: ProcessorChain, delivery: inout Delivery) {
        for index in states.indices where states[index].progress.position < end {
            let tally = delivery.tally(window, to: end, of: states[index], through: processors)
            states[index].missed &+= tally.missed.count
            states[index].progress.position = end
            header.setPosition(ofSlot: states[index].progress.slot, end)
            delivery.skip(tally, .sinkLagging, of: states[index])
        }
    }
}
