/// Records that a sink does not get: those that it should have had, and those that its filter withholds from it.
struct SinkTally {
    private(set) var missed = DropTally()
    private(set) var filtered = DropTally()

    /// Counts the records in `length` bytes.
    ///
    /// - Parameters:
    ///   - filter: The filter of the sink.
    ///   - tables: The tables that the numbers in the records refer to.
    mutating func add(
        recordsAt base: UnsafeRawPointer, length: Int, run: RingID, tables: RingTables?, passing filter: SinkFilter
    ) {
        if filter.isEmpty { return missed.add(recordsAt: base, length: length) }
        var offset = 0
        while offset < length {
            let view = RecordView(base + offset, run: run, end: 0, tables: tables)
            if filter.passes(view) { missed.add(view.fields) } else { filtered.add(view.fields) }
            offset += RecordLayout.length(of: base + offset)
        }
    }
}
