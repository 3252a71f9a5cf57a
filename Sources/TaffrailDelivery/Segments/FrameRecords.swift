internal import Taffrail

/// The intact records of a frame.
struct FrameRecords {
    struct Record {
        let range: Range<Int>
        let sequence: UInt64
    }

    let bytes: [UInt8]
    private(set) var all: [Record] = []
    /// The records lost by damage.
    private(set) var loss: SpoolLoss?
    private var lost: [Level: UInt64] = [:]

    /// Finds the records in a payload.
    ///
    /// - Parameter isIntact: Whether the payload matches the checksum in its frame.
    init(_ bytes: [UInt8], of frame: SpoolFrame, isIntact: Bool) {
        self.bytes = bytes
        all.reserveCapacity(Int(min(frame.count, 1 << 16)))
        if isIntact, let buffer = RecordBuffer(bytes: bytes, run: frame.run) {
            _ = add(buffer, from: 0)
            return
        }
        salvage(frame)
        guard all.count < Int(frame.count) else { return }
        loss = SpoolLoss(
            loss: .unreadable, run: frame.run, count: UInt64(Int(frame.count) - all.count), sequences: frame.sequences,
            levels: lost)
    }

    /// Finds the records of a damaged payload that are certainly intact. Their own checksums do not cover their numbers, so
    /// only those whose numbers fit are taken, where a frame has no gaps.
    private mutating func salvage(_ frame: SpoolFrame) {
        lost = frame.byLevel
        guard frame.last >= frame.first, frame.last - frame.first == UInt64(frame.count) &- 1 else { return }
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
            let levels = add(buffer, from: offset)
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

    private mutating func add(_ buffer: borrowing RecordBuffer, from offset: Int) -> [Level] {
        var levels: [Level] = []
        var records: [Record] = []
        buffer.withBatch { batch in
            var start = offset
            batch.forEach { view in
                let end = offset + Int(truncatingIfNeeded: view.end)
                records.append(Record(range: start..<end, sequence: view.sequence))
                levels.append(view.level)
                start = end
            }
        }
        all += records
        return levels
    }
}
