package import Taffrail

/// The destination of a spool's records.
package protocol Destination: AnyObject, Sendable {
    /// Sends a batch and waits for the answer. Called on the uploader's thread only.
    func send(_ batch: SpoolReader.Part) -> Attempt

    /// Makes a waiting ``send(_:)`` return soon. Any thread may call; no call of `send` follows.
    func interrupt()
}

extension SpoolReader.Part {
    /// Equal for the same records of a destination, even in a later run: the run, and the first and last number. Dead
    /// letters that are sent again differ from the records that first had these numbers.
    package var id: String {
        "\(run)-\(first)-\(last)" + (again == 0 ? "" : "-again-" + String(again, radix: 16))
    }

    /// Returns some of its records, each as a separate part.
    func records(at indexes: [Int]) -> [SpoolReader.Part] {
        let records = FrameRecords(bytes, of: SpoolFrame(run: run, time: time), isIntact: true).all
        return indexes.filter(records.indices.contains).map { index in
            var part = SpoolReader.Part()
            part.run = run
            part.bytes = Array(bytes[records[index].range])
            part.count = 1
            part.first = records[index].sequence
            part.last = part.first
            part.time = time
            return part
        }
    }

    /// Calls `body` with the records.
    package func withRecords<R, E: Error>(_ body: (borrowing RecordBatch) throws(E) -> R) throws(E) -> R? {
        guard let buffer = RecordBuffer(bytes: bytes, run: run) else { return nil }
        return try buffer.withBatch(body)
    }
}
