internal import CTaffrail

/// The processors of a pipeline, and the batches that they make of others. Confined to the writer thread.
///
/// As long as processors keep records as they are, sinks get the queue's own bytes. From the first other answer on,
/// the records of a batch are copied, changed ones encoded anew. Every copy carries the ring's position behind its
/// original, so that sinks and their checkpoints count in the ring's positions whatever was dropped in between.
package final class ProcessorChain {
    /// First of all the guards, where there are any.
    private var processors: [any Processor]
    private let hasGuards: Bool
    /// Whether the guards are asked about all records.
    let guardsAll: Bool
    /// The dead run whose records are being recovered.
    private var recovered: RingID?
    private let copies = CopiedRecords()
    /// The batch that was evaluated last: sinks that are equally far get it one after the other.
    private var last: (run: RingID, start: UInt64, end: UInt64, isCopied: Bool)?
    /// Up to which position of which run drops have been counted.
    private var counted: (run: RingID, end: UInt64)?
    private var dropped = DropTally()

    /// Makes a chain.
    ///
    /// - Parameters:
    ///   - processors: In the order in which they work.
    ///   - guarding: Does what is done at each call. Here it processes the records of dead runs only.
    ///   - guardsAll: Whether it processes all records, because some were logged without it.
    package init(_ processors: [any Processor], guarding: (any Processor)? = nil, guardsAll: Bool = false) {
        self.processors = (guarding.map { [$0] } ?? []) + processors
        self.guardsAll = guardsAll
        hasGuards = guarding != nil
    }

    /// Whether there is nothing to do with the records of the run that logs.
    var isEmpty: Bool { processors.count == (hasGuards && !guardsAll ? 1 : 0) }

    /// The processors that the records of a run go through.
    private func active(for run: RingID) -> ArraySlice<any Processor> {
        processors[(hasGuards && !guardsAll && run != recovered ? 1 : 0)...]
    }

    /// What was dropped since this was asked last; a record that comes by again counts once.
    func takeDropped() -> DropTally {
        defer { dropped = DropTally() }
        return dropped
    }

    /// Up to which position of a run drops have been counted; 0 for a run that it has not seen last.
    func countedPosition(in run: RingID) -> UInt64 { counted.map { $0.run == run ? $0.end : 0 } ?? 0 }

    /// Goes on where another process has counted up to.
    func resume(_ run: RingID, countedUpTo position: UInt64) {
        counted = (run, position)
        recovered = run
    }

    /// What sinks get of a batch; it may have no records. Good until the next call.
    func process(_ batch: consuming RecordBatch) -> RecordBatch {
        let active = active(for: batch.run).indices
        if active.isEmpty { return batch }
        let isKnown = last.map { $0.run == batch.run && $0.start == batch.start && $0.end == batch.end } ?? false
        if !isKnown {
            let isCopied = evaluate(batch, by: active)
            last = (batch.run, batch.start, batch.end, isCopied)
        }
        guard last?.isCopied == true else { return batch }
        return RecordBatch(
            base: copies.base, length: copies.length, run: batch.run, count: copies.count, start: batch.start,
            end: batch.end, checkpoint: batch.checkpoint, tables: batch.tables)
    }

    /// Asks all processors about all records. `false`: every one stays as it is.
    private func evaluate(_ batch: borrowing RecordBatch, by active: Range<Int>) -> Bool {
        copies.removeAll()
        let countsFrom = countedPosition(in: batch.run)
        var isCopied = false
        var offset = 0
        batch.forEach { view in
            let bytes = UnsafeRawBufferPointer(
                start: view.fields.base, count: RecordLayout.length(of: view.fields.base))
            let outcome = evaluate(view, by: active)
            if case .kept = outcome, !isCopied {
                offset += bytes.count
                return
            }
            if !isCopied {
                isCopied = true
                copies.append(batch, upTo: offset)
            }
            switch outcome {
            case .kept: copies.append(bytes, end: view.end)
            case .changed(let record): copies.append(record, thread: view.threadID, end: view.end)
            case .dropped: if view.end > countsFrom { dropped.add(view.fields) }
            }
        }
        counted = (batch.run, max(countsFrom, batch.end))
        return isCopied
    }

    private enum Outcome {
        case kept
        case changed(LogRecord)
        case dropped
    }

    private func evaluate(_ view: borrowing RecordView, by active: Range<Int>) -> Outcome {
        for index in active {
            switch processors[index].inspect(view) {
            case .keep: continue
            case .drop: return .dropped
            case .change: return change(view, from: index)
            }
        }
        return .kept
    }

    /// Gives a copy to the processor that wants to change it, and what becomes of it to those behind.
    private func change(_ view: borrowing RecordView, from first: Int) -> Outcome {
        let original = LogRecord(view)
        var record = original
        guard processors[first].process(&record) == .keep else { return .dropped }
        for index in processors.indices.dropFirst(first + 1) {
            record.timestamp = original.timestamp
            record.run = original.run
            record.sequence = original.sequence
            // It shall judge what is there now, not what was logged.
            switch inspect(record, by: index) {
            case .keep: continue
            case .drop: return .dropped
            case .change: guard processors[index].process(&record) == .keep else { return .dropped }
            }
        }
        record.timestamp = original.timestamp
        record.sequence = original.sequence
        return record == original ? .kept : .changed(record)
    }

    private func inspect(_ record: LogRecord, by index: Int) -> Inspection {
        let encoded = CopiedRecords()
        encoded.append(record, end: 0)
        return processors[index].inspect(RecordView(encoded.base, run: record.run, end: 0, tables: nil))
    }
}

