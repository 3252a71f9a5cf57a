/// The processors of a pipeline, and the batches they produce. Confined to the writer thread.
///
/// While processors keep records unchanged, sinks get the queue's own bytes. After the first other result, the
/// records of a batch are copied and changed ones encoded again. Every copy carries the ring position after its
/// original, so that sinks and their checkpoints use the ring's positions regardless of dropped records.
package final class ProcessorChain {
    /// The guards come first, if any.
    private var processors: [any Processor]
    let hasGuards: Bool
    /// Whether the guards process all records, because some were logged without them. Set before its first use.
    var guardsAll = false
    private let copies = CopiedRecords()
    /// The last batch that was evaluated: sinks at the same position get it one after another.
    private var last: (run: RingID, start: UInt64, end: UInt64, isCopied: Bool)?
    private var dropped = DropTally()

    /// Creates a chain.
    ///
    /// - Parameters:
    ///   - processors: In processing order.
    ///   - guarding: Applies the guards of log calls. Here it processes the records of dead runs only.
    package init(_ processors: [any Processor], guarding: (any Processor)? = nil) {
        self.processors = (guarding.map { [$0] } ?? []) + processors
        hasGuards = guarding != nil
    }

    /// Whether there are processors apart from the guards.
    var hasProcessors: Bool { processors.count > (hasGuards ? 1 : 0) }

    /// The names of attributes whose values no record in the queue may have.
    var redactedKeys: Set<String> { processors.reduce(into: []) { $0.formUnion($1.redactedKeys) } }

    /// Returns whether the records of a dead run may be delivered through these processors.
    ///
    /// The header of its ring shows whether the run had any, not which: any processors suffice, and guards do if it had
    /// only guards.
    package func suffices(for header: RingHeader) -> Bool {
        !header.hasProcessors || hasProcessors || header.hasOnlyGuards && hasGuards
    }

    /// Whether the records of the current run need no processing.
    var isEmpty: Bool { processors.count == (hasGuards && !guardsAll ? 1 : 0) }

    /// Returns the drops since the last call.
    func takeDropped() -> DropTally { dropped.take() }

    /// Returns the batch for the sinks, which may be empty. Valid until the next call.
    ///
    /// - Parameters:
    ///   - counted: The records whose drops have been counted.
    ///   - isRecovered: Whether the records are those of a dead run: the guards process all of them.
    func process(_ batch: consuming RecordBatch, counted: CountedDrops, isRecovered: Bool) -> RecordBatch {
        let first = hasGuards && !guardsAll && !isRecovered ? 1 : 0
        if first == processors.count { return batch }
        let isKnown = last.map { $0.run == batch.run && $0.start == batch.start && $0.end == batch.end } ?? false
        if !isKnown { last = (batch.run, batch.start, batch.end, evaluate(batch, from: first, counted)) }
        return last?.isCopied == true ? copies.batch(insteadOf: batch) : batch
    }

    /// Runs the processors, from the first active one, on all records. Returns `false` when every record is unchanged.
    private func evaluate(_ batch: borrowing RecordBatch, from first: Int, _ counted: CountedDrops) -> Bool {
        copies.removeAll()
        var isCopied = false
        var offset = 0
        batch.forEach { view in
            let record = view.fields.base
            let outcome = evaluate(view, from: first)
            if case .kept = outcome, !isCopied {
                offset += RecordLayout.length(of: record)
                return
            }
            if !isCopied {
                isCopied = true
                copies.append(batch, upTo: offset)
            }
            switch outcome {
            case .kept: copies.append(record, end: view.end)
            case .changed(let record): copies.append(record, thread: view.threadID, end: view.end)
            case .dropped: if counted.lacks(view.end) { dropped.add(view.fields) }
            }
        }
        return isCopied
    }

    private enum Outcome {
        case kept
        case changed(LogRecord)
        case dropped
    }

    private func evaluate(_ view: borrowing RecordView, from first: Int) -> Outcome {
        for index in first..<processors.count {
            switch processors[index].inspect(view) {
            case .keep: continue
            case .drop: return .dropped
            case .change: return change(view, from: index)
            }
        }
        return .kept
    }

    /// Passes a copy to the processor that wants to change it, and the result to the following ones.
    private func change(_ view: borrowing RecordView, from first: Int) -> Outcome {
        let original = LogRecord(view)
        var record = original
        guard processors[first].process(&record) == .keep else { return .dropped }
        for index in processors.indices.dropFirst(first + 1) {
            record.timestamp = original.timestamp
            record.run = original.run
            record.sequence = original.sequence
            // The processor inspects the changed record, not the logged one.
            let encoded = CopiedRecords()
            encoded.append(record, end: 0)
            switch processors[index].inspect(RecordView(encoded.base, run: record.run, end: 0, tables: nil)) {
            case .keep: continue
            case .drop: return .dropped
            case .change: guard processors[index].process(&record) == .keep else { return .dropped }
            }
        }
        record.timestamp = original.timestamp
        record.sequence = original.sequence
        return record.isIdentical(to: original) ? .kept : .changed(record)
    }
}
