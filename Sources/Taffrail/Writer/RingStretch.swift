extension RingFile {
    /// A stretch of contiguous records, in memory that is valid until the next call.
    package struct Stretch {
        let base: UnsafeMutableRawPointer
        let start: UInt64
        package let length: Int
        let count: Int
        let run: RingID
        let tables: RingTables?
        package var end: UInt64 { start &+ UInt64(length) }
        /// The number of its first record.
        package var firstSequence: UInt64 { RecordFields(base).sequence }
        /// The records, for sinks without their own position.
        package var batch: RecordBatch {
            RecordBatch(
                base: base, length: length, run: run, count: count, start: start, checkpoint: nil, tables: tables)
        }

        /// Returns the first start of a record that is not before `position`: stored positions are untrusted, too.
        func boundary(atOrAfter position: UInt64) -> UInt64 {
            var offset = 0
            while offset < length && start &+ UInt64(offset) < position {
                offset += RecordLayout.length(of: base + offset)
            }
            return start &+ UInt64(offset)
        }
    }
}

extension RingFile.Stretch: RecordSource {
    func part(from position: UInt64, sequence: UInt64) -> RecordPart? {
        guard position < end else { return nil }
        let start = boundary(atOrAfter: position)
        guard start < end else { return nil }
        let offset = Int(start &- self.start)
        return RecordPart(
            base: base + offset, length: length - offset,
            count: RecordBatch.count(at: base + offset, length: length - offset), start: start)
    }

    /// Returns 0, which is discarded: the records have their numbers.
    func sequence(at position: UInt64) -> UInt64 { 0 }
}
