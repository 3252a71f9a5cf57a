package import Taffrail

/// Some of the records of one run.
package struct SpoolBatch: Sendable {
    package var run = RingID.none
    /// The identity of the dead letters, see ``DeadLetters/id(of:)``; 0: the records are not dead letters.
    package var again: UInt64 = 0
    /// The records, each as in a ``RecordBuffer``.
    package var bytes: [UInt8] = []
    package var count = 0
    package var first: UInt64 = 0
    package var last: UInt64 = 0
    /// The time at which the oldest of them was written, ns since 1970.
    package var time: Int64 = 0
    /// The start of the records, after any unreadable part.
    package var start = SpoolPosition()
    package var end = SpoolPosition()
    /// The losses found before ``start``.
    var losses: [SpoolLoss] = []

    /// Creates a batch without records.
    package init() {}

    /// Equal for the same records of a destination, even in a later run: the run, and the first and last number. Dead
    /// letters that are sent again differ from the records that first had these numbers.
    package var id: String {
        "\(run)-\(first)-\(last)" + (again == 0 ? "" : "-again-" + String(again, radix: 16))
    }

    /// Returns some of its records, each as a separate batch.
    func records(at indexes: [Int]) -> [SpoolBatch] {
        let records = FrameRecords(bytes, of: SpoolFrame(run: run, time: time), isIntact: true).all
        return indexes.filter(records.indices.contains).map { index in
            var batch = SpoolBatch()
            batch.run = run
            batch.bytes = Array(bytes[records[index].range])
            batch.count = 1
            batch.first = records[index].sequence
            batch.last = batch.first
            batch.time = time
            return batch
        }
    }

    /// Calls `body` with the records.
    package func withRecords<R, E: Error>(_ body: (borrowing RecordBatch) throws(E) -> R) throws(E) -> R? {
        guard let buffer = RecordBuffer(bytes: bytes, run: run) else { return nil }
        return try buffer.withBatch(body)
    }
}
