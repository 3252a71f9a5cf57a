internal import Taffrail

/// The lines of a log's files, counted by the runs that logged them.
struct LineCount {
    private let log: LogPath
    private(set) var runs: [RingID: RunCoverage] = [:]
    /// The runs, in the order of their lines.
    private(set) var order: [RingID] = []
    /// The last number of each run that the log should have, if known.
    var last: [RingID: UInt64] = [:]
    /// The start of the oldest file.
    private(set) var start: Int64?
    /// The problems, one line each.
    var problems: [String] = []
    /// The parts of files that cannot be checked, one line each.
    private(set) var limits: [String] = []
    /// Stretches whose last number is not recorded, with their counts of lines.
    private var open: [(stretch: LogIndex.Stretch, lines: UInt64, file: String)] = []

    init(of log: LogPath) { self.log = log }

    /// Records that a run has reached a number.
    mutating func note(last number: UInt64, of run: RingID) { last[run] = max(last[run] ?? 0, number) }

    /// Updates the entry of a run; a new run is appended.
    mutating func change(_ run: RingID, _ body: (inout RunCoverage) -> Void) {
        if runs[run] == nil { order.append(run) }
        body(&runs[run, default: RunCoverage(run)])
    }

    /// Counts the lines of all files, or of one rotated file.
    mutating func countFiles(only name: String? = nil) throws(SystemError) {
        var files = LogFiles(log, holds: false)
        var resolved = ResolvedEnd(log)
        try files.arrange(after: nil)
        let live = files.waiting.last?.opened
        if let live { live.limit = try resolved.end(of: live.file) }
        let names = files.waiting.compactMap(\.name)
        let index = try LogIndex(of: log, rotated: names, live: files.live)
        var orphans = index.orphans
        var parts = index.files.map {
            (label: $0.name?.text(in: log) ?? log.base, numbered: NumberedName?.none, file: $0)
        }
        if let live, !live.isCompressed, let last = parts.indices.last, parts[last].file.name == nil {
            adopt(into: &parts[last].file, from: &orphans)
        }
        let numbered = numberedFiles(&orphans).map { (label: $0.name.text, numbered: Optional($0.name), file: $0.file) }
        parts.insert(contentsOf: numbered, at: parts.last?.file.name == nil ? max(0, parts.count - 1) : parts.count)
        if let name, NumberedName(name)?.isDated == true, !parts.contains(where: { $0.label == name }) {
            problems.append("\(name): not in the index")
        }
        start = parts.first.flatMap { $0.file.earliest ?? $0.file.stretches.first?.time }
        for (partIndex, part) in parts.enumerated() where name == nil || name == part.label {
            var file = part.file
            let feed: ByteFeed?
            if let numbered = part.numbered {
                let path = log.file(numbered.text)
                let opened = try FileDescriptor(path, [.read, .ownFile])
                feed = try ByteFeed(opened, path: path, isCompressed: numbered.isCompressed)
            } else if file.name == nil {
                // Entries recorded since then may be about lines of the live file that are not checked.
                file = file.resolved(upTo: live?.limit ?? 0)
                feed = live
            } else {
                feed = files.open(file.name)
            }
            for problem in files.problems { problems.append(problem) }
            files.problems = []
            if let feed { try count(file, part.label, from: feed, isOldest: partIndex == 0 || name != nil) }
        }
    }

    /// Adds the index entries of the file of which the live file is a copy, with another inode.
    private func adopt(into file: inout LogIndex.File, from orphans: inout [LogIndex.Orphan]) {
        let own = file.stretches.first?.start ?? .max
        guard own > 0 else { return }
        let index = orphans.lastIndex { orphan in
            orphan.stretches.allSatisfy { $0.start < own && $0.end ?? 0 <= own }
                && StretchCheck.fits(orphan.stretches, log.live)
        }
        guard let index else { return }
        let orphan = orphans.remove(at: index)
        file.stretches = orphan.stretches + file.stretches
        file.rests = orphan.rests + file.rests
    }

    /// Returns the files rotated by logrotate, oldest first, with their index entries: matched by inode and, if that
    /// has changed, as by compression, in the order of their numbers. A file with a date must have the lines of the
    /// index.
    private func numberedFiles(_ orphans: inout [LogIndex.Orphan]) -> [(name: NumberedName, file: LogIndex.File)] {
        let names = NumberedName.all(of: log)
        var known: [String: LogIndex.Orphan] = [:]
        for name in names {
            guard let file = try? FileDescriptor(log.file(name.text), [.read, .ownFile]),
                let status = try? file.status()
            else { continue }
            let id = IndexEntry.FileID(file.identity(status))
            guard let index = orphans.firstIndex(where: { $0.file == id }) else { continue }
            known[name.text] = orphans.remove(at: index)
        }
        for name in names.reversed() where name.isDated && known[name.text] == nil {
            let path = log.file(name.text)
            let index = orphans.lastIndex { StretchCheck.fits($0.stretches, path, isCompressed: name.isCompressed) }
            if let index { known[name.text] = orphans.remove(at: index) }
        }
        for name in names.reversed() where !name.isDated && known[name.text] == nil {
            known[name.text] = orphans.popLast()
        }
        let own = names.filter { !$0.isDated || known[$0.text] != nil }
        return own.map { name in
            let stretches = known[name.text]?.stretches ?? []
            return (
                name,
                LogIndex.File(
                    name: nil, size: nil, lines: nil, earliest: stretches.first?.time, latest: nil,
                    stretches: stretches, rests: known[name.text]?.rests ?? [])
            )
        }
    }

