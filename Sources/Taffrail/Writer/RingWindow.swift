internal import Synchronization

/// The part of a ring that the writer works on: from the oldest record that has not been freed to the last one that has
/// a sequence number.
///
/// Confined to the writer thread.
struct RingWindow {
    private let ring: Ring
    /// Everything before this position has been freed.
    private(set) var head: UInt64
    /// Everything before this position has a sequence number.
    private(set) var numbered: UInt64
    /// The number of the record at ``numbered``.
    private(set) var nextSequence: UInt64 = 1

    /// The number of bytes of records to process at once: as much as stays in the processor's cache.
    private static let roundLimit: UInt64 = 256 << 10

    init(_ ring: Ring) {
        self.ring = ring
        head = ring.header.head
        numbered = head
    }

    /// Returns the memory at a position.
    @inline(__always)
    func memory(at position: UInt64) -> UnsafeMutableRawPointer {
        ring.data + Int(truncatingIfNeeded: position) & (ring.capacity - 1)
    }

    // MARK: Numbering

    /// Numbers the next complete records, as many as one round takes. Returns `false` when there are none.
    ///
    /// - Parameter tail: The position after the last reserved record.
    mutating func number(tail: UInt64) -> Bool {
        let ring = ring
        let mask = ring.capacity - 1
        let secret = ring.secret
        let end = head &+ UInt64(ring.capacity)
        let limit = min(numbered &+ Self.roundLimit, end)
        var position = numbered
        var sequence = nextSequence
        while position < limit {
            let record = ring.data + Int(truncatingIfNeeded: position) & mask
            let word = record.atomic64.pointee.load(ordering: .acquiring)
            guard let length = RecordLayout.length(commitWord: word, position: position, secret: secret) else { break }
            record.storeBytes(of: sequence, toByteOffset: RecordLayout.sequence, as: UInt64.self)
            sequence &+= 1
            position &+= UInt64(length)
        }
        guard position != numbered else { return false }
        numbered = position
        nextSequence = sequence
        ring.header.nextSequence = sequence
        ring.header.tail = max(position, min(tail, end))
        return true
    }

    /// Whether the next record is complete.
    var hasNext: Bool {
        let word = memory(at: numbered).atomic64.pointee.load(ordering: .acquiring)
        return RecordLayout.length(commitWord: word, position: numbered, secret: ring.secret) != nil
    }

    /// Returns the number of the record at a position, or of the next one.
    func sequence(at position: UInt64) -> UInt64 {
        let position = max(position, head)
        return position < numbered ? RecordFields(memory(at: position)).sequence : nextSequence
    }

    // MARK: Batches

    /// Returns the numbered records from a position to another one, as many as one batch takes; `nil` at the end.
    func batch(
        from position: UInt64, to limit: UInt64 = .max, checkpoint: SinkCheckpoint? = nil
    ) -> RecordBatch? {
        let limit = min(limit, numbered)
        guard position < limit else { return nil }
        var end = limit
        if limit &- position > 2 * Self.roundLimit {
            end = position
            while end < limit {
                let next = end &+ UInt64(RecordLayout.length(of: memory(at: end)))
                if end > position && next &- position > Self.roundLimit { break }
                end = next
            }
        }
        return records(from: position, to: end, checkpoint: checkpoint)
    }

    private func records(from start: UInt64, to end: UInt64, checkpoint: SinkCheckpoint? = nil) -> RecordBatch {
        // Sequence numbers have no gaps, so nothing has to be counted. A position that a sink has stored is untrusted.
        let (first, last) = (sequence(at: start), sequence(at: end))
        let count = last > first ? last &- first : 0
        return RecordBatch(
            base: memory(at: start), length: Int(end &- start), run: ring.run, count: Int(truncatingIfNeeded: count),
            start: start, checkpoint: checkpoint, tables: ring.tables)
    }

    // MARK: Space

    /// Zeroes and frees the space before a position.
    mutating func free(upTo end: UInt64) {
        memory(at: head).initializeMemory(as: UInt8.self, repeating: 0, count: Int(end &- head))
        head = end
        ring.header.head = end
    }
}
