/// Records that a sink does not get: those that it should have had, and those that its filter withholds from it.
struct SinkTally {
    private(set) var missed = DropTally()
    private(set) var filtered = DropTally()

    /// Counts the records of a batch, given the filter of the sink.
    mutating func add(_ batch: borrowing RecordBatch, passing filter: SinkFilter) {
        let hasAll = filter.isEmpty
        batch.forEach { view in
            if hasAll || filter.passes(view) { missed.add(view.fields) } else { filtered.add(view.fields) }
        }
    }
}
