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
    /// The marks of everything read so far.
    private var passed = SpoolMarks()
    /// Whether data between the last frame and the position is unreadable.
    private var isAfterDamage = false
    /// The runs that have been read since a part was unreadable; `nil`: none was.
    private var readSince: Set<RingID>?
    /// Whether ``passed`` includes everything before the position.
    private var isKnown = false
    /// The end of the last batch.
    private var lastEnd: SpoolPosition?
    /// The start of the last batch, and the state there.
    private var before: (position: SpoolPosition, passed: SpoolMarks, isAfterDamage: Bool, readSince: Set<RingID>?)?
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
                if isGap { readSince = [] }
                position = SpoolPosition(segment: info.number)
            }
            let isStart = !isKnown
            do throws(SystemError) { try open(info, in: view.directory, at: position.offset, &batch.losses) } catch {
                // A segment that has been deleted or is unreadable must not prevent the others from being sent.
                guard error.isMissing || error.isDenied || error.code == Errno.inputOutput,
                    index + 1 < view.segments.count, batch.count == 0
                else { throw error }
                noteDamage()
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
                let next = view.segments[index + 1]
                if next.number > info.number + 1 && !next.isAfterDrop { readSince = [] }
                position = SpoolPosition(segment: next.number)
            case .damage(let until):
                if batch.count > 0 { break reading }
                noteDamage()
                position = SpoolPosition(segment: info.number, offset: until)
            case .frame(let frame):
                let isOther = frame.run != batch.run || frame.again != batch.again
                if batch.count > 0 && (isAfterDamage || isOther) { break reading }
                if let loss = lossBefore(frame, at: position) { batch.losses.append(loss) }
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
                passed.note(frame.mark)
                position = after
            }
        }
        if batch.count == 0 {
            batch.start = position
            if isAfterDamage, position.offset > 0, isAtEnd(position, view) {
                batch.losses.append(unknownLoss(at: position))
                isAfterDamage = false
            }
        }
        batch.end = position
        lastEnd = position
        return batch
    }

    /// Prepares for reading from a position: the end of the last batch, or its start.
    private mutating func resume(at position: SpoolPosition) {
        if lastEnd != position {
            if let before, before.position == position {
                passed = before.passed
                isAfterDamage = before.isAfterDamage
                readSince = before.readSince
            } else {
                // Everything before the position is unknown.
                passed = SpoolMarks()
                isAfterDamage = false
                readSince = nil
                isKnown = false
                lastEnd = nil
            }
            if lastEnd == nil || segment?.number != position.segment { segment = nil }
        }
        before = (position, passed, isAfterDamage, readSince)
    }

    private mutating func noteDamage() {
        isAfterDamage = true
        readSince = []
    }

    private func records(
        of header: SpoolFrame, in segment: SpoolSegment, at position: SpoolPosition
    ) throws(SystemError) -> FrameRecords {
        if let frame, frame.position == position { return frame.records }
        let (payload, isIntact) = try segment.payload(of: header, at: position.offset)
        return FrameRecords(payload, of: header, isIntact: isIntact)
    }

    private func unknownLoss(at position: SpoolPosition) -> SpoolLoss {
        SpoolLoss(loss: .unreadable, run: passed.all.last?.ring.run ?? .none, count: 1, position: position)
    }

    private func isAtEnd(_ position: SpoolPosition, _ view: SpoolView) -> Bool {
        guard let last = view.segments.last else { return true }
        return position.segment == last.number && position.offset >= last.size
    }

    /// Opens a segment, and notes the marks before an offset.
    ///
    /// - Parameter losses: Receives the unread part of the segments before it, according to its header.
    private mutating func open(
        _ info: SpoolView.Segment, in directory: String, at offset: Int64, _ losses: inout [SpoolLoss]
    ) throws(SystemError) {
        guard segment?.number != info.number else { return }
        let opened = try SpoolSegment.open(info.number, in: directory)
        let header = try opened.header()
        headerEnd = header?.length ?? Int64(SpoolSegment.fixedSize)
        for mark in header?.marks.all ?? [] {
            let known = passed[mark.ring.run]?.sequence ?? 0
            guard known < mark.sequence else { continue }
            if isKnown && !info.isAfterDrop {
                losses.append(
                    SpoolLoss(
                        loss: .unreadable, run: mark.ring.run, count: mark.sequence - known,
                        sequences: known + 1...mark.sequence, position: SpoolPosition(segment: info.number)))
                isAfterDamage = false
            }
            passed.set(mark)
        }
        if header == nil && offset == 0 { noteDamage() }
        var reached = isKnown ? offset : headerEnd
        isKnown = true
        while reached < offset {
            switch try opened.find(at: reached, size: info.size) {
            case .frame(let frame):
                guard reached + Int64(frame.length) <= offset else { break }
                passed.note(frame.mark)
                readSince?.insert(frame.run)
                reached += Int64(frame.length)
                continue
            case .damage(let until):
                readSince = []
                reached = until
                continue
            case .end: break
            }
            break
        }
        segment = opened
    }

    /// Returns the records missing before a frame that follows damage.
    private mutating func lossBefore(_ frame: SpoolFrame, at position: SpoolPosition) -> SpoolLoss? {
        guard frame.kind == .records || frame.kind == .dropped else { return nil }
        let isNext = isAfterDamage
        isAfterDamage = false
        guard readSince?.insert(frame.run).inserted == true else { return nil }
        // The first records of a run may have had another sink, unless they directly follow the damage.
        guard let last = passed[frame.run]?.sequence ?? (isNext ? 0 : nil) else { return nil }
        guard frame.first > last &+ 1 else { return nil }
        return SpoolLoss(
            loss: .unreadable, run: frame.run, count: frame.first - last - 1, sequences: last + 1...frame.first - 1,
            position: position)
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
