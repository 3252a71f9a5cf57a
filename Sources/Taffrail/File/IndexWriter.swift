/// Records in a log's index what this sink has written to its files. Requires the log's lock.
struct IndexWriter {
    /// A stretch of lines that this sink is writing, in contiguous blocks.
    private struct OpenStretch {
        let file: FileIdentity
        var extent: LineBlock.Extent
        var sum = StretchSum()
        /// The file's size after it.
        var end: Int64
    }

    /// The lines being written that are not in the index yet.
    private var stretch: OpenStretch?
    private var hasReportedFailure = false
    private var rotations = 0
    private let notice: @Sendable (String) -> Void

    /// The maximum number of stretches of one file to record. With many alternating processes the index would outgrow
    /// the log.
    private static let stretchLimit = 256
    /// After how many rotations to remove deleted files from the index.
    private static let tidyInterval = 256

    init(notice: @escaping @Sendable (String) -> Void) { self.notice = notice }

    /// Records the start of a stretch, unless the block directly follows the previous one. At the limit it records that
    /// the run's other lines in the file are not in the index; again if the file has been truncated.
    mutating func begin(_ block: LineBlock.Extent, in live: LiveFile, at start: Int64, _ state: LogState?) {
        guard let state else { return }
        if let stretch, stretch.end == start, stretch.extent.run == block.run, stretch.file == live.identity { return }
        var entries = endOfStretch(state)
        let boundary = IndexEntry.Boundary(
            file: IndexEntry.FileID(live.identity), offset: start, run: block.run, base: state.log.base)
        if live.stretches < Self.stretchLimit {
            live.stretches += 1
            entries.append(.start(at: boundary, sequence: block.firstSequence, time: block.earliest))
            stretch = OpenStretch(file: live.identity, extent: LineBlock.Extent(run: block.run), end: start)
        } else if live.unindexedStart.map({ start < $0 }) ?? true {
            live.unindexedStart = start
            entries.append(.unindexed(at: boundary, sequence: block.firstSequence))
        }
        note(entries, state)
    }

    mutating func count(_ block: UnsafeRawBufferPointer, _ extent: LineBlock.Extent, end: Int64) {
        guard var stretch else { return }
        stretch.extent.lastSequence = extent.lastSequence
        stretch.extent.lines += extent.lines
        stretch.extent.latest = max(stretch.extent.latest, extent.latest)
        stretch.end = end
        stretch.sum.add(block)
        self.stretch = stretch
    }

    /// Ends the open stretch in the index, before the sink closes the file.
    mutating func end(_ state: LogState?) {
        guard let state else { return }
        note(endOfStretch(state), state)
    }

    /// Discards the open stretch, which belongs to the process that this one was forked from.
    mutating func forget() { stretch = nil }

    /// Records that the live file has been renamed to its rotated name.
    mutating func noteRotation(of live: LiveFile, as name: RotatedName, size: Int64, _ state: LogState?) {
        guard let state else { return }
        let counts = state.counts
        let entry = IndexEntry.rotated(
            file: IndexEntry.FileID(live.identity), size: size, lines: counts?.lines, earliest: counts?.earliest,
            latest: counts?.latest, name: name.text(in: state.log))
        note(endOfStretch(state) + [entry], state)
    }

    /// Maintains the index, once after each opening.
    mutating func tidy(_ state: LogState?) {
        guard let state else { return }
        attempt(state) { () throws(SystemError) in try IndexUpkeep(log: state.log).run() }
    }

    /// Counts a rotation, and maintains the index after many.
    mutating func tidyAfterRotation(_ state: LogState?) {
        rotations += 1
        if rotations % Self.tidyInterval == 0 { tidy(state) }
    }

    private mutating func endOfStretch(_ state: LogState) -> [IndexEntry] {
        guard let stretch else { return [] }
        self.stretch = nil
        guard stretch.extent.lines > 0 else { return [] }
        let extent = stretch.extent
        let boundary = IndexEntry.Boundary(
            file: IndexEntry.FileID(stretch.file), offset: stretch.end, run: extent.run, base: state.log.base)
        return [
            .end(at: boundary, sequence: extent.lastSequence, lines: Int64(extent.lines), time: extent.latest),
            .sum(at: boundary, stretch.sum.value),
        ]
    }

    /// Appends to the index. Failures are corrected later: the log continues.
    private mutating func note(_ entries: [IndexEntry], _ state: LogState) {
        guard !entries.isEmpty else { return }
        attempt(state) { () throws(SystemError) in try IndexFile(directory: state.log.state).append(entries) }
    }

    private mutating func attempt(_ state: LogState, _ body: () throws(SystemError) -> Void) {
        do throws(SystemError) {
            try StateFile.withIndexLock(of: state.log, body)
        } catch {
            if !hasReportedFailure { notice("\(state.log.base): the index is incomplete: \(error)") }
            hasReportedFailure = true
        }
    }
}
