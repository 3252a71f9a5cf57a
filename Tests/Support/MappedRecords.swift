// Uses declarations of the core that are visible to tests only.
#if TAFFRAIL_TESTABLE
@testable package import Taffrail

/// A sink that converts each record, and passes the result to a sink that accepts only such records.
package final class MappedRecords: Sink {
    private let base: any Sink
    private let map: (borrowing RecordView) -> LogRecord

    /// - Parameter map: Creates a record, which gets the number, the run and the position of the original.
    package init(_ base: any Sink, _ map: @escaping (borrowing RecordView) -> LogRecord) {
        self.base = base
        self.map = map
    }

    package var name: String { base.name }
    package var destinations: [String] { base.destinations }
    package var stateDirectory: String? { base.stateDirectory }
    package func openDestination() throws(SinkError) { try base.openDestination() }
    package func attach(_ book: SinkBook) { base.attach(book) }
    package func flush() throws(SinkError) { try base.flush() }
    package func close() throws(SinkError) { try base.close() }
    package func reopen() throws(SinkError) { try base.reopen() }
    package func position(in ring: RingID) -> UInt64? { base.position(in: ring) }

    package func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        let records = CopiedRecords()
        batch.forEach { view in
            var record = map(view)
            record.sequence = view.sequence
            record.run = view.run
            records.append(record, end: view.end)
        }
        guard records.count > 0 else { return }
        let copy = RecordBatch(
            base: records.base, length: records.length, run: batch.run, count: records.count, start: batch.start,
            end: batch.end, checkpoint: nil, tables: nil)
        try base.write(copy)
    }
}
#endif
