internal import Taffrail

/// How far a spool has been read in each run, and the damage since then: from both, the missing records are derived.
struct SpoolGaps {
    private let reason: SinkBook.Loss
    /// The marks of everything read so far.
    private(set) var passed: SpoolMarks
    /// Whether they include what was read before, as far as an intact header has it.
    private var isStartKnown: Bool
    /// Whether data directly before the next frame is unreadable.
    var isAfterDamage = false
    /// The number of unreadable bytes since the last intact header of a segment.
    private var damage: Int64 = 0
    /// The same number at the last frame of each run since that header.
    private var damageBefore: [RingID: Int64] = [:]

    /// Stands for damage of unknown size: larger than any segment.
    static let unknownSize: Int64 = 1 << 40

    /// - Parameter passed: The marks in the header of the first segment; `nil` if it is unknown.
    init(_ reason: SinkBook.Loss, passed: SpoolMarks? = nil) {
        self.reason = reason
        self.passed = passed ?? SpoolMarks()
        isStartKnown = passed != nil
    }

    var hasDamage: Bool { damage > 0 }

    /// Passes some bytes that cannot be read.
    mutating func addDamage(_ bytes: Int64) {
        isAfterDamage = true
        damage += bytes
    }

    /// Passes the intact header of a segment, whose marks include everything before it.
    ///
    /// - Returns: The records that the segments before it should have had.
    mutating func pass(_ header: SpoolSegment.Header) -> [SpoolLoss] {
        damage = 0
        damageBefore = [:]
        isStartKnown = true
        return header.marks.all.compactMap { pass($0) }
    }

    /// Passes a mark in the header of a segment.
    ///
    /// - Returns: The records missing up to it. Their number has no limit: the end of a segment may be missing, too.
    mutating func pass(_ mark: SpoolMarks.Mark) -> SpoolLoss? {
        let loss = loss(of: mark.ring.run, after: passed[mark.ring.run]?.sequence ?? 0, upTo: mark.sequence)
        if loss != nil { passed.set(mark) }
        return loss
    }

    /// Passes a frame.
    ///
    /// - Returns: The records missing before it, if it follows damage.
    mutating func pass(_ frame: SpoolFrame) -> SpoolLoss? {
        guard let mark = frame.mark else { return nil }
        // The first records of a run may have had another sink, unless they directly follow the damage.
        let isNext = isAfterDamage
        let known = passed[frame.run]?.sequence ?? (isNext && isStartKnown ? 0 : nil)
        isAfterDamage = false
        passed.set(mark)
        let damaged = damage - (damageBefore.updateValue(damage, forKey: frame.run) ?? 0)
        // Fewer bytes are no frame.
        guard damaged >= Int64(SpoolFrame.headerSize), frame.first > 1 else { return nil }
        guard let known else { return isNext ? SpoolLoss(loss: reason, run: frame.run, count: 1) : nil }
        guard var loss = loss(of: frame.run, after: known, upTo: frame.first - 1) else { return nil }
        // A filter leaves out numbers, too: at most as many records are missing as the damaged bytes could contain.
        let most = (damaged - Int64(SpoolFrame.headerSize)) / Int64(RecordBuffer.smallestRecord)
        loss.count = min(loss.count, UInt64(max(1, most)))
        return loss
    }

    private func loss(of run: RingID, after known: UInt64, upTo last: UInt64) -> SpoolLoss? {
        guard known < last else { return nil }
        return SpoolLoss(loss: reason, run: run, count: last - known, sequences: known + 1...last)
    }
}
