internal import Taffrail

/// The contents of a spool's segments, as needed to open the spool.
struct SpoolScan {
    /// How far the spool has got in each run.
    private(set) var marks = SpoolMarks()
    /// The last segment, open for appending; `nil` if there is none, or its header is damaged.
    private(set) var active: SpoolSegment?
    /// The frame at the end of the spool, if it counts dropped records.
    private(set) var dropped: (frame: SpoolFrame, offset: Int64)?
    /// The identity of the dead letters that were appended last, as far as it is known.
    private(set) var lastAgain: UInt64 = 0
    /// The last state in a frame.
    private(set) var state: (generation: UInt64, bytes: [UInt8])?

    /// Reads the newest segment that has an intact header and those after it; truncates a partial write left by a kill.
    ///
    /// Parts that cannot be read or truncated are left unchanged: they must not prevent a program from starting. If the
    /// last segment has such a part, a new one follows it.
    ///
    /// - Parameter open: Opens a segment by its number, the last one for appending.
    init(
        _ segments: inout [SpoolView.Segment],
        open: (_ number: UInt64, _ isLast: Bool) throws(SystemError) -> SpoolSegment
    ) {
        var from = segments.count
        while from > 0 {
            from -= 1
            guard let segment = try? open(segments[from].number, false), let header = try? segment.header() else {
                continue
            }
            marks = header.marks
            break
        }
        for index in from..<segments.count {
            let info = segments[index]
            let isLast = index == segments.count - 1
            guard let segment = try? open(info.number, isLast) else { continue }
            let header = try? segment.header()
            let start = header?.length ?? Int64(SpoolSegment.fixedSize)
            guard let end = try? scan(segment, from: start, size: info.size), isLast, header != nil else { continue }
            if end < info.size {
                guard (try? segment.file.truncate(to: end)) != nil else { continue }
                segments[index].size = end
            }
            active = segment
        }
        if active == nil { dropped = nil }
    }

    /// Adds the frames of a segment.
    ///
    /// - Returns: The end of its last frame, or of the damage after that. A partial write left by a kill does not
    ///   count: it is shorter than its header demands, or its header is incomplete.
    private mutating func scan(
        _ segment: SpoolSegment, from start: Int64, size: Int64
    ) throws(SystemError) -> Int64 {
        var offset = start
        dropped = nil
        while true {
            switch try segment.find(at: offset, size: size) {
            case .end: return min(offset, max(start, size))
            case .damage(let until):
                if until >= size && Self.isTorn(segment, at: offset) { return offset }
                offset = until
                dropped = nil
                if offset >= size { return size }
            case .frame(let frame):
                // Damaged records are offered again while the queue has them, unless that sends the rest twice.
                let (payload, isIntact) = try segment.payload(of: frame, at: offset)
                // The state must belong to the same time as the position.
                let counts =
                    isIntact
                    || frame.stateLength == 0 && !FrameRecords(payload, of: frame, isIntact: false).all.isEmpty
                if counts { marks.note(frame.mark) }
                if isIntact, let found = try segment.state(of: frame, at: offset) { state = found }
                if frame.kind == .again { lastAgain = frame.position }
                dropped = frame.kind == .dropped ? (frame, offset) : nil
                offset += Int64(frame.length)
            }
        }
    }

    private static func isTorn(_ segment: SpoolSegment, at offset: Int64) -> Bool {
        guard let bytes = try? segment.file.read(SpoolFrame.headerSize, at: offset) else { return true }
        if bytes.count < SpoolFrame.headerSize { return true }
        // A complete header whose payload the file does not have, or a write left incomplete by a power loss.
        return bytes.withUnsafeBytes { SpoolFrame($0) } != nil || bytes.allSatisfy { $0 == 0 }
    }
}
