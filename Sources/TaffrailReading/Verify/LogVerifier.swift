internal import Taffrail

/// Whether a log has every record that its runs logged: its lines are counted, and held against the index, the queues
/// and the ledger.
///
/// Lines of JSON have their numbers in them. Of text the index knows from which number to which a stretch goes; where
/// it has fewer lines, their count is known and not which ones are missing.
package struct LogVerifier {
    /// The report, one line each.
    package private(set) var report: [String] = []
    /// Whether nothing is lost: what is missing was removed or dropped because that was asked for.
    package private(set) var isComplete = true
    private var isReduced = false

    private let log: LogPath
    private var runs: [RingID: RunCoverage] = [:]
    private var order: [RingID] = []
    /// The last number of each run that the log should have, as far as that is known.
    private var last: [RingID: UInt64] = [:]
    /// Runs that are over and of which there is nothing here.
    private var absent: [Ledger.Ending] = []
    /// Stretches whose last number is not noted, with their counts of lines.
    private var open: [(stretch: LogIndex.Stretch, lines: UInt64, file: String)] = []
    /// When the oldest file starts.
    private var start: Int64?

    /// Looks through one file of a log, whose numbers need not start with 1.
    ///
    /// - Parameter name: Its base name, of a rotated file.
    init(of log: LogPath, only name: String) {
        self.log = log
        do throws(SystemError) {
            try countFiles(only: name)
            closeOpenStretches()
        } catch {
            miss("\(error)")
        }
        let knowledge = DropHistory(of: log)
        for problem in knowledge.problems { miss(problem) }
        for run in order {
            guard let found = runs[run]?.found, let first = found.first, let last = found.last else { continue }
            describe(run, knowledge, within: first.lowerBound...last.upperBound)
        }
        conclude(log.file(name))
    }

    /// Looks through a log.
    init(of log: LogPath) {
        self.log = log
        do throws(SystemError) {
            // Before the files: where runs that go on are by then, the files are as well.
            let ledger = LedgerContents(try LedgerFile(directory: log.state).entries())
            let (rings, problems) = RingNumbers.all(of: log)
            for ending in ledger.endings where ending.destination == log.base { last[ending.run] = ending.records }
            try IndexFile(log).forEachEntry { entry in
                guard case .end(_, _, let run, let number, _, _, base: log.base) = entry, number < UInt64.max / 2 else {
                    return
                }
                last[run] = max(last[run] ?? 0, number)
            }
            for ring in rings { last[ring.run] = max(last[ring.run] ?? 0, max(ring.next, 1) - 1) }
            try countFiles()
            closeOpenStretches()
            for problem in problems { miss(problem) }
            for ring in rings {
                if let numbers = ring.pending { change(ring.run) { $0.add(pending: numbers, isAlive: ring.isAlive) } }
                if ring.damaged > 0 { miss("run \(ring.run): \(ring.damaged) damaged in its queue") }
                if ring.next > 1 { change(ring.run) { _ in } }
            }
            absent = ledger.endings.filter {
                $0.destination == log.base && $0.records > 0 && runs[$0.run] == nil
            }
        } catch {
            miss("\(error)")
        }
        // Behind the files: what is not in them for a reason has that reason noted by now.
        let knowledge = DropHistory(of: log)
        for problem in knowledge.problems { miss(problem) }
        describeAbsent(knowledge)
        for run in order { describe(run, knowledge) }
        conclude(log.live)
    }

    private mutating func conclude(_ path: String) {
        let state =
            !isComplete ? "not complete" : isReduced ? "complete, but for what was removed on purpose" : "complete"
        report.insert("\(path): \(state)", at: 0)
    }

    /// Looks through the logs of paths; also those of which nothing but the ledger's entries is left.
    package static func read(paths: [String]) throws(LogTail.Refusal) -> [LogVerifier] {
        var proofs: [LogVerifier] = []
        for path in paths {
            if let (log, name) = part(path) {
                proofs.append(LogVerifier(of: log, only: name))
                continue
            }
            do throws(LogCatalog.Refusal) {
                var (logs, directory) = try LogCatalog.logs(at: path)
                if let directory {
                    keepKnown(&logs, in: directory)
                    let noted = (try? Ledger.read(directory: directory))?.endings.map(\.destination) ?? []
                    for name in Set(noted).sorted() where !logs.contains(where: { $0.base == name }) {
                        if let log = LogPath(ofLog: directory + "/" + name) { logs.append(log) }
                    }
                }
                proofs += logs.map(settled)
            } catch {
                guard let log = LogPath(ofLog: path),
                    let ledger = try? Ledger.read(directory: log.path),
                    ledger.endings.contains(where: { $0.destination == log.base })
                else { throw LogTail.Refusal(description: error.reason) }
                proofs.append(settled(log))
            }
        }
        return proofs
    }

    /// The log of a rotated file that is named itself.
    private static func part(_ path: String) -> (log: LogPath, name: String)? {
        guard let own = LogPath(ofLog: path), (try? FileStatus.of(path))?.isRegular == true,
            let base = RotatedName.base(of: own.base) ?? NumberedName(own.base)?.base,
            let log = LogPath(ofLog: own.file(base)), IndexEntry.bases(in: log.state).contains(base)
        else { return nil }
        return (log, own.base)
    }

    /// Leaves out files that are no logs: those that neither the index nor the ledger knows and that have no rotated files.
    private static func keepKnown(_ logs: inout [LogPath], in directory: String) {
        var known = IndexEntry.bases(in: directory + "/.taffrail")
        for ending in (try? Ledger.read(directory: directory))?.endings ?? [] { known.insert(ending.destination) }
        let kept = logs.filter { known.contains($0.base) || (try? $0.rotatedNames())?.isEmpty == false }
        if !kept.isEmpty { logs = kept }
    }

    /// Looks through a log; again where something is missing while programs write: what they move meanwhile, as when they
    /// rotate, is not lost.
    private static func settled(_ log: LogPath) -> LogVerifier {
        var wasWritten = isWritten(log)
        var proof = LogVerifier(of: log)
        for _ in 0..<5 where !proof.isComplete {
            let isWritten = isWritten(log)
            guard wasWritten || isWritten else { break }
            wasWritten = isWritten
            proof = LogVerifier(of: log)
        }
        return proof
    }

    /// Whether a run beside the log goes on.
    private static func isWritten(_ log: LogPath) -> Bool {
        Recovery.rings(in: log.state).contains { name in
            if case .readable(let ring) = RingFile.inspect(log.state + "/" + name) { ring.isLocked } else { false }
        }
    }

    /// Reports a line that is a loss, or was asked for.
    private mutating func add(_ line: GapReport.Line) {
        if line.isLoss { return miss("  " + line.text) }
        isReduced = true
        report.append("    " + line.text)
    }

    private mutating func miss(_ text: String) {
        isComplete = false
        report.append("  " + text)
    }

    private mutating func change(_ run: RingID, _ body: (inout RunCoverage) -> Void) {
        if runs[run] == nil { order.append(run) }
        body(&runs[run, default: RunCoverage(run)])
    }

    // MARK: Counting

    private mutating func countFiles(only name: String? = nil) throws(SystemError) {
        var files = LogFiles(log, holds: false)
        var settled = SettledEnd(log)
        try files.arrange(after: nil)
        let live = files.waiting.last?.opened
        if let live { live.limit = try settled.end(of: live.file) }
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
        start = parts.first.flatMap { $0.file.earliest ?? $0.file.stretches.first?.time }
        for (place, part) in parts.enumerated() where name == nil || name == part.label {
            var file = part.file
            let feed: ByteFeed?
            if let numbered = part.numbered {
                let path = log.file(numbered.text)
                let opened = try FileDescriptor(path, [.read, .ownFile])
                feed = try ByteFeed(opened, path: path, isCompressed: numbered.isCompressed)
            } else if file.name == nil {
                // What has been noted of the live file since may be about lines that are not looked at.
                file = file.settled(upTo: live?.limit ?? 0)
                feed = live
            } else {
                feed = files.open(file.name)
            }
            for problem in files.problems { miss(problem) }
            files.problems = []
            if let feed { try count(file, part.label, from: feed, isOldest: place == 0 || name != nil) }
        }
    }

    /// Adds what the index knows of a file whose copy the live one is: its inode is another one.
    private func adopt(into file: inout LogIndex.File, from orphans: inout [LogIndex.Orphan]) {
        let own = file.stretches.first?.start ?? .max
        guard own > 0 else { return }
        let place = orphans.lastIndex { orphan in
            orphan.stretches.allSatisfy { $0.start < own && $0.end ?? 0 <= own }
                && StretchCheck.fits(orphan.stretches, log.live)
        }
        guard let place else { return }
        file.stretches = orphans.remove(at: place).stretches + file.stretches
    }

    /// The files that logrotate has rotated, the oldest first, with what the index knows of them: by their inode, and where
    /// that has changed, as by compression, in the order of their numbers.
    private func numberedFiles(_ orphans: inout [LogIndex.Orphan]) -> [(name: NumberedName, file: LogIndex.File)] {
        let names = NumberedName.all(of: log)
        var known: [String: [LogIndex.Stretch]] = [:]
        for name in names {
            guard let file = try? FileDescriptor(log.file(name.text), [.read, .ownFile]),
                let status = try? file.status()
            else { continue }
            let id = IndexEntry.FileID(file.identity(status))
            guard let place = orphans.firstIndex(where: { $0.file == id }) else { continue }
            known[name.text] = orphans.remove(at: place).stretches
        }
        for name in names.reversed() where known[name.text] == nil { known[name.text] = orphans.popLast()?.stretches }
        return names.map { name in
            let stretches = known[name.text] ?? []
            return (
                name,
                LogIndex.File(
                    name: nil, size: nil, lines: nil, earliest: stretches.first?.time, latest: nil, stretches: stretches
                )
            )
        }
    }

    /// Counts the lines of a file, by stretches or by the numbers that they carry.
    private mutating func count(
        _ file: LogIndex.File, _ name: String, from feed: ByteFeed, isOldest: Bool
    ) throws(SystemError) {
        if let size = file.size, !feed.isCompressed {
            let now = try feed.file.status().size
            if now != size { miss("\(name): \(now) bytes, the index knows \(size)") }
        }
        // What the run had logged before the oldest file that is there.
        let before = isOldest ? file.stretches.first.map { ($0.run, max($0.firstSequence, 1) - 1) } : nil
        if let (run, number) = before { change(run) { $0.origin = number } }
        let reader = LineReader(feed)
        var stretches = file.stretches[...]
        var current: LogIndex.Stretch?
        var lines: UInt64 = 0
        var unnumbered = 0
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
                            miss(
                                "\(name): the lines from byte \(stretch.start) to \(end) are not those that were written"
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
                // Stretches whose lines all have their numbers in them are done with.
                while let later = stretches.dropFirst().first, start >= later.start { stretches.removeFirst() }
                if let next = stretches.first, start >= next.start {
                    end(current, lines, name)
                    (current, lines) = (next, 0)
                    stretches = stretches.dropFirst()
                } else if let known = current?.end, start >= known {
                    end(current, lines, name)
                    (current, lines) = (nil, 0)
                }
                if current == nil { unnumbered += 1 } else { lines += 1 }
            }
        } catch {
            miss("\(error)")
        }
        end(current, lines, name)
        if unnumbered > 0 { miss("\(name): \(unnumbered) lines of which the index knows no number") }
    }

    /// Books a stretch whose lines have been counted.
    private mutating func end(_ stretch: LogIndex.Stretch?, _ lines: UInt64, _ file: String) {
        guard let stretch else { return }
        guard let last = stretch.lastSequence, last >= stretch.firstSequence, last < UInt64.max / 2 else {
            open.append((stretch, lines, file))
            return
        }
        if let known = stretch.lines, known != Int64(lines) {
            miss("\(file): \(lines) lines from byte \(stretch.start) on, the index knows \(known)")
        }
        change(stretch.run) { $0.add(stretch.firstSequence...last, lines: lines, in: file) }
    }

    /// Books stretches whose end is not noted: the run was killed, or is writing. How far the run came tells it,
    /// and where nobody knows that, the lines themselves do.
    private mutating func closeOpenStretches() {
        for (stretch, lines, file) in open where lines > 0 && stretch.firstSequence < UInt64.max / 2 {
            var end = stretch.firstSequence + lines - 1
            let isLast = runs[stretch.run]?.found.last.map { $0.upperBound < stretch.firstSequence } ?? true
            if isLast, let last = last[stretch.run] { end = max(end, last) }
            change(stretch.run) { $0.add(stretch.firstSequence...end, lines: lines, in: file) }
        }
    }

    // MARK: Telling

    /// Runs of which there is nothing here: those that were over before the oldest file starts are told by their count.
    private mutating func describeAbsent(_ knowledge: DropHistory) {
        var removed: [Ledger.Ending] = []
        for ending in absent {
            var account = knowledge.account(of: ending.run)
            account.add(missing: 1...ending.records, behind: 0)
            if account.report.allSatisfy({ !$0.isLoss }) { removed.append(ending) }
        }
        absent.removeAll { removed.contains($0) }
        if !removed.isEmpty {
            let records = removed.reduce(UInt64(0)) { $0 &+ $1.records }
            let text =
                "\(removed.count) \(removed.count == 1 ? "run" : "runs") with \(records) records removed on purpose"
            add(GapReport.Line(text: text, isLoss: false))
        }
        let older = absent.filter { ending in start.map { ending.endedAt.nanoseconds <= $0 } ?? false }
        let records = older.reduce(UInt64(0)) { $0 &+ $1.records }
        if !older.isEmpty {
            miss(
                "\(older.count) \(older.count == 1 ? "run" : "runs") with \(records) records missing: "
                    + "before the oldest file that is there")
        }
        for ending in absent where !older.contains(ending) { change(ending.run) { _ in } }
    }

    /// - Parameter numbers: Those that are looked at; `nil` for all.
    private mutating func describe(
        _ run: RingID, _ knowledge: DropHistory, within numbers: ClosedRange<UInt64>? = nil
    ) {
        let wanted = numbers
        guard let coverage = runs[run] else { return }
        let files = coverage.files.count
        let numbers = coverage.found.first.flatMap { first in
            coverage.found.last.map { GapReport.text(first.lowerBound...$0.upperBound) + ", " }
        }
        report.append(
            "  run \(run): \(numbers ?? "")\(coverage.lines) \(coverage.lines == 1 ? "line" : "lines") in "
                + "\(files) \(files == 1 ? "file" : "files")")
        if let pending = coverage.pending {
            report.append(
                "    \(GapReport.text(pending)) " + (coverage.isAlive ? "queued" : "wait in the queue for recovery"))
        }
        if coverage.doubled > 0 { miss("  \(coverage.doubled) more lines than numbers") }
        var account = knowledge.account(of: run)
        for gap in coverage.gaps(upTo: last[run]) where wanted.map({ $0.contains(gap.lowerBound) }) ?? true {
            account.add(missing: gap, behind: coverage.origin)
        }
        for (range, missing) in coverage.thin { account.add(missing, of: range) }
        for line in account.report where wanted == nil || !line.text.contains("without a number") { add(line) }
        let elsewhere = wanted == nil ? knowledge.lostElsewhere(of: run) : []
        if !elsewhere.isEmpty {
            report.append("    lost by other sinks: \(GapReport.text(elsewhere, among: nil))")
        }
    }
}
