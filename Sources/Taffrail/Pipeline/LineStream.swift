/// Writes the lines of a sink to a stream that it does not own, and counts those that were written completely.
package struct LineStream {
    private let descriptor: CInt
    private let patience: Duration
    private var bytes: [UInt8] = []
    /// The ends of the lines in `bytes`.
    private var ends: [Int] = []
    /// Whether the last write failed: then each line is written by itself.
    private var hasFailed = false
    /// Whether the stream ends within a line.
    private var isTorn = false

    /// The number of bytes at which they are written.
    private static let limit = 64 << 10

    /// Creates a writer to an open descriptor.
    ///
    /// - Parameter patience: How long to wait for a stream that another program has made non-blocking, such as a shared
    ///   terminal. Default 1 s.
    package init(_ descriptor: CInt, patience: Duration = .seconds(1)) {
        self.descriptor = descriptor
        self.patience = patience
    }

    /// Writes the lines of a batch, one for each record.
    ///
    /// - Parameters:
    ///   - taken: The number of records whose lines have been written, also after an error.
    ///   - append: Appends a record's line and its newline.
    package mutating func write(
        _ batch: borrowing RecordBatch, taken: inout Int, _ append: (borrowing RecordView, inout [UInt8]) -> Void
    ) throws(SystemError) {
        try batch.forEach { record throws(SystemError) in
            // The record of a torn line is written again, on a line of its own.
            if isTorn && bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
            append(record, &bytes)
            ends.append(bytes.count)
            if bytes.count >= (hasFailed ? 1 : Self.limit) { try commit(&taken) }
        }
        if !bytes.isEmpty { try commit(&taken) }
    }

    private mutating func commit(_ taken: inout Int) throws(SystemError) {
        let (written, code) = bytes.withUnsafeBytes {
            FileDescriptor.write(all: $0, to: descriptor, patience: patience)
        }
        taken += ends.firstIndex { $0 > written } ?? ends.count
        if written > 0 { isTorn = bytes[written - 1] != UInt8(ascii: "\n") }
        hasFailed = code != 0
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        guard code == 0 else { throw SystemError("write", code: code) }
    }
}
