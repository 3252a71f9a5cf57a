/// Contiguous records in the layout of a ring, each with a ring position instead of its checksum.
final class CopiedRecords {
    private var room = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: RecordLayout.alignment)
    private(set) var length = 0
    private(set) var count = 0
    /// The most memory to keep after growing, in bytes.
    private static let kept = 1 << 20

    deinit { room.deallocate() }

    /// The address of the first record.
    var base: UnsafeRawPointer {
        // It is never allocated empty.
        UnsafeRawPointer(room.baseAddress.unsafelyUnwrapped)
    }

    func removeAll() {
        length = 0
        count = 0
        if room.count > Self.kept {
            room.deallocate()
            room = .allocate(byteCount: 4096, alignment: RecordLayout.alignment)
        }
    }

    /// Appends the records of a batch before an offset.
    func append(_ batch: borrowing RecordBatch, upTo limit: Int) {
        var offset = 0
        while offset < limit {
            let record = batch.base + offset
            offset += RecordLayout.length(of: record)
            append(record, end: batch.start &+ UInt64(offset))
        }
    }

    /// Appends a record unchanged.
    func append(_ record: UnsafeRawPointer, end: UInt64) {
        let size = RecordLayout.length(of: record)
        if room.count - length < size { grow(by: size) }
        let destination = UnsafeMutableRawBufferPointer(rebasing: room[length..<(length + size)])
        destination.copyMemory(from: UnsafeRawBufferPointer(start: record, count: size))
        destination.storeBytes(of: end, toByteOffset: RecordBatch.endOffset, as: UInt64.self)
        length += size
        count += 1
    }

    /// Encodes a record and appends it.
    func append(_ record: LogRecord, thread: UInt32 = 0, end: UInt64) {
        RecordBuffer.encode(record, thread: thread) { encoded in
            encoded.storeBytes(of: UInt64(encoded.count / RecordLayout.unit), as: UInt64.self)
            if let record = encoded.baseAddress { append(UnsafeRawPointer(record), end: end) }
        }
    }

    /// Returns the batch that sinks get instead of the one that the copies are from.
    func batch(insteadOf batch: borrowing RecordBatch) -> RecordBatch {
        RecordBatch(
            base: base, length: length, run: batch.run, count: count, start: batch.start, end: batch.end,
            checkpoint: batch.checkpoint, tables: batch.tables)
    }

    private func grow(by more: Int) {
        var size = room.count
        while size < length + more { size *= 2 }
        let grown = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: RecordLayout.alignment)
        grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[..<length]))
        room.deallocate()
        room = grown
    }
}
