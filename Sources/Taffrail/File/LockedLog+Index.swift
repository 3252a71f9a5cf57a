extension LockedLog {
    /// A stretch of lines that this sink is writing, one block right behind the other.
    struct OpenStretch {
        let file: FileIdentity
        var extent: LineBlock.Extent
        var sum = StretchSum()
        /// The file's size behind it.
        var end: Int64
    }

    /// How many stretches of one file are noted. Where many processes take turns there would be more index than log.
    private static let stretchLimit = 256

    /// Notes where a stretch starts, unless the block goes on right behind the one before.
    mutating func indexBlock(_ extent: LineBlock.Extent, in live: LiveFile, at start: Int64) {
        guard state != nil else { return }
        if let stretch, stretch.end == start, stretch.extent.run == extent.run, stretch.file == live.identity { return }
        var entries = endOfStretch()
        if live.stretches < Self.stretchLimit {
            live.stretches += 1
            entries.append(
                .start(
                    file: IndexEntry.FileID(live.identity), offset: start, run: extent.run,
                    sequence: extent.firstSequence, time: extent.earliest, base: log.base))
            stretch = OpenStretch(file: live.identity, extent: LineBlock.Extent(), end: start)
            stretch?.extent.run = extent.run
        }
        note(entries)
    }

    /// Counts a block that has been written.
    mutating func countBlock(_ block: UnsafeRawBufferPointer, _ extent: LineBlock.Extent, in live: LiveFile, end: Int64)
    {
        if var stretch {
            stretch.extent.lastSequence = extent.lastSequence
            stretch.extent.lines += extent.lines
            stretch.extent.latest = max(stretch.extent.latest, extent.latest)
            stretch.end = end
            stretch.sum.add(block)
            self.stretch = stretch
        }
        state?.count(extent)
    }

    /// Ends the open stretch in the index; for when the sink lets go of the file.
    mutating func indexEnd() { note(endOfStretch()) }

    /// Notes that the live file has got its rotated name.
    mutating func indexRotation(of live: LiveFile, as name: RotatedName, size: Int64) {
        guard let state else { return }
        let counts = state.counts
        let entry = IndexEntry.rotated(
            file: IndexEntry.FileID(live.identity), size: size, lines: counts?.lines, earliest: counts?.earliest,
            latest: counts?.latest, name: name.text(in: log))
        note(endOfStretch() + [entry])
    }

    /// Brings the index in order, once for each opening.
    mutating func tidyIndex() {
        guard let state else { return }
        let log = log
        attempt { () throws(SystemError) in
            try state.withIndexLock { () throws(SystemError) in try IndexUpkeep(log).run() }
        }
    }

    private mutating func endOfStretch() -> [IndexEntry] {
        guard let stretch else { return [] }
        self.stretch = nil
        guard stretch.extent.lines > 0 else { return [] }
        return [
            .end(
                file: IndexEntry.FileID(stretch.file), offset: stretch.end, run: stretch.extent.run,
                sequence: stretch.extent.lastSequence, lines: Int64(stretch.extent.lines), time: stretch.extent.latest,
                base: log.base),
            .sum(
                file: IndexEntry.FileID(stretch.file), offset: stretch.end, run: stretch.extent.run,
                sum: stretch.sum.value, base: log.base),
        ]
    }

    /// Appends to the index. What fails there is made up for later: the log goes on.
    private mutating func note(_ entries: [IndexEntry]) {
        guard let state, !entries.isEmpty else { return }
        let index = IndexFile(log)
        attempt { () throws(SystemError) in
            try state.withIndexLock { () throws(SystemError) in try index.append(entries) }
        }
    }

    private mutating func attempt(_ body: () throws(SystemError) -> Void) {
        do throws(SystemError) {
            try body()
        } catch {
            if !hasSaidIndexFails { notice("\(log.base): the index is incomplete: \(error)") }
            hasSaidIndexFails = true
        }
    }
}
