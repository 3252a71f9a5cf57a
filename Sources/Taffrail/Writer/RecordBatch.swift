/// Records in the order of their sequence numbers, borrowed from the queue for the duration of one call.
public struct RecordBatch: ~Copyable {
    /// The first record. The records lie one behind the other, each as long as its commit word tells.
    let base: UnsafeRawPointer
    /// The bytes of all records together.
    let length: Int
    /// The run that logged the records.
    public let run: RingID
    /// How many records there are; at least 1 when the writer calls.
    public let count: Int
    /// The ring's position of the first record.
    public let start: UInt64
    /// The ring's position behind the last record.
    public let end: UInt64
    /// Where the sink's position in the ring is kept, for the file sink, which moves it block by block.
    let checkpoint: SinkCheckpoint?
    /// What the numbers in the records stand for; `nil` where none has one.
    let tables: RingTables?

    init(
        base: UnsafeRawPointer, length: Int, run: RingID, count: Int, start: UInt64, checkpoint: SinkCheckpoint?,
        tables: RingTables? = nil
    ) {
        self.base = base
        self.length = length
        self.run = run
        self.count = count
        self.start = start
        end = start &+ UInt64(length)
        isCopied = false
        self.checkpoint = checkpoint
        self.tables = tables
    }

    /// Makes a batch of what processors left of another: of records that carry their ends.
    init(
        base: UnsafeRawPointer, length: Int, run: RingID, count: Int, start: UInt64, end: UInt64,
        checkpoint: SinkCheckpoint?,
        tables: RingTables?
    ) {
        self.base = base
        self.length = length
        self.run = run
        self.count = count
        self.start = start
        self.end = end
        isCopied = true
        self.checkpoint = checkpoint
        self.tables = tables
    }

    /// Another batch of the same records.
    private init(sharing other: borrowing RecordBatch) {
        base = other.base
        length = other.length
        run = other.run
        count = other.count
        start = other.start
        end = other.end
        isCopied = other.isCopied
        checkpoint = other.checkpoint
        tables = other.tables
    }

    /// Another batch of the same records.
    func copy() -> RecordBatch { RecordBatch(sharing: self) }

    /// The file of the ring that the records come from; `nil` for a queue in memory.
    package var ringPath: String? { checkpoint?.ringPath }

    /// Where a record that is no longer in the ring has the ring's position behind its original: in the place of the
    /// checksum, which nobody needs any more.
    static let endOffset = RecordLayout.checksum

    /// Whether the records carry their ends, because some of those between `start` and `end` are missing.
    let isCopied: Bool

    /// The ring's position behind the record at an offset.
    @inline(__always)
    func end(ofRecordAt offset: Int) -> UInt64 {
        let record = base + offset
        return isCopied
            ? record.load(fromByteOffset: Self.endOffset, as: UInt64.self)
            : start &+ UInt64(offset + RecordLayout.length(of: record))
    }

    /// Calls `body` with each record, in order. What it throws ends the walk.
    public func forEach<E: Error>(_ body: (borrowing RecordView) throws(E) -> Void) throws(E) {
        var offset = 0
        while offset < length {
            let record = base + offset
            let end = end(ofRecordAt: offset)
            offset += RecordLayout.length(of: record)
            try body(RecordView(record, run: run, end: end, tables: tables))
        }
    }

    /// Adds copies of all records to a buffer: with everything that belongs to them, however long the ring keeps it.
    package func copy(into buffer: inout RecordBuffer) {
        forEach { buffer.append(copying: $0) }
    }

    /// The position behind the first `taken` records; behind the last one it is the batch's end.
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

    /// How many of the records, from the first on, lie before a position.
    func count(upTo position: UInt64) -> Int {
        if position >= end { return count }
        var offset = 0
        var count = 0
        while offset < length, end(ofRecordAt: offset) <= position {
            offset += RecordLayout.length(of: base + offset)
            count += 1
        }
        return count
    }

    /// One record, counted.
    func tally(ofRecord index: Int) -> DropTally {
        var tally = DropTally()
        var offset = 0
        for _ in 0..<max(0, index) where offset < length { offset += RecordLayout.length(of: base + offset) }
        if offset < length { tally.add(RecordFields(base + offset)) }
        return tally
    }

    /// How many records lie in `length` bytes.
    static func count(at base: UnsafeRawPointer, length: Int) -> Int {
        var offset = 0
        var count = 0
        while offset < length {
            offset += RecordLayout.length(of: base + offset)
            count += 1
        }
        return count
    }
}

/// Where a ring keeps a sink's position.
///
/// The file sink stores it while it still holds the log's lock, which is what makes it exactly-once.
final class SinkCheckpoint: Sendable {
    /// The ring, by its file; `nil` for a queue in memory.
    let ringPath: String?
    let run: RingID
    /// The sink's place in the ring's table of positions.
    let slot: Int
    private let storing: @Sendable (UInt64) -> Bool

    init(ringPath: String?, run: RingID, slot: Int, storing: @escaping @Sendable (UInt64) -> Bool) {
        self.ringPath = ringPath
        self.run = run
        self.slot = slot
        self.storing = storing
    }

    /// Stores that everything before `position` has been written. `false` when the ring's file cannot be written.
    func store(_ position: UInt64) -> Bool { storing(position) }
}
