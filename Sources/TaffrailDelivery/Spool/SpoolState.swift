internal import Taffrail

/// The state of an open spool, for one thread at a time.
struct SpoolState {
    let options: SpoolOptions
    private let now: @Sendable () -> Int64
    var book = SinkBook.none
    private(set) var marks = SpoolMarks()

    private var lock: SpoolLock?
    private var isClosed = false
    private var segments: SpoolSegments
    private var keptFile: SpoolKeptFile
    private var dropped = DroppedFrame()
    /// The dead letters that were appended last, by ``DeadLetters/id(of:)``; 0: not known.
    private var lastAgain: UInt64 = 0
    /// The time of the last check for deleted segments, ns since 1970.
    private var lookedAt: Int64 = 0

    /// The time between two checks for deleted segments, in nanoseconds.
    private static let lookInterval: UInt64 = 1_000_000_000

    init(_ options: SpoolOptions, now: @escaping @Sendable () -> Int64) {
        self.options = options
        self.now = now
        segments = SpoolSegments(directory: options.directory)
        keptFile = SpoolKeptFile(directory: options.directory)
    }

    private var directory: String { options.directory }

    /// The saved state of the sink; its generation is 0 for a sink that sends the records of the queue.
    var kept: SpoolKept { keptFile.kept }

    /// The segments and the cursor as they are now.
    var view: SpoolView { segments.view }

    // MARK: Opening

    mutating func open() throws(SinkError) {
        guard !segments.isOpen else { return }
        guard !isClosed else { throw .temporary("\(directory) is closed") }
        do throws(SystemError) {
            try Directory.prepare(directory)
            let lock = try SpoolLock(directory)
            do throws(SystemError) { try read() } catch {
                lock.release()
                throw error
            }
            self.lock = lock
        } catch {
            segments.close()
            throw .temporary(error.isBusy ? "\(directory) is in use by another process" : "cannot open: \(error)")
        }
    }

    private mutating func read() throws(SystemError) {
        let scan = try segments.read(hasDrops: options.whenFull == .dropOldest || options.age != nil)
        let known = marks
        marks = scan.marks
        for mark in known.all where (marks[mark.ring.run]?.sequence ?? 0) < mark.sequence { marks.set(mark) }
        keptFile.read(scan.state, marks, upTo: view.end)
        dropped.open(scan.dropped)
        lastAgain = scan.lastAgain
        if !segments.isOpen { try addSegment() }
        segments.removeResolved()
        segments.restartIfNeeded()
    }

    /// Starts over when another program has deleted the last segment, and records the loss of its contents.
    private mutating func findDeleted() throws(SinkError) {
        lookedAt = now()
        guard let active = segments.tail.active, let info = view.segments.last,
            let status = try? active.file.status(), status.links == 0
        else { return }
        var losses: [SpoolLoss] = []
        if info.number >= view.cursor.position.segment { losses = SpoolLoss.all(in: active, info, of: view, .deleted) }
        for other in view.segments.dropLast() where other.number >= view.cursor.position.segment {
            guard !FileName.exists(SpoolSegment.path(other.number, in: directory)) else { continue }
            // The number of its records is unknown.
            losses.append(SpoolLoss(loss: .deleted, run: marks.all.last?.ring.run ?? .none, count: 1))
        }
        for loss in losses { try loss.note(in: book) }
        Diagnostics.report("segments in \(directory) were deleted by another program")
        segments.mustRestart = true
        release()
        dropped.end()
        try open()
    }

    private mutating func findDeletedIfDue() throws(SinkError) {
        // Also when the clock has been set back.
        if now().subtractingReportingOverflow(lookedAt).partialValue.magnitude >= Self.lookInterval {
            try findDeleted()
        }
    }

    mutating func close() {
        try? dropped.note(in: book, of: segments.tail)
        try? flush()
        isClosed = true
        release()
    }

    private mutating func release() {
        segments.close()
        lock?.release()
        lock = nil
    }

    // MARK: Appending

    mutating func append(_ header: SpoolFrame, _ payload: borrowing [UInt8]) throws(SinkError) {
        try open()
        try findDeletedIfDue()
        var frame = header
        frame.time = now()
        if try append(frame.bytes(with: payload)) { note(frame) } else { try drop(frame) }
    }

    /// Appends the output of a sink for a batch, or stores only the sink's state if there is nothing to send.
    mutating func append(
        _ header: SpoolFrame, _ records: borrowing [UInt8], upTo sequence: UInt64, keeping state: [UInt8]
    ) throws(SinkError) {
        try open()
        try findDeletedIfDue()
        let next = try kept.next(
            state, SpoolMarks.Mark(ring: RingMark(run: header.run, position: header.position), sequence: sequence))
        guard header.count > 0 else { return try keep(next) }
        var frame = header
        frame.time = now()
        // A frame covers all numbers since the previous frame, so that none appears to be missing.
        let last = marks[frame.run]?.sequence ?? 0
        if frame.first > last { frame.first = last + 1 }
        frame.last = max(frame.last, sequence)
        let trailer = next.trailer
        frame.stateLength = trailer.count
        if try append(frame.bytes(with: copy records + trailer)) {
            keptFile.set(next)
            note(frame)
        } else {
            frame.stateLength = 0
            try drop(frame)
            try keep(next)
        }
    }

    /// Stores another state of the sink; how far it has got is unchanged.
    mutating func keep(_ state: [UInt8]) throws(SinkError) {
        try open()
        try findDeletedIfDue()
        try keep(kept.next(state))
    }

