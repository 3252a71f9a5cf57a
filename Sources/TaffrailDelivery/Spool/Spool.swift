package import Taffrail

/// Records on disk that have not been sent: segments of frames, with the ring positions of their runs.
///
/// The writer thread appends, one thread sends, any thread may query. One process at a time has it open.
package final class Spool: Sendable {
    package let options: SpoolOptions
    private let state: Locked<SpoolState>

    package init(_ options: SpoolOptions, now: @escaping @Sendable () -> Int64 = { SystemClock.wallNanoseconds() }) {
        self.options = options
        state = Locked(SpoolState(options, now: now))
    }

    /// Opens the spool, if it is not open: truncates a partial write left by a kill, and finds the records that are
    /// still to be sent.
    ///
    /// - Throws: A temporary error, such as when another process has it open.
    package func open() throws(SinkError) {
        try state.withLock { state throws(SinkError) in try state.open() }
    }

    /// Sets where losses are recorded.
    package func setBook(_ book: SinkBook) { state.withLock { $0.book = book } }

    /// Appends a batch and its ring position in one write. When it returns, the batch survives SIGKILL.
    ///
    /// Records already in the spool are left out: if the position was unknown, the queue offers them again.
    package func append(_ batch: borrowing RecordBatch) throws(SinkError) {
        guard batch.count > 0 else { return }
        try open()
        let known = batch.run == .none ? 0 : state.withLock { $0.marks[batch.run]?.sequence ?? 0 }
        var frame = SpoolFrame(run: batch.run, time: 0)
        var left = 0
        batch.forEach { record in
            if frame.count == 0 && record.sequence <= known {
                left += 1
            } else {
                frame.add(record.level, record.sequence)
            }
        }
        frame.position = batch.end
        guard frame.count > 0 else { return }
        var buffer = RecordBuffer(run: batch.run)
        batch.copy(into: &buffer)
        var payload = buffer.bytes
        if left > 0 {
            let records = FrameRecords(payload, of: frame, isIntact: true).all
            if left < records.count { payload.removeFirst(records[left].range.lowerBound) }
        }
        let bytes = payload
        try state.withLock { state throws(SinkError) in try state.append(frame, bytes) }
    }

    /// Appends the output of a sink for a batch, with the ring position and the sink's state, all in one write. If
    /// there is nothing to send, the position and the state are stored in one write elsewhere.
    package func append(_ entry: SpoolEntry) throws(SinkError) {
        var frame = SpoolFrame(run: entry.run, time: 0)
        var buffer = RecordBuffer(run: entry.run)
        for record in entry.records {
            buffer.append(record)
            frame.add(record.level, record.sequence)
        }
        guard buffer.count == entry.records.count else { throw .temporary("out of memory") }
        frame.position = entry.position
        let (header, bytes) = (frame, buffer.bytes)
        try state.withLock { state throws(SinkError) in
            try state.append(header, bytes, upTo: entry.sequence, keeping: entry.state)
        }
    }

    /// Stores another state of the sink.
    package func keep(_ state: [UInt8]) throws(SinkError) {
        try self.state.withLock { spool throws(SinkError) in try spool.keep(state) }
    }

    /// The state of the sink, as stored with an entry or with ``keep(_:)``; `nil`: none was stored.
    package var keptState: [UInt8]? { state.withLock { $0.kept.state.isEmpty ? nil : $0.kept.state } }

    /// The run, the position and the number of the last record that the sink has taken; `nil`: none.
    package var lastTaken: (run: RingID, position: UInt64, sequence: UInt64)? {
        state.withLock { $0.kept.marks.all.last.map { ($0.ring.run, $0.ring.position, $0.sequence) } }
    }

    /// Returns the number of the last record of a run that it contains, or that the sink has taken; 0: none.
    package func sequence(in run: RingID) -> UInt64 {
        state.withLock { max($0.marks[run]?.sequence ?? 0, $0.kept.marks[run]?.sequence ?? 0) }
    }

    /// Appends the records of a file of dead letters, to be sent again: all in one write, and only if no records have
    /// to be dropped to make space.
    ///
    /// - Returns: The number of records; 0 when those of this file have been appended before.
    package func append(deadLettersIn path: String) throws(SinkError) -> Int {
        let letters: [DeadLetter]
        let id: UInt64
        do throws(SystemError) {
            letters = try DeadLetters.read(path)
            id = try DeadLetters.id(of: path)
        } catch {
            throw .temporary("dead letters cannot be read: \(error)")
        }
        let frames = DeadLetters.frames(of: letters, id: id)
        return try state.withLock { state throws(SinkError) in
            try state.append(again: frames, id: id) ? letters.count : 0
        }
    }

    /// Returns the position in the queue up to which the spool has the records of a run.
    package func position(in run: RingID) -> UInt64? {
        state.withLock { state in
            guard let position = state.kept.marks[run]?.ring.position else { return state.marks[run]?.ring.position }
            return max(position, state.marks[run]?.ring.position ?? 0)
        }
    }

    /// The number of bytes to be sent.
    package var pendingBytes: Int64 { state.withLock { $0.view.pendingBytes } }

    /// The number of bytes of its segments.
    package var bytes: Int64 { state.withLock { $0.view.bytes } }

    /// Makes everything appended so far survive power loss.
    ///
    /// - Throws: A temporary error, or a permanent one after the system failed to write records to the disk, until they
    ///   are delivered or dropped.
    package func flush() throws(SinkError) {
        try state.withLock { state throws(SinkError) in try state.flush() }
    }

    /// Closes the spool. Later calls do nothing.
    package func close() { state.withLock { $0.close() } }

    // MARK: Sending

    /// The segments and the cursor as they are now.
    package var view: SpoolView { state.withLock { $0.view } }

    /// Stores that a batch may be sent from now on, and records the losses before the batch.
    ///
    /// - Returns: `false` when the batch has since been dropped.
    package func begin(_ batch: SpoolBatch, from start: SpoolPosition) throws(SinkError) -> Bool {
        try state.withLock { state throws(SinkError) in try state.begin(batch, from: start) }
    }

    /// Stores that everything before the end of the batch in flight is resolved.
    package func resolve() { state.withLock { $0.move { $0.resolve() } } }

    /// Stores that the batch in flight was refused, so that it may be split differently.
    package func cancelBatch() { state.withLock { $0.move { $0.cancelBatch() } } }

    /// Stores that attempts have failed, and the time at which the next one is allowed.
    ///
    /// - Parameter isRequested: Whether the destination has requested that time.
    package func noteFailures(_ count: UInt32, notBefore: Int64, isRequested: Bool) {
        state.withLock { state in
            state.move { cursor in
                cursor.failures = count
                cursor.notBefore = notBefore
                cursor.isRequested = isRequested
            }
        }
    }

    /// Records a loss at the destination in the ledger.
    package func note(
        _ count: UInt64, lostBy loss: SinkBook.Loss, of run: RingID, among sequences: ClosedRange<UInt64>?
    ) throws(SinkError) {
        try state.withLock { state throws(SinkError) in
            try state.book.note(count, lostBy: loss, of: run, among: sequences)
        }
    }

    /// Drops expired records.
    package func expire() throws(SinkError) { try state.withLock { state throws(SinkError) in try state.expire() } }

    /// Drops everything that has not been sent.
    ///
    /// - Returns: The number of records.
    package func dropAll() throws(SinkError) -> UInt64 {
        try state.withLock { state throws(SinkError) in try state.dropAll() }
    }
}
