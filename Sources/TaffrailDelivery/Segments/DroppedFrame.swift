internal import Taffrail

/// The frame at the end of a spool that counts the records dropped because the spool was full, and the time at which
/// the count is added to the ledger.
struct DroppedFrame {
    /// `nil`: the spool ends with something else.
    private var last: (frame: SpoolFrame, offset: Int64)?
    /// The number of the last of its records that are in the ledger; 0: none are.
    private var noted: UInt64 = 0
    /// The time at which the count is added to the ledger, ns since 1970.
    private var due = Int64.min

    /// How long drops are counted before they are added to the ledger, in nanoseconds.
    private static let interval: Int64 = 1_000_000_000

    /// Continues with the frame that a spool ends with.
    mutating func open(_ found: (frame: SpoolFrame, offset: Int64)?) {
        last = found
        noted = found.map { $0.frame.isNoted ? $0.frame.last : 0 } ?? 0
    }

    /// Records that the spool ends with something else, now that ``note(in:of:)`` has been called.
    mutating func end() { last = nil }

    /// Returns a frame that also counts another one, and its offset: that of the last frame, which it replaces, or the
    /// end.
    func counting(_ header: SpoolFrame, end: Int64) -> (frame: SpoolFrame, offset: Int64) {
        var frame = header
        frame.kind = .dropped
        guard let last, last.frame.run == frame.run, last.offset + Int64(SpoolFrame.headerSize) == end else {
            return (frame, end)
        }
        if !last.frame.isNoted { frame.add(countsOf: last.frame) }
        // Otherwise, after damage before it, the numbers of the frame that it replaces would appear to be missing.
        frame.first = min(frame.first, last.frame.first)
        return (frame, last.offset)
    }

    /// Records that such a frame has been written.
    mutating func set(_ written: (frame: SpoolFrame, offset: Int64)) {
        if written.offset != last?.offset { noted = 0 }
        last = written
    }

    /// Adds the dropped records to the ledger, at most once a second.
    mutating func noteIfDue(at time: Int64, in book: SinkBook, of tail: SpoolTail) {
        guard let last, !last.frame.isNoted, time >= due || due - time > Self.interval else { return }
        due = time + Self.interval
        try? note(in: book, of: tail)
    }

    /// Adds the dropped records to the ledger.
    mutating func note(in book: SinkBook, of tail: SpoolTail) throws(SinkError) {
        guard let last, !last.frame.isNoted, let segment = tail.active else { return }
        var loss = SpoolLoss(last.frame, .overflow, at: SpoolPosition())
        loss.sequences = loss.sequences?.clamped(to: (noted &+ 1)...UInt64.max)
        try loss.note(in: book)
        var frame = last.frame
        frame.isNoted = true
        do throws(SystemError) { try segment.file.write(frame.bytes(with: []), at: last.offset) } catch {
            throw .temporary("cannot write: \(error)")
        }
        self.last = (frame, last.offset)
        noted = frame.last
    }
}
