/// Reduces a batch to the records that a sink's filter accepts. Confined to the writer thread.
final class SinkSieve {
    let filter: SinkFilter
    private let copies = CopiedRecords()
    /// The records of the last batch that the filter withheld: the ring position after each record, and the counts.
    private var dropped: [(end: UInt64, tally: DropTally)] = []

    init(_ filter: SinkFilter) { self.filter = filter }

    /// Returns the batch for the sink, which may be empty. Valid until the next call.
    func pass(_ batch: consuming RecordBatch) -> RecordBatch {
        dropped.removeAll(keepingCapacity: true)
        copies.removeAll()
        let filter = filter
        batch.forEach { view in
            guard !filter.passes(view) else { return }
            var tally = DropTally()
            tally.add(view.fields)
            dropped.append((view.end, tally))
        }
        if dropped.isEmpty { return batch }
        if dropped.count < batch.count {
            batch.forEach { view in
                guard filter.passes(view) else { return }
                let base = view.fields.base
                copies.append(
                    UnsafeRawBufferPointer(start: base, count: RecordLayout.length(of: base)), end: view.end)
            }
        }
        return RecordBatch(
            base: copies.base, length: copies.length, run: batch.run, count: copies.count, start: batch.start,
            end: batch.end, checkpoint: batch.checkpoint, tables: batch.tables)
    }

    /// Returns the records of the last batch that were withheld from the sink between two positions: later ones are
    /// offered and evaluated again.
    func dropped(after start: UInt64, before position: UInt64) -> DropTally {
        var tally = DropTally()
        for record in dropped where record.end > start && record.end <= position { tally.add(record.tally) }
        return tally
    }
}
