package import Taffrail

/// Reads the records of a spool, in order, while it is being written.
///
/// Confined to one thread.
package struct SpoolReader {
    /// The limits of a read.
    package struct Limits: Sendable {
        package var records = 8192
        package var bytes = 1 << 20
        /// Records whose frame was written before this time have expired, ns since 1970.
        package var expiry = Int64.min
        /// The position at which to stop at the latest.
        package var end: SpoolPosition?

        package init(
            records: Int = 8192, bytes: Int = 1 << 20, expiry: Int64 = .min, end: SpoolPosition? = nil
        ) {
            self.records = records
            self.bytes = bytes
            self.expiry = expiry
            self.end = end
        }
    }

    private var segment: SpoolSegment?
    /// The end of the header of the open segment.
    private var headerEnd: Int64 = 0
    private var gaps = SpoolGaps(.unreadable)
    /// Whether ``gaps`` includes everything before the position.
    private var isKnown = false
    /// The end of the last batch.
    private var lastEnd: SpoolPosition?
    /// The start of the last batch, and the state there.
    private var before: (position: SpoolPosition, gaps: SpoolGaps, isKnown: Bool)?
    /// The last frame, if only some of its records were taken.
    private var frame: (position: SpoolPosition, records: FrameRecords)?

    package init() {}

    /// Reads some records of one run, starting at the cursor; returns a batch without records at the end.
    package mutating func read(_ view: SpoolView, _ limits: Limits) throws(SystemError) -> SpoolBatch {
        var position = view.cursor.position
        resume(at: position)
        var batch = SpoolBatch()
        var isGap = false
        batch.start = position
        batch.end = position
        reading: while batch.count < limits.records && batch.bytes.count < limits.bytes {
            if let end = limits.end, position >= end { break }
            guard let index = view.segments.firstIndex(where: { $0.number >= position.segment }) else { break }
            let info = view.segments[index]
            if info.number != position.segment {
                // Segments are missing.
                isGap = position.segment > 0 && !info.isAfterDrop
                position = SpoolPosition(segment: info.number)
            }
            let isStart = !isKnown
            do throws(SystemError) { try open(info, in: view.directory, at: position.offset, &batch.losses) } catch {
                // A segment that has been deleted or is unreadable must not prevent the others from being sent.
                guard error.isMissing || error.isDenied || error.code == Errno.inputOutput,
                    index + 1 < view.segments.count, batch.count == 0
                else { throw error }
                gaps.addDamage(SpoolGaps.unknownSize)
                position = SpoolPosition(segment: view.segments[index + 1].number)
                continue
            }
            // Without anything before them, the number of their records is unknown.
            if isGap && isStart { batch.losses.append(unknownLoss(at: position)) }
            isGap = false
            if position.offset < headerEnd { position = SpoolPosition(segment: info.number, offset: headerEnd) }
            guard let segment else { break }
            switch try segment.find(at: position.offset, size: info.size) {
            case .end:
                guard index + 1 < view.segments.count else { break reading }
                position = SpoolPosition(segment: view.segments[index + 1].number)
            case .damage(let until):
                if batch.count > 0 { break reading }
                gaps.addDamage(until - position.offset)
                position = SpoolPosition(segment: info.number, offset: until)
            case .frame(let frame):
                let isOther = frame.run != batch.run || frame.again != batch.again
                if batch.count > 0 && (gaps.isAfterDamage || isOther) { break reading }
                // What is missing before a frame of which the first records were taken is in the ledger.
                if let loss = gaps.pass(frame), position.index == 0 {
                    batch.losses.append(loss.found(at: position))
                }
                let after = SpoolPosition(segment: info.number, offset: position.offset + Int64(frame.length))
                if frame.kind != .dropped && limits.end == nil && frame.time < limits.expiry {
                    if batch.count > 0 { break reading }
                    batch.losses.add(SpoolLoss(frame, .expired, at: position))
                } else if frame.kind != .dropped {
                    let records = try records(of: frame, in: segment, at: position)
                    let next = Self.take(records, of: frame, at: position, into: &batch, limits)
                    if let loss = records.loss(at: position, upTo: next) { batch.losses.append(loss) }
                    if let next {
                        position.index = next
                        self.frame = (position, records)
                        break reading
                    }
                    self.frame = nil
                }
                position = after
            }
        }
        if batch.count == 0 {
            batch.start = position
            if gaps.isAfterDamage, position.offset > 0, isAtEnd(position, view) {
                batch.losses.append(unknownLoss(at: position))
                gaps.isAfterDamage = false
            }
        }
        batch.end = position
        lastEnd = position
        return batch
    }

    /// Prepares for reading from a position: the end of the last batch, or its start, also after an error.
    private mutating func resume(at position: SpoolPosition) {
        if lastEnd != position {
            if let before, before.position == position {
                (gaps, isKnown) = (before.gaps, before.isKnown)
            } else {
                // Everything before the position is unknown.
                gaps = SpoolGaps(.unreadable)
                isKnown = false
            }
            if !isKnown || segment?.number != position.segment { segment = nil }
        }
        before = (position, gaps, isKnown)
        lastEnd = nil
    }

    private func records(
        of header: SpoolFrame, in segment: SpoolSegment, at position: SpoolPosition
    ) throws(SystemError) -> FrameRecords {
        if let frame, frame.position == position { return frame.records }
        let (payload, isIntact) = try segment.payload(of: header, at: position.offset)
        return FrameRecords(payload, of: header, isIntact: isIntact)
    }

    private func unknownLoss(at position: SpoolPosition) -> SpoolLoss {
        SpoolLoss(loss: .unreadable, run: gaps.passed.all.last?.ring.run ?? .none, count: 1, position: position)
    }

    private func isAtEnd(_ position: SpoolPosition, _ view: SpoolView) -> Bool {
        guard let last = view.segments.last else { return true }
        return position.segment == last.number && position.offset >= last.size
    }

    /// Opens a segment, and passes what it has before an offset, if that is not known.
    ///
    /// - Parameter losses: Receives the unread part of the segments before it, according to its header.
    private mutating func open(
        _ info: SpoolView.Segment, in directory: String, at offset: Int64, _ losses: inout [SpoolLoss]
    ) throws(SystemError) {
        guard segment?.number != info.number else { return }
        let opened = try SpoolSegment.open(info.number, in: directory)
        let header = try opened.header()
        headerEnd = header?.length ?? Int64(SpoolSegment.fixedSize)
        let isAfterOthers = isKnown && !info.isAfterDrop
        if let header, offset == 0 || !isKnown {
            let missing = gaps.pass(header)
            if isAfterOthers, !missing.isEmpty {
                losses += missing.map { $0.found(at: SpoolPosition(segment: info.number)) }
                gaps.isAfterDamage = false
            }
        } else if header == nil, offset == 0 {
            // The end of the segment before it may be missing, too.
            gaps.addDamage(isAfterOthers ? SpoolGaps.unknownSize : headerEnd)
        }
        if !isKnown { try pass(opened, upTo: offset, size: info.size) }
        isKnown = true
        segment = opened
    }

    /// Passes what a segment has before an offset. Losses there are in the ledger.
    private mutating func pass(_ segment: SpoolSegment, upTo offset: Int64, size: Int64) throws(SystemError) {
        var reached = headerEnd
        while reached < offset {
            switch try segment.find(at: reached, size: size) {
            case .frame(let frame):
                guard reached + Int64(frame.length) <= offset else { return }
                _ = gaps.pass(frame)
                reached += Int64(frame.length)
            case .damage(let until):
                gaps.addDamage(until - reached)
                reached = until
            case .end: return
            }
            gaps.isAfterDamage = false
        }
    }

    /// Takes records of a frame, starting at the index of the position.
    ///
    /// - Returns: The index of the first record not taken; `nil` when all were.
    private static func take(
        _ records: FrameRecords, of frame: SpoolFrame, at position: SpoolPosition, into batch: inout SpoolBatch,
        _ limits: Limits
    ) -> Int? {
        var here = position
        let end = limits.end.flatMap {
            ($0.segment, $0.offset) == (position.segment, position.offset) ? $0.index : nil
        }
        for record in records.intact(from: position.index) {
            if let end, record.index >= end { return end }
            here.index = record.index
            let isTooMuch = batch.count > 0 && batch.bytes.count + record.range.count > limits.bytes
            if isTooMuch || batch.count >= limits.records { return record.index }
            if batch.count == 0 {
                batch.run = frame.run
                batch.again = frame.again
                batch.first = record.sequence
                batch.time = frame.time
                batch.start = here
            }
            batch.bytes += records.bytes[record.range]
            batch.last = record.sequence
            batch.count += 1
        }
        return end
    }
}
