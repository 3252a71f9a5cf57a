/// Records encoded outside a ring: for `taffrail log`, which has no queue, for spools, and for the tests of sinks.
///
/// It lays the records out as a ring would, with sequence numbers and positions of its own choice. Each has everything that
/// belongs to it, so that its bytes may be kept in a file or sent elsewhere.
public struct RecordBuffer: ~Copyable {
    /// The records, one after the other, each with its length and its checksum; see ``RecordCodec``.
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
    public init(run: RingID = .none, start: UInt64 = 0) {
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
            guard rest.count >= RecordCodec.smallest, let record = rest.baseAddress else { return nil }
            let length = RecordBatch.length(of: record)
            guard record.load(as: UInt64.self) == UInt64(length / RecordCodec.unit),
                length >= RecordCodec.smallest, length <= rest.count,
                RecordCodec.isIntact(record, length: length)
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
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: fields.base, count: RecordCodec.headerSize))
        for part in [
            fields.message, fields.attributes, context, fields.logger, names.both, fields.event, fields.ending,
        ] {
            bytes.append(contentsOf: part)
        }
        bytes.append(contentsOf: repeatElement(0, count: -(bytes.count - start) & 15))
        bytes.withUnsafeMutableBytes { all in
            let record = UnsafeMutableRawBufferPointer(rebasing: all[start...])
            for (offset, length) in [
                (40, fields.contextLength + context.count), (44, names.file.count), (46, names.function.count),
            ] {
                record.storeBytes(of: UInt16(truncatingIfNeeded: length), toByteOffset: offset, as: UInt16.self)
            }
            record[53] = fields.flags & ~(RecordCodec.flagSite | RecordCodec.flagContext)
        }
        finish(from: start)
    }

    /// Gives the last record, which starts at an offset, its length and its checksum.
    private mutating func finish(from start: Int) {
        bytes.withUnsafeMutableBytes { all in
            let record = UnsafeMutableRawBufferPointer(rebasing: all[start...])
            record.storeBytes(of: UInt64(record.count / RecordCodec.unit), as: UInt64.self)
            let checksum = RecordCodec.checksum(UnsafeRawBufferPointer(record))
            record.storeBytes(of: checksum, toByteOffset: 16, as: UInt64.self)
        }
        count += 1
    }

    /// Adds a record, with the sequence number that it carries.
    public mutating func append(_ record: LogRecord) {
        let scratch = Scratch.current
        guard let frame = scratch.begin() else { return }
        defer { scratch.end(frame) }
        let length = RecordBuffer.encode(record, at: frame.start, in: scratch)
        let base = scratch.pointer(at: frame.start)
        base.storeBytes(of: record.sequence, toByteOffset: 8, as: UInt64.self)
        let start = bytes.count
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: base, count: length))
        finish(from: start)
    }

    /// Lends what has been added as a batch, which is empty when nothing has been added.
    public func withBatch<R, E: Error>(_ body: (borrowing RecordBatch) throws(E) -> R) throws(E) -> R {
        // An array's bytes are 16-byte aligned on every 64-bit platform; the header's fields need eight.
        try bytes.withUnsafeBufferPointer { (buffer) throws(E) -> R in
            let raw = UnsafeRawBufferPointer(buffer)
            let base = raw.baseAddress ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
            return try body(
                RecordBatch(base: base, length: raw.count, run: run, count: count, start: start, journal: nil))
        }
    }

    /// Writes a record behind `start`, where the scratch has room for its header, and returns its length.
    ///
    /// - Parameters:
    ///   - thread: The kernel's id of the thread that logged it; 0 where that is not known.
    ///   - finishAttributes: Adds to the attributes, which start at the offset that it is given and may move.
    static func encode(
        _ record: LogRecord, thread: UInt32 = 0, at start: Int, in scratch: Scratch,
        finishAttributes: (inout Int) -> Void = { _ in }
    ) -> Int {
        let payload = start + RecordCodec.headerSize
        scratch.append(record.message)
        var messageEnd = scratch.cursor
        AttributeCodec.append(record.attributes, to: scratch)
        finishAttributes(&messageEnd)
        let attributesEnd = scratch.cursor
        let logger = append(short: record.logger, to: scratch)
        let file = append(short: record.source?.file ?? "", to: scratch)
        let function = append(short: record.source?.function ?? "", to: scratch)
        let event = append(short: record.eventName ?? "", to: scratch)
        _ = scratch.ensure(64)
        let base = scratch.pointer(at: start)
        for offset in [0, 8, 16] { base.storeBytes(of: 0, toByteOffset: offset, as: UInt64.self) }
        base.storeBytes(of: record.timestamp.nanoseconds, toByteOffset: 24, as: Int64.self)
        base.storeBytes(of: UInt32(truncatingIfNeeded: messageEnd - payload), toByteOffset: 32, as: UInt32.self)
        base.storeBytes(of: UInt32(truncatingIfNeeded: attributesEnd - messageEnd), toByteOffset: 36, as: UInt32.self)
        for (offset, length) in [(40, 0), (42, logger), (44, file), (46, function), (54, event)] {
            base.storeBytes(of: UInt16(truncatingIfNeeded: length), toByteOffset: offset, as: UInt16.self)
        }
        base.storeBytes(of: record.source?.line ?? 0, toByteOffset: 48, as: UInt32.self)
        base.storeBytes(of: record.level.rawValue, toByteOffset: 52, as: UInt8.self)
        base.storeBytes(of: 0, toByteOffset: 53, as: UInt8.self)
        var tail = scratch.pointer(at: scratch.cursor)
        if thread != 0 {
            tail.storeBytes(of: thread, as: UInt32.self)
            tail += 4
            base.setRecordFlag(RecordCodec.flagThread)
        }
        if let trace = record.trace { base.put(trace, at: &tail) }
        return base.padRecord(length: tail - base)
    }

    /// Appends text of at most 65,535 bytes and returns its length.
    private static func append(short text: String, to scratch: Scratch) -> Int {
        var text = text
        let start = scratch.cursor
        text.withUTF8 { utf8 in
            let bytes = UnsafeRawBufferPointer(utf8)
            let length = UTF8Text.boundary(in: bytes, atMost: RecordCodec.shortLimit)
            scratch.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(length)))
        }
        return scratch.cursor - start
    }
}
