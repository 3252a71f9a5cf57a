internal import CTaffrail

/// Records encoded outside a ring: for `taffrail log`, which has no queue, for spools, and for the tests of sinks.
///
/// Lays the records out as a ring does, with its own sequence numbers and positions. Each record is self-contained, so
/// that its bytes can be stored in a file or sent elsewhere.
package struct RecordBuffer: ~Copyable {
    /// The records, contiguous, each with its length and checksum; see ``RecordLayout``.
    package private(set) var bytes: [UInt8] = []
    /// The number of records.
    package private(set) var count = 0
    private let run: RingID
    private let start: UInt64

    /// The length of the shortest record, in bytes.
    package static let smallestRecord = RecordLayout.smallest

    /// Creates an empty buffer.
    ///
    /// - Parameters:
    ///   - run: The run to attribute the records to.
    ///   - start: The ring position of the first record; a multiple of 16.
    package init(run: RingID = .none, start: UInt64 = 0) {
        self.run = run
        self.start = start & ~15
    }

    /// Creates a buffer from stored ``bytes``; `nil` if they are not complete and intact records.
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

    /// Returns the length of an intact record that is completely within some bytes.
    package static func length(ofRecordAt offset: Int, in bytes: [UInt8]) -> Int? {
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

    /// Adds a copy of a record, including the names and the ambient attributes that it refers to by number.
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

    /// Sets the length and the checksum of the last record, which starts at an offset.
    private mutating func finish(from start: Int) {
        bytes.withUnsafeMutableBytes { all in
            let record = UnsafeMutableRawBufferPointer(rebasing: all[start...])
            record.storeBytes(of: UInt64(record.count / RecordLayout.unit), as: UInt64.self)
            let checksum = RecordLayout.checksum(of: UnsafeRawBufferPointer(record))
            record.storeBytes(of: checksum, toByteOffset: RecordLayout.checksum, as: UInt64.self)
        }
        count += 1
    }

    /// Adds a record with its own sequence number.
    package mutating func append(_ record: LogRecord) {
        Self.encode(record) { encoded in
            let start = bytes.count
            bytes.append(contentsOf: encoded)
            finish(from: start)
        }
    }

    /// Passes a record on, encoded with its own sequence number. Also on the writer thread.
    static func encode(_ record: LogRecord, thread: UInt32 = 0, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
        // The writer thread has no scratch, so that sinks and processors cannot log; this does not log.
        let isWriter = taffrail_is_writer_thread() != 0
        if isWriter { taffrail_scratch_refuse(0) }
        defer { if isWriter { taffrail_scratch_refuse(1) } }
        let scratch = Scratch.current
        guard let frame = scratch.begin() else { return }
        defer { scratch.end(frame) }
        let length = RecordEncoder.encode(record, thread: thread, at: frame.start, in: scratch)
        let base = scratch.pointer(at: frame.start)
        base.storeBytes(of: record.sequence, toByteOffset: RecordLayout.sequence, as: UInt64.self)
        body(UnsafeMutableRawBufferPointer(start: base, count: length))
    }

    /// Calls `body` with the records as a batch, which may be empty.
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
