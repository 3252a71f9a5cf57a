/// Records in the order of their sequence numbers, borrowed from the queue for the duration of one call.
public struct RecordBatch: ~Copyable {
    /// The first record. The records are contiguous; the commit word of each contains its length.
    let base: UnsafeRawPointer
    /// The bytes of all records together.
    package let length: Int
    /// The run that logged the records.
    public let run: RingID
    /// The number of records; at least 1 when the writer calls.
    public let count: Int
    /// The ring position of the first record.
    public let start: UInt64
    /// The ring position after the last record.
    public let end: UInt64
    /// The sink's checkpoint in the ring, for the file sink, which stores it block by block.
    let checkpoint: SinkCheckpoint?
    /// The tables that the numbers in the records refer to; `nil` if none has a number.
    let tables: RingTables?

    /// - Parameter end: The end of the batch of which processors or a filter left these records, which then carry their
    ///   ends.
    @inline(__always)
    init(
        base: UnsafeRawPointer, length: Int, run: RingID, count: Int, start: UInt64, end: UInt64? = nil,
        checkpoint: SinkCheckpoint?, tables: RingTables? = nil
    ) {
        self.base = base
        self.length = length
        self.run = run
        self.count = count
        self.start = start
        self.end = end ?? start &+ UInt64(length)
        isCopied = end != nil
        self.checkpoint = checkpoint
        self.tables = tables
    }

    /// The number of the first record.
    package var firstSequence: UInt64 { RecordFields(base).sequence }

    /// The file of the ring that contains the records; `nil` for a queue in memory.
    package var ringPath: String? { checkpoint?.ringPath }

    /// The mark that a sink stores with the records: it has everything up to the batch's end.
    package var mark: RingMark { RingMark(run: run, position: end, path: ringPath) }

    /// The offset in a copied record of the ring position after its original, instead of the checksum, which is no
    /// longer needed.
    static let endOffset = RecordLayout.checksum

    /// Whether the records carry their ends, because some between `start` and `end` are missing.
    let isCopied: Bool

    /// Returns the ring position after the record at an offset.
    @inline(__always)
    func end(ofRecordAt offset: Int) -> UInt64 {
        let record = base + offset
        return isCopied
            ? record.load(fromByteOffset: Self.endOffset, as: UInt64.self)
            : start &+ UInt64(offset + RecordLayout.length(of: record))
    }

    /// Calls `body` with each record, in order. An error thrown by it stops the iteration.
    public func forEach<E: Error>(_ body: (borrowing RecordView) throws(E) -> Void) throws(E) {
        var offset = 0
        while offset < length {
            let record = base + offset
            let end = end(ofRecordAt: offset)
            offset += RecordLayout.length(of: record)
            try body(RecordView(record, run: run, end: end, tables: tables))
        }
    }

    /// Appends self-contained copies of all records to a buffer, independent of the ring.
    package func copy(into buffer: inout RecordBuffer) {
        forEach { buffer.append(copying: $0) }
    }

    /// Returns the position after the first `taken` records; after the last one it is the batch's end.
    func position(after taken: Int) -> UInt64 {
        if taken >= count { return end }
        var offset = 0
        var position = start
        for _ in 0..<max(0, taken) {
            position = end(ofRecordAt: offset)
            offset += RecordLayout.length(of: base + offset)
        }
        return position
    }

    /// Returns the number of records, from the first on, before a position.
    func count(upTo position: UInt64) -> Int {
        if position >= end { return count }
        var count = 0
        forEach { if $0.end <= position { count += 1 } }
        return count
    }

    func tally(ofRecord index: Int) -> DropTally {
        var tally = DropTally()
        var offset = 0
        for _ in 0..<max(0, index) where offset < length { offset += RecordLayout.length(of: base + offset) }
        if offset < length { tally.add(RecordFields(base + offset)) }
        return tally
    }

    /// Returns the records that start between two positions, which need not be those of records: stored positions are
    /// untrusted, too. The batch must not be one of copied records.
    func part(
        from first: UInt64, to last: UInt64 = .max, checkpoint: SinkCheckpoint? = nil
    ) -> RecordBatch {
        assert(!isCopied)
        var offset = 0
        while offset < length && start &+ UInt64(offset) < first { offset += RecordLayout.length(of: base + offset) }
        var end = offset
        var count = 0
        while end < length && start &+ UInt64(end) < last {
            end += RecordLayout.length(of: base + end)
            count += 1
        }
        return RecordBatch(
            base: base + offset, length: end - offset, run: run, count: count, start: start &+ UInt64(offset),
            checkpoint: checkpoint, tables: tables)
    }
}