    /// Counts the lines of a file, by stretches or by their own numbers.
    private mutating func count(
        _ file: LogIndex.File, _ name: String, from feed: ByteFeed, isOldest: Bool
    ) throws(SystemError) {
        if let size = file.size, !feed.isCompressed {
            let now = try feed.file.status().size
            if now != size { problems.append("\(name): \(now) bytes, but \(size) in the index") }
        }
        // Records that the run logged before the oldest existing file.
        let before = isOldest ? file.stretches.first.map { ($0.run, max($0.firstSequence, 1) - 1) } : nil
        if let (run, number) = before { change(run) { $0.origin = number } }
        let reader = LineReader(feed)
        var stretches = file.stretches[...]
        var current: LogIndex.Stretch?
        var lines: UInt64 = 0
        var unnumbered = 0
        // From this offset on, there may be lines that are not in the index.
        let rest = file.rests.map(\.start).min() ?? .max
        var unindexed: UInt64 = 0
        let json = JSONLineParser()
        var isFirst = isOldest && before == nil
        var sums = file.stretches.filter { $0.sum != nil && $0.end != nil }[...]
        var sum = StretchSum()
        do throws(SystemError) {
            while true {
                let start = reader.offset
                guard try reader.next(takesRest: true) else { break }
                if let stretch = sums.first, let end = stretch.end, start >= stretch.start {
                    if start == stretch.start { sum = StretchSum() }
                    sum.add(reader.lineWithEnding)
                    if reader.offset >= end {
                        if reader.offset != end || sum.value != stretch.sum {
                            problems.append(
                                "\(name): the lines from byte \(stretch.start) to \(end) have been changed"
                            )
                        }
                        sums.removeFirst()
                    }
                }
                if reader.line.first == UInt8(ascii: "{"), let found = json.record(reader.line)?.record,
                    found.sequence > 0
                {
                    let startsLog = isFirst
                    change(found.run) {
                        if startsLog { $0.origin = found.sequence - 1 }
                        $0.add(found.sequence, in: name)
                    }
                    isFirst = false
                    continue
                }
                // Stretches whose lines all have numbers need no further treatment.
                while let later = stretches.dropFirst().first, start >= later.start { stretches.removeFirst() }
                if let next = stretches.first, start >= next.start {
                    end(current, lines, name)
                    (current, lines) = (next, 0)
                    stretches = stretches.dropFirst()
                } else if let stretch = current, start >= stretch.end ?? (stretch.start < rest ? rest : .max) {
                    end(current, lines, name)
                    (current, lines) = (nil, 0)
                }
                if current != nil {
                    lines += 1
                } else if start < rest {
                    unnumbered += 1
                } else {
                    unindexed += 1
                }
            }
        } catch {
            problems.append("\(error)")
        }
        end(current, lines, name)
        if unnumbered > 0 { problems.append("\(name): \(unnumbered) lines that are not in the index") }
        if !file.rests.isEmpty { addUnindexed(unindexed, from: rest, file.rests, name) }
    }

    /// Adds the lines that are not in the index, after their start was recorded.
    ///
    /// - Parameter count: The number of lines that are in no stretch.
    private mutating func addUnindexed(_ count: UInt64, from start: Int64, _ rests: [LogIndex.Rest], _ file: String) {
        // Other runs may have continued after a stretch without an end.
        let endless = open.filter { $0.file == file && $0.stretch.start >= start && $0.stretch.end == nil }
        open.removeAll { $0.file == file && $0.stretch.start >= start && $0.stretch.end == nil }
        let lines = endless.reduce(count) { $0 + $1.lines }
        guard lines > 0 else { return }
        limits.append("\(file): cannot be checked from byte \(start) on, where \(lines) lines are not in the index")
        for rest in rests { change(rest.run) { $0.add(unindexed: lines, from: rest.firstSequence) } }
        for (stretch, _, _) in endless {
            change(stretch.run) { $0.add(unindexed: lines, from: stretch.firstSequence) }
        }
    }

    /// Adds a stretch whose lines have been counted.
    private mutating func end(_ stretch: LogIndex.Stretch?, _ lines: UInt64, _ file: String) {
        guard let stretch else { return }
        guard let last = stretch.lastSequence, last >= stretch.firstSequence, last < UInt64.max / 2 else {
            open.append((stretch, lines, file))
            return
        }
        if let known = stretch.lines, known != Int64(lines) {
            problems.append("\(file): \(lines) lines from byte \(stretch.start), but \(known) in the index")
        }
        change(stretch.run) { $0.add(stretch.firstSequence...last, lines: lines, in: file) }
    }

    /// Adds stretches whose end is not recorded, because the run was killed or is still writing. The last number comes
    /// from the run's progress or, if that is unknown, from the count of lines; for a run with requested drops, which
    /// may be anywhere among the lines, from the next stretch.
    mutating func closeOpenStretches(thinned: Set<RingID> = []) {
        for (stretch, lines, file) in open where lines > 0 && stretch.firstSequence < UInt64.max / 2 {
            var end = stretch.firstSequence + lines - 1
            let next = self.next(of: stretch.run, after: stretch.firstSequence)
            let known = runs[stretch.run]?.found.last?.upperBound ?? 0
            if let next {
                // The next stretch may be open, too: both the run and its recovery were killed.
                if thinned.contains(stretch.run) { end = max(end, next - 1) }
            } else if known < stretch.firstSequence, let last = last[stretch.run] {
                end = max(end, last)
            }
            change(stretch.run) { $0.add(stretch.firstSequence...end, lines: lines, in: file) }
        }
    }

    /// Returns the number at which the next stretch of a run starts.
    private func next(of run: RingID, after number: UInt64) -> UInt64? {
        let known = runs[run]?.found.map(\.lowerBound) ?? []
        return (known + open.filter { $0.stretch.run == run }.map(\.stretch.firstSequence)).filter { $0 > number }.min()
    }
}
