internal import Taffrail
internal import TaffrailText

/// The lines of all files of a log, in order, and lines that are added later.
final class LogLines: LineSource {
    let log: LogPath
    private let range: LineRange
    private let follows: Bool
    private var files: LogFiles
    /// The indexed properties of the files, by their names; `nil` is the live one.
    private var known: [RotatedName?: LogIndex.File] = [:]
    // Only one thread uses the source; run-time checks of exclusive access would take a tenth of the time of reading.
    @exclusivity(unchecked) private var reader: LineReader<ByteFeed>?
    /// The indexed properties of the current file.
    private var entry: LogIndex.File?
    private var state = State.rotated
    private var resolved: ResolvedEnd
    @exclusivity(unchecked) private var clock = LineClock()
    private(set) var head = LineHead()
    var fallbackTime: Int64 { clock.fallbackTime }
    private var problems: [String] = []
    /// The end of reading in the live file, if it is not followed.
    private var liveEnd: Int64?
    /// Whether a line was so late that no later line can be in the range.
    private var isPastEnd = false

    @exclusivity(unchecked) private var expected = ExpectedLines()

    /// The state of reading.
    private enum State {
        case rotated
        case live
        /// A file that is no longer the live file: its lines, while no new live file exists.
        case moved
        /// A replaced live file: also the remainder after its last newline.
        case left
    }

    /// Creates a source without opening anything.
    init(_ log: LogPath, range: LineRange = LineRange(), follows: Bool = false) {
        self.log = log
        self.range = range
        self.follows = follows
        files = LogFiles(log, holds: follows)
        resolved = ResolvedEnd(log)
    }

    /// Finds the files, from the start.
    func open() {
        reader = nil
        do throws(SystemError) { try files.arrange(after: nil) } catch { return problems.append("\(error)") }
        do throws(SystemError) {
            let index = try LogIndex(of: log, rotated: files.waiting.compactMap(\.name), live: files.live)
            for file in index.files { known[file.name?.compressed(.none)] = file }
        } catch {
            // Without an index, all lines are read; only the owner of a log may be permitted to read it.
            if !error.isDenied { problems.append("\(error)") }
        }
    }

    /// Returns the resolved length of the live file before reading; `nil` if it does not exist.
    func resolvedEnd() -> Int64? {
        guard let part = files.waiting.last, part.name == nil, let feed = part.opened else { return nil }
        return try? resolved.end(of: feed.file)
    }

    /// Whether the open file is still the live file.
    var isCurrent: Bool {
        let there = try? FileStatus.of(log.live)
        return there?.inode == files.live?.inode && there?.device == files.live?.device
    }

    /// Limits reading of the live file.
    func setLiveEnd(_ end: Int64?) { liveEnd = end }

    /// Skips lines that a recovery writes for ring records that have already been shown.
    func expect(_ rings: [RingLines]) { for ring in rings { expected.add(ring) } }

    // MARK: Lines

    private(set) var line = UnsafeRawBufferPointer(start: nil, count: 0)

    func next() -> Bool {
        while !isPastEnd {
            do throws(SystemError) {
                guard let reader else {
                    guard try openNext() else { return false }
                    continue
                }
                if state == .live, reader.feed.offset >= reader.feed.limit { reader.feed.limit = try liveLimit(reader) }
                if try reader.next(takesRest: state == .rotated || state == .left || !follows) {
                    line = reader.line
                    head = clock.readHead(of: line)
                    if !expected.isEmpty, expected.take(line, head) { continue }
                    guard let time = head.time, range.isPast(time) else { return true }
                    try passOn(reader)
                    continue
                }
                guard try resume(after: reader) else { return false }
            } catch {
                problems.append("\(error)")
                // Skip what cannot be read; a live file is retried when it grows.
                guard state == .rotated else { return false }
                reader = nil
            }
        }
        return false
    }

    /// After a line later than the range, continues where the index has an earlier line, such as one that a recovery
    /// wrote between the lines of other programs.
    private func passOn(_ reader: LineReader<ByteFeed>) throws(SystemError) {
        var size = try reader.feed.file.status().size
        if reader.feed.isCompressed { size = entry?.size ?? .max }
        if !follows, let next = entry?.start(after: reader.offset, size: size, where: { !range.isPast($0) }) {
            guard !reader.feed.isCompressed else { return }
            reader.feed.seek(to: next)
            self.reader = LineReader(reader.feed)
        } else if state == .rotated {
            self.reader = nil
        } else {
            isPastEnd = true
        }
    }

    private func liveLimit(_ reader: LineReader<ByteFeed>) throws(SystemError) -> Int64 {
        follows ? try resolved.end(of: reader.feed.file) : liveEnd ?? .max
    }

    /// Handles the end of the available lines. Returns `false` if there are no more for now.
    private func resume(after reader: LineReader<ByteFeed>) throws(SystemError) -> Bool {
        switch state {
        case .rotated: self.reader = nil
        case .live:
            guard follows else { return false }
            return try checkLive(reader)
        case .moved:
            guard try FileStatus.of(log.live) != nil else { return false }
            state = isCurrent ? .live : .left
        case .left:
            let name = try files.rotatedName(of: reader.feed.file)
            try files.arrange(after: name ?? files.lastName)
            self.reader = nil
        }
        return true
    }