    private mutating func keep(_ next: SpoolKept) throws(SinkError) {
        do throws(SystemError) { try keptFile.store(next, end: view.end) } catch {
            throw .temporary("cannot write: \(error)")
        }
    }

    /// Appends dead letters in one write.
    ///
    /// - Returns: `false` when they have been appended before.
    mutating func append(
        again letters: [(frame: SpoolFrame, payload: [UInt8])], id: UInt64
    ) throws(SinkError) -> Bool {
        try open()
        guard id != lastAgain, !letters.isEmpty else { return false }
        var bytes: [UInt8] = []
        for letter in letters {
            var frame = letter.frame
            frame.time = now()
            bytes += frame.bytes(with: letter.payload)
        }
        // No records are dropped to make space for them.
        guard view.isResolved || view.bytes + Int64(bytes.count) <= Int64(options.size.bytes), try append(bytes)
        else { throw .temporary("\(directory) is full (\(options.size))") }
        lastAgain = id
        return true
    }

    /// Appends frames, all in one write.
    ///
    /// - Returns: `false` when there is no space for them.
    private mutating func append(_ frames: [UInt8]) throws(SinkError) -> Bool {
        let length = Int64(frames.count)
        try expire()
        guard try makeSpace(for: length) else { return false }
        try dropped.note(in: book, of: segments.tail)
        do throws(SystemError) {
            if view.end.offset + length > options.segmentSize, !segments.tail.isEmpty(in: view) { try addSegment() }
            try segments.write(frames, at: view.nextOffset, time: now())
        } catch {
            throw .temporary("cannot write: \(error)")
        }
        dropped.end()
        return true
    }

    private mutating func note(_ frame: SpoolFrame) {
        marks.note(frame.mark)
        dropped.noteIfDue(at: now(), in: book, of: segments.tail)
    }

    /// Counts the records of a frame as dropped: in one frame at the end, which stores their position.
    private mutating func drop(_ header: SpoolFrame) throws(SinkError) {
        let next = dropped.counting(header, end: view.nextOffset)
        if next.offset == view.nextOffset { try dropped.note(in: book, of: segments.tail) }
        do throws(SystemError) {
            try segments.write(next.frame.bytes(with: []), at: next.offset, time: now())
        } catch {
            throw .temporary("cannot write: \(error)")
        }
        dropped.set(next)
        note(next.frame)
    }

    private mutating func addSegment() throws(SystemError) {
        // The frame with the state may be removed before a newer frame has one.
        if kept.generation > 0 { try keptFile.store(kept, end: view.end) }
        try segments.add(marks, time: now())
        dropped.end()
    }

    mutating func flush() throws(SinkError) {
        if segments.isOpen { try findDeleted() }
        guard segments.isOpen else { return }
        do throws(SystemError) {
            try segments.synchronize()
            // After the records: marks and state must not be newer.
            try keptFile.synchronize()
            try segments.synchronizeCursor()
        } catch {
            let isLost = segments.tail.hasLostWrites
            throw SinkError(isLost ? .permanent : .temporary, reason: "cannot flush: \(error)")
        }
    }

    // MARK: Space

    /// Makes space for a frame.
    ///
    /// - Returns: `false` if the frame must be dropped.
    private mutating func makeSpace(for length: Int64) throws(SinkError) -> Bool {
        while view.bytes + length > Int64(options.size.bytes) {
            // A single batch may be larger than the spool.
            if view.segments.count == 1, segments.tail.isEmpty(in: view) { return true }
            if view.isResolved {
                try begin()
                segments.skipToEnd()
                continue
            }
            switch options.whenFull {
            case .hold: throw .temporary("\(directory) is full (\(options.size))")
            case .dropNewest: return false
            case .dropOldest:
                if view.segments.count == 1, !view.isPinned(view.segments[0].number) { try begin() }
                guard let oldest = view.droppable else { throw .temporary("\(directory) is full (\(options.size))") }
                _ = try segments.drop(oldest, .overflow, book: book)
            }
        }
        return true
    }

    /// Begins a segment, so that those before it can be removed.
    private mutating func begin() throws(SinkError) {
        try dropped.note(in: book, of: segments.tail)
        do throws(SystemError) { try addSegment() } catch { throw .temporary("cannot write: \(error)") }
    }

    /// Drops segments that have expired; expired records of the last one are left out when it is read.
    mutating func expire() throws(SinkError) {
        guard let age = options.age, segments.isOpen else { return }
        let oldest = now() - age.nanoseconds
        while let segment = view.droppable, segment.newest < oldest {
            _ = try segments.drop(segment, .expired, book: book)
        }
    }

    /// Drops everything that has not been sent, and returns the number of records.
    mutating func dropAll() throws(SinkError) -> UInt64 {
        try open()
        segments.move { $0.flying = nil }
        var count: UInt64 = 0
        try begin()
        while let segment = view.droppable { count += try segments.drop(segment, .deleted, book: book) }
        segments.skipToEnd()
        return count
    }

    // MARK: Sending

    mutating func begin(_ batch: SpoolBatch, from start: SpoolPosition) throws(SinkError) -> Bool {
        try segments.begin(batch, from: start, book: book)
    }

    /// Changes the cursor. If it cannot be written, records may be sent again after a kill.
    mutating func move(_ change: (inout SpoolCursor) -> Void) { segments.move(change) }
}
