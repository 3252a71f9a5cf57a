/// The writer's dealings with its sinks. On the writer thread.
extension Writer {
    /// What the writer knows of a sink that begins at a position.
    func attached(_ sink: any Sink, slot: Int, position: UInt64) -> SinkState {
        let header = header
        let journal = SinkJournal(ringPath: ring.path, run: ring.run, slot: slot) { position in
            header.setPosition(ofSlot: slot, position)
            return true
        }
        return SinkState(
            sink: sink, slot: slot, journal: journal,
            position: max(window.head, sink.position(in: ring.run) ?? position))
    }

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
            let missed = window.tally(from: state.position, to: window.numbered)
            if missed.count > 0 {
                Diagnostics.report("sink \(state.sink.name) is gone and missed \(missed.count) records")
                note(missed, .gone, sink: state.sink.name)
            }
            header.setName(ofSlot: state.slot, "")
        }
        let logs = WrittenLog.change(from: sinks, to: list)
        for (log, number) in logs.out { books.note(log, isWritten: false, from: number) }
        for index in books.indices where !ledgers.contains(books[index].file) { books[index].writeNow() }
        books = ledgers.map { file in
            books.first { $0.file == file } ?? LedgerBook(file, of: header)
        }
        for log in logs.in { books.note(log, isWritten: true, from: window.nextSequence) }
        var free = (0..<RingHeader.sinkSlots).filter { slot in !kept.contains { $0.slot == slot } }[...]
        sinks = list.prefix(RingHeader.sinkSlots).compactMap { sink in
            if let same = kept.first(where: { $0.sink === sink }) { return same }
            let old = kept.first { $0.sink.name == sink.name }
            guard let slot = old?.slot ?? free.popFirst() else { return nil }
            if old == nil {
                header.setPosition(ofSlot: slot, window.numbered)
                header.setName(ofSlot: slot, sink.name)
            }
            var state = attached(sink, slot: slot, position: old?.position ?? window.numbered)
            state.nextSequence = old?.nextSequence ?? window.nextSequence
            return state
        }
        noteLog()
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

    // MARK: Delivery

    /// Gives a sink what it has not got yet.
    func deliver(to index: Int, now: Int64) {
        var state = sinks[index]
        defer { sinks[index] = state }
        guard state.mayTry(at: now) else { return }
        while state.position < window.numbered {
            let (length, count) = window.extent(from: state.position, sequence: state.nextSequence)
            guard count > 0 else { return }
            let batch = processors.process(
                RecordBatch(
                    base: window.memory(at: state.position), length: length,
                    run: ring.run, count: count, start: state.position, journal: state.journal,
                    tables: ring.tables))
            do throws(SinkError) {
                if batch.count > 0 { try state.sink.write(batch) }
                state.position = batch.end
                state.nextSequence = window.sequence(at: state.position)
                header.countWritten(inSlot: state.slot, UInt64(batch.count))
                recovered(&state)
            } catch {
                let taken = error.taken(of: batch.count)
                state.position = batch.position(after: taken)
                state.nextSequence = window.sequence(at: state.position)
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
                    note(window.tallyOfLast(from: refused, to: state.position), .refused, sink: state.sink.name)
                    state.nextSequence = window.sequence(at: state.position)
                    header.countLost(inSlot: state.slot, 1)
                    control.countLosses(1)
                    Diagnostics.report("sink \(state.sink.name) refuses a record for good: \(error.reason)")
                }
            }
            header.setPosition(ofSlot: state.slot, state.position)
        }
    }

    private func recovered(_ state: inout SinkState) {
        guard state.failure != nil || state.isDetached else { return }
        state.failure = nil
        state.isDetached = false
        let missed = state.missed == 0 ? "" : "; it missed \(state.missed) records"
        state.missed = 0
        Diagnostics.report("sink \(state.sink.name) takes records again\(missed)")
    }

    /// Detaches the sinks that hold up others.
    func setAside(now: Int64) {
        let half = UInt64(ring.capacity / 2)
        for index in sinks.indices {
            guard let failure = sinks[index].failure, !sinks[index].isDetached else { continue }
            let othersGoOn = sinks.contains { $0.failure == nil }
            let isLate = window.numbered &- sinks[index].position > half || now - failure.since > SinkState.patience
            guard othersGoOn && isLate else { continue }
            sinks[index].isDetached = true
            Diagnostics.report(
                "sink \(sinks[index].sink.name) is set aside, what it misses is counted: \(failure.reason)")
        }
    }

    /// Counts what a sink that was set aside does not get any more.
    func skip(_ state: inout SinkState, to end: UInt64) {
        let missed = window.tally(from: state.position, to: end)
        state.missed &+= missed.count
        state.position = end
        state.nextSequence = window.sequence(at: end)
        header.countLost(inSlot: state.slot, missed.count)
        control.countLosses(missed.count)
        header.setPosition(ofSlot: state.slot, end)
        note(missed, .behind, sink: state.sink.name)
    }
}