    /// Returns whether the live file has grown, been truncated, or been replaced.
    private func checkLive(_ reader: LineReader<ByteFeed>) throws(SystemError) -> Bool {
        guard !reader.feed.isCompressed else { return false }
        guard isCurrent else {
            // Rotation follows the last block, so the whole file is resolved.
            state = .moved
            reader.feed.limit = .max
            return true
        }
        let size = try reader.feed.file.status().size
        if size < reader.offset {
            problems.append("\(log.live): truncated; continuing at its start")
            reader.feed.seek(to: 0)
            self.reader = LineReader(reader.feed)
            return true
        }
        let limit = try resolved.end(of: reader.feed.file)
        guard limit > reader.feed.offset else { return false }
        reader.feed.limit = limit
        return true
    }

    // MARK: Files

    /// Opens the next file with lines in the range. Returns `false` if there is currently none.
    private func openNext() throws(SystemError) -> Bool {
        if files.waiting.isEmpty, follows, try FileStatus.of(log.live) != nil {
            try files.arrange(after: files.lastName)
        }
        while !files.waiting.isEmpty {
            let part = files.waiting.removeFirst()
            entry = known[part.name?.compressed(.none)]
            if part.name != nil, part.offset == nil, !range.touches(earliest: entry?.earliest, latest: entry?.latest) {
                continue
            }
            guard let feed = part.opened ?? files.open(part.name) else { continue }
            if part.name == nil, part.offset == nil, !follows, try isAfterRange(feed, entry) { continue }
            try clock.set(by: feed, entry)
            if let offset = part.offset {
                if !feed.isCompressed { feed.seek(to: offset) }
            } else if !(try seek(feed, isLive: part.name == nil, entry)) {
                continue
            }
            state = part.name == nil ? .live : .rotated
            feed.limit = part.name == nil ? feed.offset : .max
            reader = LineReader(feed)
            return true
        }
        return false
    }

    /// Returns whether, according to the index, all of a live file is later than the range.
    private func isAfterRange(_ live: ByteFeed, _ entry: LogIndex.File?) throws(SystemError) -> Bool {
        guard let entry, !entry.stretches.isEmpty else { return false }
        return entry.start(after: 0, size: try live.file.status().size, where: { !range.isPast($0) }) == nil
    }

    /// Seeks to the start of the range in a file. Returns `false` if the file has no lines in the range.
    private func seek(_ feed: ByteFeed, isLive: Bool, _ entry: LogIndex.File?) throws(SystemError) -> Bool {
        guard let since = range.since, !feed.isCompressed else { return true }
        let size = try feed.file.status().size
        var search = LogSearch(feed, size: size, zone: clock.zone)
        if let entry, !entry.stretches.isEmpty {
            let (part, first) = entry.part(since: since, size: size)
            feed.seek(to: try search.offset(of: since, in: part, earliest: first))
            return true
        }
        guard let first = try search.firstTime(from: 0, to: .max), let last = try search.lastTime() else { return true }
        // If the clock was set back, times do not ascend; the index may show that.
        let slack = LogSearch.disorder
        let earliest = isLive ? first : entry?.earliest ?? first
        let latest = isLive ? last : entry?.latest ?? last
        guard earliest >= first.subtractingClamped(slack), latest <= last.addingClamped(slack),
            first <= last.addingClamped(slack)
        else { return true }
        if !isLive, last < since.subtractingClamped(slack) { return false }
        feed.seek(to: try search.offset(of: since, in: 0..<size, earliest: first))
        return true
    }

    func skipToLast(_ count: Int, where isWanted: (UnsafeRawBufferPointer, LineHead) -> Bool) {
        var found = 0
        for index in files.waiting.indices.reversed() {
            if found >= count, index < files.waiting.count - 1 {
                files.waiting.removeFirst(index + 1)
                return
            }
            let part = files.waiting[index]
            guard let feed = part.opened ?? files.open(part.name) else { continue }
            do throws(SystemError) {
                if feed.isCompressed {
                    files.waiting[index].offset = 0
                    found += try wanted(in: feed, where: isWanted)
                } else {
                    let end: Int64
                    if part.name == nil {
                        if let liveEnd { end = liveEnd } else { end = try resolved.end(of: feed.file) }
                    } else {
                        end = try feed.file.status().size
                    }
                    var search = LogSearch(feed, size: end, zone: clock.zone)
                    let (offset, more) = try search.offset(ofLast: count - found, before: end, where: isWanted)
                    files.waiting[index].offset = offset
                    found += more
                }
            } catch {
                // Read it from its start, which reports the problem.
                files.waiting[index].offset = 0
            }
        }
    }

    /// Returns the number of wanted lines of a compressed file, which must be read to count them.
    private func wanted(
        in feed: ByteFeed, where isWanted: (UnsafeRawBufferPointer, LineHead) -> Bool
    ) throws(SystemError) -> Int {
        let file = try FileDescriptor(feed.path, [.read, .ownFile])
        let reader = LineReader(try ByteFeed(file, path: feed.path, isCompressed: true))
        var count = 0
        while try reader.next(takesRest: true) {
            let head = clock.heads.read(reader.line)
            if head.time != nil, isWanted(reader.line, head) { count += 1 }
        }
        return count
    }

    func takeProblems() -> [String] {
        defer {
            problems = []
            files.problems = []
        }
        return problems + files.problems
    }
}
