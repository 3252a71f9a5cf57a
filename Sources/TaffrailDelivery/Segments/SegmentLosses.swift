internal import Taffrail

/// Collects the losses of a segment that is dropped, from its frames and their numbers.
struct SegmentLosses {
    private let reason: SinkBook.Loss
    private let hasHeader: Bool
    /// The marks in the next segment's header.
    private let next: [SpoolMarks.Mark]
    private var losses: [SpoolLoss] = []
    /// The marks of everything read so far.
    private var passed: SpoolMarks
    /// Whether data directly before the next frame is unreadable.
    private var isAfterDamage: Bool
    /// The runs that have been read since a part was unreadable; `nil`: none was.
    private var readSince: Set<RingID>?

    init(_ reason: SinkBook.Loss, header: SpoolSegment.Header?, next: [SpoolMarks.Mark]) {
        self.reason = reason
        self.next = next
        hasHeader = header != nil
        passed = header?.marks ?? SpoolMarks()
        isAfterDamage = !hasHeader
        readSince = hasHeader ? nil : []
    }

    mutating func noteDamage() {
        isAfterDamage = true
        readSince = []
    }

    /// Adds a frame, and the records missing before it.
    ///
    /// - Parameter start: The position before which nothing is lost.
    mutating func add(_ frame: SpoolFrame, at position: SpoolPosition, from start: SpoolPosition) {
        // No frame is missing if the header alone is damaged.
        if !hasHeader, position.offset <= SpoolSegment.headerLength(marks: next.count) { isAfterDamage = false }
        if let loss = lossBefore(frame), position.offset > start.offset { losses.add(loss) }
        passed.note(frame.mark)
        guard frame.kind != .dropped, position.offset >= start.offset else { return }
        var position = position
        if position.offset == start.offset { position.index = start.index }
        losses.add(SpoolLoss(frame, reason, at: position))
    }

    /// Returns the records missing before a frame that follows damage.
    private mutating func lossBefore(_ frame: SpoolFrame) -> SpoolLoss? {
        guard frame.mark != nil else { return nil }
        let isNext = isAfterDamage
        isAfterDamage = false
        guard readSince?.insert(frame.run).inserted == true else { return nil }
        // The first records of a run may have had another sink, unless they directly follow the damage.
        guard let known = passed[frame.run]?.sequence ?? (isNext && hasHeader ? 0 : nil) else {
            return isNext && frame.first > 1 ? SpoolLoss(loss: reason, run: frame.run, count: 1) : nil
        }
        return frame.first > 0 ? loss(of: frame.run, after: known, upTo: frame.first - 1) : nil
    }

    private func loss(of run: RingID, after known: UInt64, upTo last: UInt64) -> SpoolLoss? {
        guard known < last else { return nil }
        return SpoolLoss(loss: reason, run: run, count: last - known, sequences: known + 1...last)
    }

    /// Returns all losses, including those at the end.
    func all() -> [SpoolLoss] {
        guard readSince != nil else { return losses }
        var losses = losses
        // The unreadable end is derived from the next segment's header.
        for mark in next {
            guard let known = passed[mark.ring.run]?.sequence else { continue }
            if let loss = loss(of: mark.ring.run, after: known, upTo: mark.sequence) { losses.add(loss) }
        }
        // The number of records in it is unknown.
        if !hasHeader, isAfterDamage, passed.all.isEmpty {
            losses.add(SpoolLoss(loss: reason, run: next.last?.ring.run ?? .none, count: 1))
        }
        return losses
    }
}
