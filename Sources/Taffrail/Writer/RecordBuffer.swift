/// Records encoded outside a ring: for `taffrail log`, which has no queue, for spools, and for the tests of sinks.
///
/// It lays the records out as a ring would, with sequence numbers and positions of its own choice. Each has everything that
/// belongs to it, so that its bytes may be kept in a file or sent elsewhere.
package struct RecordBuffer: ~Copyable {
    /// The records, one after the other, each with its length and its checksum; see ``RecordLayout``.
    package private(set) var bytes: [UInt8] = []
    /// How many records there are.
    package private(set) var count = 0
    private let run: RingID
    private let start: UInt64

    /// Makes an empty buffer.
    ///
    /// - Parameters:
    ///   - run: The run that the records are said to come from.
    ///   - start: The ring position of the first record; a multiple of 16.
    package init(run: RingID = .none, start: UInt64 = 0) {
        self.run = run
        self.start = start & ~15
    }

    /// Makes a buffer of ``bytes`` that were kept; `nil` where they are not whole and intact records.
    package init?(bytes: [UInt8], run: RingID, start: UInt64 = 0) {
        self.init(run: run, start: start)
        var offset = 0
        while offset < bytes.count {
            guard let length = Self.length(ofRecordAt: offset, in: bytes) else { return nil }
            offset += length
            count += 1
        }
        self.bytes = bytes
    }

    /// The length of an intact record that lies wholly in some bytes.
    private static func length(ofRecordAt offset: Int, in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { all in
            let rest = UnsafeRawBufferPointer(rebasing: all[offset...])
            guard rest.count >= RecordLayout.smallest, let record = rest.baseAddress else { return nil }
            let length = RecordLayout.length(of: record)
            guard record.load(as: UInt64.self) == UInt64(length / RecordLayout.unit),
                length >= RecordLayout.smallest, length <= rest.count,
                RecordLayout.isIntact(record, length: length)
            else { return nil }
            return length
        }
    }

    /// Adds a copy of a record, with the names and the ambient attributes for which it only has numbers.
    mutating func append(copying record: borrowing RecordView) {
        let fields = record.fields
        let context = record.context
        let names = record.sourceNames
        let start = bytes.count
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: fields.base, count: RecordLayout.headerSize))
        for part in [
            fields.message, fields.attributes, context, fields.logger, names.both, fields.event, fields.ending,
        ] {
            bytes.append(contentsOf: part)
        }
        bytes.append(contentsOf: repeatElement(0, count: -(bytes.count - start) & 15))
        bytes.withUnsafeMutableBytes { all in
            let record = UnsafeMutableRawBufferPointer(rebasing: all[start...])
            for (offset, length) in [
                (RecordLayout.contextLength, fields.contextLength + context.count),
                (RecordLayout.fileLength, names.file.count), (RecordLayout.functionLength, names.function.count),
            ] {
                record.storeBytes(of: UInt16(truncatingIfNeeded: length), toByteOffset: offset, as: UInt16.self)
            }
            record[RecordLayout.flags] = fields.flags & ~(RecordLayout.flagSite | RecordLayout.flagContext)
        }
        finish(from: start)
    }

    /// Gives the last record, which starts at an offset, its length and its checksum.
    private mutating func finish(from start: Int) {
        bytes.withUnsafeMutableBytes { all in
            let record = UnsafeMutableRawBufferPointer(rebasing: all[start...])
            record.storeBytes(of: UInt64(record.count / RecordLayout.unit), as: UInt64.self)
            let checksum = RecordLayout.checksum(of: UnsafeRawBufferPointer(record))
            record.storeBytes(of: checksum, toByteOffset: RecordLayout.checksum, as: UInt64.self)
        }
        count += 1
    }

    /// Adds a record, with the sequence number that it carries.
    package mutating func append(_ record: LogRecord) {
        let scratch = Scratch.current
        guard let frame = scratch.begin() else { return }
        defer { scratch.end(frame) }
        let length = RecordEncoder.encode(record, at: frame.start, in: scratch)
        let base = scratch.pointer(at: frame.start)
        base.storeBytes(of: record.sequence, toByteOffset: RecordLayout.sequence, as: UInt64.self)
        let start = bytes.count
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: base, count: length))
        finish(from: start)
    }

    /// Lends what has been added as a batch, which is empty when nothing has been added.
    package func withBatch<R, E: Error>(_ body: (borrowing RecordBatch) throws(E) -> R) throws(E) -> R {
        // An array's bytes are 16-byte aligned on every 64-bit platform; the header's fields need eight.
        try bytes.withUnsafeBufferPointer { (buffer) throws(E) -> R in
            let raw = UnsafeRawBufferPointer(buffer)
            let base = raw.baseAddress ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
            return try body(
                RecordBatch(base: base, length: raw.count, run: run, count: count, start: start, checkpoint: nil))
        }
    }
}
