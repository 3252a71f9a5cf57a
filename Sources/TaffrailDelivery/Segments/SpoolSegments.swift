internal import Taffrail

/// The segments of a spool, and the progress of their delivery, in memory and on disk.
struct SpoolSegments {
    private(set) var view: SpoolView
    private(set) var tail: SpoolTail
    private var cursorFile: SpoolCursorFile?
    /// Losses before this position are in the ledger.
    private var notedUpTo = SpoolPosition()
    /// Whether the next opening starts at the first remaining segment: others were deleted, and are in the ledger.
    var mustRestart = false

    init(directory: String) {
        view = SpoolView(directory: directory, segments: [], cursor: SpoolCursor())
        tail = SpoolTail(directory: directory)
    }

    var isOpen: Bool { tail.isOpen }

    // MARK: Opening

    /// Reads the cursor and the segments.
    ///
    /// - Parameter hasDrops: Whether a gap may be segments that were dropped, which are in the ledger.
    mutating func read(hasDrops: Bool) throws(SystemError) -> SpoolScan {
        var file = try SpoolCursorFile(directory: view.directory)
        view.cursor = file.stored ?? SpoolCursor()
        view.segments = []
        let numbers = try SpoolSegment.numbers(in: view.directory)
        for number in numbers {
            // A segment that has been deleted, or cannot be opened, must not prevent the rest from being sent.
            guard let status = try? FileStatus.of(SpoolSegment.path(number, in: view.directory)), status.isRegular
            else { continue }
            view.segments.append(SpoolView.Segment(number: number, size: status.size, newest: status.modified))
        }
        let directory = view.directory
        let scan = SpoolScan(&view.segments) { number, isLast throws(SystemError) in
            isLast
                ? try SpoolSegment.openForAppending(number, in: directory)
                : try SpoolSegment.open(number, in: directory)
        }
        let used = max(numbers.last ?? 0, view.cursor.position.segment, view.cursor.flying?.segment ?? 0)
        if !view.segments.isEmpty {
            // After a power loss the cursor may be newer than the records.
            view.cursor.position = min(view.cursor.position, view.end)
            if let flying = view.cursor.flying, flying > view.end { view.cursor.flying = nil }
        }
        notedUpTo = view.cursor.flying ?? view.cursor.position
        if hasDrops { view.noteDropsAfterFlying() }
        // Before anything is added: new records must not be mistaken for old ones.
        if let stored = file.stored, stored != view.cursor {
            try file.write(view.cursor)
            try file.synchronize()
        }
        cursorFile = file
        tail.open(scan.active, after: used)
        return scan
    }

    mutating func close() {
        tail.close()
        cursorFile = nil
    }

    // MARK: Writing

    /// Adds a segment that starts with some marks.
    mutating func add(_ marks: SpoolMarks, time: Int64) throws(SystemError) {
        try tail.addSegment(to: &view, marks: marks, time: time)
        guard view.cursor.position.segment == 0, view.segments.count == 1, let first = view.segments.first?.number
        else {
            return
        }
        // If it is missing later, it is known that none of it was delivered.
        move { $0.position = SpoolPosition(segment: first) }
    }

    /// Writes some bytes into the last segment, which then ends with them; on an error it is unchanged.
    mutating func write(_ bytes: [UInt8], at offset: Int64, time: Int64) throws(SystemError) {
        try tail.write(bytes, at: offset, in: &view, time: time)
    }

    /// Makes everything written so far survive power loss, except the cursor.
    mutating func synchronize() throws(SystemError) { try tail.synchronize() }

    /// Makes the cursor survive power loss.
    mutating func synchronizeCursor() throws(SystemError) { try cursorFile?.synchronize() }

    /// Drops a segment, and records it in the ledger.
    ///
    /// - Returns: The number of its records.
    mutating func drop(
        _ info: SpoolView.Segment, _ reason: SinkBook.Loss, book: SinkBook
    ) throws(SinkError) -> UInt64 {
        var count: UInt64 = 0
        if info.number >= view.cursor.position.segment {
            for loss in try SpoolLoss.all(in: info, of: view, reason) {
                try loss.note(in: book)
                count += loss.count
            }
        }
        // The cursor moves first: otherwise, after a kill, another program would appear to have deleted the segment.
        if let index = view.segments.firstIndex(where: { $0.number > info.number }) {
            if view.cursor.position.segment == info.number {
                let next = SpoolPosition(segment: view.segments[index].number)
                move { $0.position = next }
            } else {
                view.segments[index].isAfterDrop = true
            }
        }
        tail.remove(info.number, from: &view)
        return count
    }

    // MARK: The cursor

    /// Stores that a batch may be sent from now on, and records the losses before it.
    ///
    /// - Returns: `false` when the batch has since been dropped.
    /// - Throws: A temporary error, also while the spool is not open.
    mutating func begin(
        _ batch: SpoolBatch, from start: SpoolPosition, book: SinkBook
    ) throws(SinkError) -> Bool {
        guard isOpen else { throw .temporary("the spool is not open") }
        guard view.cursor.position == start else { return false }
        for loss in batch.losses where loss.position >= notedUpTo { try loss.note(in: book) }
        notedUpTo = max(notedUpTo, batch.end)
        view.cursor.position = batch.count == 0 ? batch.end : batch.start
        view.cursor.flying = batch.count == 0 ? nil : batch.end
        try writeCursor()
        removeResolved()
        return true
    }

    /// Changes the cursor of an open spool. If it cannot be written, records may be sent again after a kill.
    mutating func move(_ change: (inout SpoolCursor) -> Void) {
        guard isOpen else { return }
        change(&view.cursor)
        try? writeCursor()
        removeResolved()
    }

    /// Restarts an open spool after another program has deleted segments: at the first remaining one.
    mutating func restartIfNeeded() {
        guard mustRestart else { return }
        mustRestart = false
        guard let first = view.segments.first, let last = view.segments.indices.last else { return }
        view.segments[last].isAfterDrop = true
        guard !view.segments.contains(where: { $0.number == view.cursor.position.segment }) else { return }
        notedUpTo = SpoolPosition(segment: first.number)
        let start = notedUpTo
        move { $0 = SpoolCursor(position: start) }
    }

    /// Marks everything as resolved.
    mutating func skipToEnd() {
        let end = view.end
        move { $0 = SpoolCursor(position: end) }
    }

    private mutating func writeCursor() throws(SinkError) {
        do throws(SystemError) { try cursorFile?.write(view.cursor) } catch {
            throw .temporary("cannot write: \(error)")
        }
    }

    /// Removes segments that have been delivered.
    mutating func removeResolved() {
        while view.segments.count > 1, let first = view.segments.first, first.number < view.cursor.position.segment {
            tail.remove(first.number, from: &view)
        }
    }
}
