internal import Taffrail

/// Collects the losses of a segment that is dropped, from its frames and their numbers.
struct SegmentLosses {
    private let reason: SinkBook.Loss
    private let hasHeader: Bool
    /// The marks in the next segment's header.
    private let next: [SpoolMarks.Mark]
    private var losses: [SpoolLoss] = []
    private var gaps: SpoolGaps

    init(_ reason: SinkBook.Loss, header: SpoolSegment.Header?, next: [SpoolMarks.Mark]) {
        self.reason = reason
        self.next = next
        hasHeader = header != nil
        gaps = SpoolGaps(reason, passed: header?.marks)
        if !hasHeader { gaps.addDamage(Int64(SpoolSegment.fixedSize)) }
    }

    /// Passes some bytes that cannot be read.
    mutating func addDamage(_ bytes: Int64) { gaps.addDamage(bytes) }

    /// Adds a frame, and the records missing before it.
    ///
    /// - Parameter start: The position before which nothing is lost.
    mutating func add(_ frame: SpoolFrame, at position: SpoolPosition, from start: SpoolPosition) {
        // No frame is missing if the header alone is damaged.
        if !hasHeader, position.offset <= SpoolSegment.headerLength(marks: next.count) { gaps.isAfterDamage = false }
        if let loss = gaps.pass(frame), position.offset > start.offset { losses.add(loss) }
        guard frame.kind != .dropped, position.offset >= start.offset else { return }
        var position = position
        if position.offset == start.offset { position.index = start.index }
        losses.add(SpoolLoss(frame, reason, at: position))
    }

    /// Returns all losses, including those at the end.
    func all() -> [SpoolLoss] {
        guard gaps.hasDamage else { return losses }
        var (losses, gaps) = (losses, gaps)
        // The unreadable end is derived from the next segment's header.
        for mark in next where gaps.passed[mark.ring.run] != nil {
            if let loss = gaps.pass(mark) { losses.add(loss) }
        }
        // The number of records in it is unknown.
        if !hasHeader, gaps.isAfterDamage, gaps.passed.all.isEmpty {
            losses.add(SpoolLoss(loss: reason, run: next.last?.ring.run ?? .none, count: 1))
        }
        return losses
    }
}
