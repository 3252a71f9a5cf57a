package import Taffrail

/// The destination of a spool's records.
package protocol Destination: AnyObject, Sendable {
    /// Sends a batch and waits for the answer. Called on the uploader's thread only.
    func send(_ batch: SpoolReader.Part) -> Attempt

    /// Makes a ``send(_:)`` that waits return soon. Any thread may call; no call of `send` follows.
    func interrupt()
}

/// The result of sending a batch.
package struct Attempt: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        /// The destination has it, except for some records that it refused.
        case accepted(refused: UInt64)
        /// The batch may be accepted later.
        ///
        /// - Parameter notBefore: The time at which the destination wants the next attempt, ns since 1970.
        case later(notBefore: Int64?)
        /// A smaller batch may be accepted.
        case tooLarge
        /// The destination does not accept the contents.
        case refused
        /// The destination accepts nothing at this address and with these credentials: a wrong token, a wrong path.
        case denied
        /// ``Destination/interrupt()`` was called.
        case interrupted
    }

    package var verdict: Verdict
    /// The result in one line, unless the batch was simply accepted.
    package var reason: String
    /// The number of bytes sent.
    package var bytes: Int
    /// The indexes of the records that were refused, in an accepted batch, if the destination names them.
    package var refused: [Int]
    /// Whether there was no answer in time, and a smaller batch may take less.
    package var isSlow = false

    package init(_ verdict: Verdict, reason: String = "", bytes: Int = 0, refused: [Int] = []) {
        self.verdict = verdict
        self.reason = reason
        self.bytes = bytes
        self.refused = refused
    }
}

extension SpoolReader.Part {
    /// Equal for the same records of a destination, also in a later run: the run, and the first and last number. Dead
    /// letters that are sent again differ from the records that first had these numbers.
    package var id: String {
        "\(run)-\(first)-\(last)" + (again == 0 ? "" : "-again-" + String(again, radix: 16))
    }

    /// Returns some of its records, each as a part of its own.
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
