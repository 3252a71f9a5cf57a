internal import Taffrail

/// Records that a spool has lost.
struct SpoolLoss: Sendable, Equatable {
    var loss: SinkBook.Loss
    var run: RingID
    var count: UInt64
    var sequences: ClosedRange<UInt64>?
    var levels: [Level: UInt64] = [:]
    /// Where it was found.
    var place = SpoolPlace()

    init(
        loss: SinkBook.Loss, run: RingID, count: UInt64, sequences: ClosedRange<UInt64>? = nil,
        levels: [Level: UInt64] = [:], place: SpoolPlace = SpoolPlace()
    ) {
        self.loss = loss
        self.run = run
        self.count = count
        self.sequences = sequences
        self.levels = levels
        self.place = place
    }

    /// The records of a frame from the index of a place on.
    init(_ frame: SpoolFrame, _ loss: SinkBook.Loss, at place: SpoolPlace) {
        self.init(
            loss: loss, run: frame.run, count: UInt64(max(0, Int(frame.count) - place.index)),
            sequences: frame.sequences, levels: place.index == 0 ? frame.byLevel : [:], place: place)
    }

    /// Records it in the ledger.
    func note(in book: SinkBook) throws(SinkError) {
        try book.note(count, lostBy: loss, of: run, among: sequences, levels: levels)
    }

    /// Adds a later loss of the same run.
    mutating func add(_ later: SpoolLoss) {
        count += later.count
        if let mine = sequences, let other = later.sequences {
            sequences = min(mine.lowerBound, other.lowerBound)...max(mine.upperBound, other.upperBound)
        }
        for (level, number) in later.levels { levels[level, default: 0] += number }
    }

    /// The records of a segment that have not been delivered: those of each run together.
    static func all(in info: SpoolView.Segment, of view: SpoolView, _ reason: SinkBook.Loss) -> [SpoolLoss] {
        guard let segment = try? SpoolSegment.open(info.number, in: view.directory) else { return [] }
        return all(in: segment, info, of: view, reason)
    }

    /// The same of an open segment, which may have no name any more.
    static func all(
        in segment: SpoolSegment, _ info: SpoolView.Segment, of view: SpoolView, _ reason: SinkBook.Loss
    ) -> [SpoolLoss] {
        let cursor = view.cursor.place
        let start = (try? segment.header())?.length ?? Int64(SpoolSegment.fixedSize)
        var place = SpoolPlace(segment: info.number, offset: start)
        if info.number == cursor.segment { place = max(place, cursor) }
        var losses: [SpoolLoss] = []
        while let found = try? segment.find(at: place.offset, size: info.size), found != .end {
            switch found {
            case .end: break
            case .damage(let until): place = SpoolPlace(segment: info.number, offset: until)
            case .frame(let frame):
                if frame.kind != .dropped {
                    let loss = SpoolLoss(frame, reason, at: place)
                    if let last = losses.indices.last, losses[last].run == loss.run {
                        losses[last].add(loss)
                    } else {
                        losses.append(loss)
                    }
                }
                place = SpoolPlace(segment: info.number, offset: place.offset + Int64(frame.length))
            }
        }
        return losses
    }
}
