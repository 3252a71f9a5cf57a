internal import Taffrail

/// The intact records of a frame.
struct FrameRecords {
    struct Record {
        let range: Range<Int>
        let sequence: UInt64
        /// The number of records of the frame before it, including those lost by damage.
        let index: Int
    }

    let bytes: [UInt8]
    private(set) var all: [Record] = []
    private let frame: SpoolFrame
    private var isDamaged = false
    private var lost: [Level: UInt64] = [:]

    /// Finds the records in a payload.
    ///
    /// - Parameter isIntact: Whether the payload matches the checksum in its frame.
    init(_ bytes: [UInt8], of frame: SpoolFrame, isIntact: Bool) {
        self.bytes = bytes
        self.frame = frame
        all.reserveCapacity(Int(min(frame.count, 1 << 16)))
        if isIntact, let buffer = RecordBuffer(bytes: bytes, run: frame.run) {
            _ = add(buffer, from: 0)
            return
        }
        isDamaged = true
        lost = frame.byLevel
        if hasAllNumbers { salvage() }
    }

    /// Whether the frame had a record of each number from the first to the last, so that a number gives an index.
    private var hasAllNumbers: Bool {
        frame.last >= frame.first && frame.last - frame.first == UInt64(frame.count) &- 1
    }

    /// Returns the records lost by damage, starting at the index of a position.
    ///
    /// - Parameter end: The index of the first record that does not count; `nil`: the end of the frame.
    func loss(at position: SpoolPosition, upTo end: Int?) -> SpoolLoss? {
        guard isDamaged else { return nil }
        let count = Int(frame.count)
        let part = min(position.index, count)..<max(min(position.index, count), min(end ?? count, count))
        let missing = part.count - all.count { part.contains($0.index) }
        guard missing > 0 else { return nil }
        var sequences = frame.sequences
        if hasAllNumbers, frame.first > 0 {
            sequences = frame.first + UInt64(part.lowerBound)...frame.first + UInt64(part.upperBound) - 1
        }
        return SpoolLoss(
            loss: .unreadable, run: frame.run, count: UInt64(missing), sequences: sequences,
            // They are known for the whole frame.
            levels: missing == count - all.count ? lost : [:], position: position)
    }

    /// Returns the intact records, starting at an index of the frame.
    func intact(from index: Int) -> ArraySlice<Record> {
        all[(isDamaged ? all.firstIndex { $0.index >= index } ?? all.count : min(index, all.count))...]
    }

    /// Finds the records of a damaged payload that are certainly intact. Their own checksums do not cover their numbers, so
    /// only those whose numbers fit are taken, where a frame has no gaps.
    private mutating func salvage() {
        var offset = 0
        var next = frame.first
        var hasGap = false
        while offset < bytes.count {
            guard let length = RecordBuffer.length(ofRecordAt: offset, in: bytes),
                let buffer = RecordBuffer(bytes: Array(bytes[offset..<offset + length]), run: frame.run)
            else {
                offset += 16
                hasGap = true
                continue
            }
            let before = all.count
            let levels = add(buffer, from: offset, firstNumber: frame.first)
            offset += length
            guard let sequence = all.last?.sequence, sequence <= frame.last,
                hasGap ? sequence > next : sequence == next
            else {
                all.removeSubrange(before...)
                hasGap = true
                continue
            }
            hasGap = false
            next = sequence + 1
            for level in levels {
                if let known = lost[level] { lost[level] = known > 1 ? known - 1 : nil }
            }
        }
    }

    /// - Parameter firstNumber: The number of the frame's first record, which gives the index of a record; `nil`: the
    ///   buffer has all of them.
    private mutating func add(
        _ buffer: borrowing RecordBuffer, from offset: Int, firstNumber: UInt64? = nil
    ) -> [Level] {
        var levels: [Level] = []
        var records: [Record] = []
        buffer.withBatch { batch in
            var start = offset
            batch.forEach { view in
                let end = offset + Int(truncatingIfNeeded: view.end)
                let index = firstNumber.map { Int(truncatingIfNeeded: view.sequence &- $0) } ?? records.count
                records.append(Record(range: start..<end, sequence: view.sequence, index: index))
                levels.append(view.level)
                start = end
            }
        }
        all += records
        return levels
    }
}
