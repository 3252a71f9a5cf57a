internal import Taffrail

/// Records that a spool has lost.
struct SpoolLoss: Sendable, Equatable {
    var loss: SinkBook.Loss
    var run: RingID
    var count: UInt64
    var sequences: ClosedRange<UInt64>?
    var levels: [Level: UInt64] = [:]
    /// The position where the loss was found.
    var position = SpoolPosition()

    init(
        loss: SinkBook.Loss, run: RingID, count: UInt64, sequences: ClosedRange<UInt64>? = nil,
        levels: [Level: UInt64] = [:], position: SpoolPosition = SpoolPosition()
    ) {
        self.loss = loss
        self.run = run
        self.count = count
        self.sequences = sequences
        self.levels = levels
        self.position = position
    }

    /// Creates a loss of the records of a frame, starting at the index of a position.
    init(_ frame: SpoolFrame, _ loss: SinkBook.Loss, at position: SpoolPosition) {
        self.init(
            loss: loss, run: frame.run, count: UInt64(max(0, Int(frame.count) - position.index)),
            sequences: frame.sequences, levels: position.index == 0 ? frame.byLevel : [:], position: position)
    }

    /// Records it in the ledger.
    func note(in book: SinkBook) throws(SinkError) {
        try book.note(count, lostBy: loss, of: run, among: sequences, levels: levels)
    }

    /// Returns the same loss, found at a position.
    func found(at position: SpoolPosition) -> SpoolLoss {
        var loss = self
        loss.position = position
        return loss
    }

    /// Adds a later loss of the same run.
    mutating func add(_ later: SpoolLoss) {
        count += later.count
        if let mine = sequences, let other = later.sequences {
            sequences = min(mine.lowerBound, other.lowerBound)...max(mine.upperBound, other.upperBound)
        }
        for (level, number) in later.levels { levels[level, default: 0] += number }
    }

    /// Returns the records of a segment that have not been delivered, grouped by run.
    ///
    /// - Throws: A temporary error when the segment cannot be opened at present.
    static func all(
        in info: SpoolView.Segment, of view: SpoolView, _ reason: SinkBook.Loss
    ) throws(SinkError) -> [SpoolLoss] {
        let segment: SpoolSegment
        do throws(SystemError) { segment = try SpoolSegment.open(info.number, in: view.directory) } catch {
            guard error.isMissing else { throw .temporary("cannot read: \(error)") }
            // The number of records in it is unknown.
            let run = marks(after: info, of: view).last?.ring.run
            return [SpoolLoss(loss: .deleted, run: run ?? .none, count: 1)]
        }
        return all(in: segment, info, of: view, reason)
    }

    /// Returns the same for an open segment, which may no longer have a name.
    static func all(
        in segment: SpoolSegment, _ info: SpoolView.Segment, of view: SpoolView, _ reason: SinkBook.Loss
    ) -> [SpoolLoss] {
        let header = try? segment.header()
        var losses = SegmentLosses(reason, header: header, next: marks(after: info, of: view))
        let start = info.number == view.cursor.position.segment ? view.cursor.position : SpoolPosition()
        var position = SpoolPosition(segment: info.number, offset: header?.length ?? Int64(SpoolSegment.fixedSize))
        while let found = try? segment.find(at: position.offset, size: info.size), found != .end {
            switch found {
            case .end: break
            case .damage(let until):
                losses.addDamage(until - position.offset)
                position.offset = until
            case .frame(let frame):
                losses.add(frame, at: position, from: start)
                position.offset += Int64(frame.length)
            }
        }
        return losses.all()
    }

    /// Returns the marks in the header of the segment after another one.
    private static func marks(after info: SpoolView.Segment, of view: SpoolView) -> [SpoolMarks.Mark] {
        guard let next = view.segments.first(where: { $0.number > info.number }),
            let header = try? SpoolSegment.open(next.number, in: view.directory).header()
        else { return [] }
        return header.marks.all
    }
}

extension [SpoolLoss] {
    /// Adds a loss: to the last one, if that is of the same run, has the same reason, and either both have numbers or
    /// neither has.
    mutating func add(_ loss: SpoolLoss) {
        if let last = indices.last, self[last].run == loss.run, self[last].loss == loss.loss,
            (self[last].sequences == nil) == (loss.sequences == nil)
        {
            self[last].add(loss)
        } else {
            append(loss)
        }
    }
}