/// Records one behind the other, laid out as in a ring, each with a position of the ring instead of its checksum.
final class CopiedRecords {
    private var room = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: RecordLayout.alignment)
    private(set) var length = 0
    private(set) var count = 0
    /// What one that grew once may keep, in bytes.
    private static let kept = 1 << 20

    deinit { room.deallocate() }

    /// Where the first record lies.
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

    /// Appends the records of a batch that lie before an offset.
    func append(_ batch: borrowing RecordBatch, upTo limit: Int) {
        var offset = 0
        while offset < limit {
            let record = batch.base + offset
            let size = RecordLayout.length(of: record)
            offset += size
            append(UnsafeRawBufferPointer(start: record, count: size), end: batch.start &+ UInt64(offset))
        }
    }

    /// Appends a record as it is.
    func append(_ bytes: UnsafeRawBufferPointer, end: UInt64) {
        reserve(bytes.count)
        let place = UnsafeMutableRawBufferPointer(rebasing: room[length..<(length + bytes.count)])
        place.copyMemory(from: bytes)
        place.storeBytes(of: end, toByteOffset: RecordBatch.endOffset, as: UInt64.self)
        length += bytes.count
        count += 1
    }

    /// Encodes a record and appends it.
    func append(_ record: LogRecord, thread: UInt32 = 0, end: UInt64) {
        // The writer thread has no scratch, so that sinks and processors cannot log; this is no logging.
        let isWriter = taffrail_is_writer_thread() != 0
        if isWriter { taffrail_scratch_refuse(0) }
        defer { if isWriter { taffrail_scratch_refuse(1) } }
        let scratch = Scratch.current
        guard let frame = scratch.begin() else { return }
        defer { scratch.end(frame) }
        let size = RecordEncoder.encode(record, thread: thread, at: frame.start, in: scratch)
        let encoded = scratch.pointer(at: frame.start)
        encoded.storeBytes(of: UInt64(size / RecordLayout.unit), as: UInt64.self)
        encoded.storeBytes(of: record.sequence, toByteOffset: RecordLayout.sequence, as: UInt64.self)
        append(UnsafeRawBufferPointer(start: encoded, count: size), end: end)
    }

    private func reserve(_ more: Int) {
        guard room.count - length < more else { return }
        var size = room.count
        while size < length + more { size *= 2 }
        let grown = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: RecordLayout.alignment)
        grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[..<length]))
        room.deallocate()
        room = grown
    }
}
