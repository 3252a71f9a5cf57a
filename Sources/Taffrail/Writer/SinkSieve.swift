/// Reduces a batch to the records that a sink's filter accepts. Confined to the writer thread.
final class SinkSieve {
    let filter: SinkFilter
    private let copies = CopiedRecords()
    /// The records of the last batch that the filter withheld: the ring position after each record, and the counts.
    private var dropped: [(end: UInt64, tally: DropTally)] = []
    /// The position before which they have been counted.
    private(set) var countedUpTo: UInt64 = 0
    /// The counted ones, until they are taken.
    private var counted = DropTally()

    init(_ filter: SinkFilter) { self.filter = filter }

    /// Returns the batch for the sink, which may be empty, valid until the next call; `nil` if it gets all records.
    ///
    /// - Parameter position: The withheld records before it have been counted.
    func pass(_ batch: borrowing RecordBatch, countedUpTo position: UInt64 = 0) -> RecordBatch? {
        countedUpTo = position
        dropped.removeAll(keepingCapacity: true)
        copies.removeAll()
        let filter = filter
        batch.forEach { view in
            guard !filter.passes(view) else { return }
            var tally = DropTally()
            tally.add(view.fields)
            dropped.append((view.end, tally))
        }
        if dropped.isEmpty { return nil }
        if dropped.count < batch.count {
            batch.forEach { view in
                if filter.passes(view) { copies.append(view.fields.base, end: view.end) }
            }
        }
        return copies.batch(insteadOf: batch)
    }

    /// Counts the records of the last batch that were withheld from the sink before a position: later ones are offered and
    /// evaluated again.
    ///
    /// - Returns: How many of them had not been counted.
    func count(upTo position: UInt64) -> UInt64 {
        var tally = DropTally()
        for record in dropped where record.end > countedUpTo && record.end <= position { tally.add(record.tally) }
        countedUpTo = max(countedUpTo, position)
        counted.add(tally)
        return tally.count
    }

    /// Returns the records counted since the last call.
    func takeCounted() -> DropTally { counted.take() }
}
