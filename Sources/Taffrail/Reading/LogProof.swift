internal import Glibc

/// Whether a log has every record that its runs logged: its lines are counted, and held against the index, the queues
/// and the ledger.
///
/// Lines of JSON have their numbers in them. Of text the index knows from which number to which a stretch goes; where
/// it has fewer lines, their count is known and not which ones are missing.
package struct LogProof {
    /// The report, one line each.
    package private(set) var report: [String] = []
    /// Whether nothing is missing.
    package private(set) var isComplete = true

    private let log: LogDirectory
    private var runs: [RingID: RunCoverage] = [:]
    private var order: [RingID] = []
    /// The last number of each run that the log should have, as far as that is known.
    private var last: [RingID: UInt64] = [:]
    /// Runs that are over and of which there is nothing here.
    private var absent: [Ledger.Ending] = []
    /// Stretches whose last number nobody has noted, with the lines that they have.
    private var open: [(stretch: LogIndex.Stretch, lines: UInt64, file: String)] = []
    /// When the oldest file starts.
    private var start: Int64?

    /// Looks through a log.
    init(of log: LogDirectory) {
        self.log = log
        do throws(SystemError) {
            // Before the files: where runs that go on are by then, the files are as well.
            let ledger = Ledger(try LedgerFile(directory: log.state).entries())
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
                if let numbers = ring.pending { change(ring.run) { $0.add(pending: numbers) } }
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
        let knowledge = DropKnowledge(of: log)
        for problem in knowledge.problems { miss(problem) }
        describeAbsent()
        for run in order { describe(run, knowledge) }
        report.insert("\(log.live): \(isComplete ? "complete" : "not complete")", at: 0)
    }

    /// Looks through the logs of paths; also those of which nothing but the ledger's entries is left.
    package static func read(paths: [String]) throws(LogTail.Refusal) -> [LogProof] {
        var proofs: [LogProof] = []
        for path in paths {
            do throws(LogCatalog.Refusal) {
                var (logs, directory) = try LogCatalog.logs(at: path)
                if let directory {
                    let noted = (try? Ledger.read(directory: directory))?.endings.map(\.destination) ?? []
                    for name in Set(noted).sorted() where !logs.contains(where: { $0.base == name }) {
                        if let log = LogDirectory(ofLog: directory + "/" + name) { logs.append(log) }
                    }
                }
                proofs += logs.map(settled)
            } catch {
                guard let log = LogDirectory(ofLog: path),
                    let ledger = try? Ledger.read(directory: log.path),
                    ledger.endings.contains(where: { $0.destination == log.base })
                else { throw LogTail.Refusal(description: error.reason) }
                proofs.append(settled(log))
            }
        }
        return proofs
    }

    /// Looks through a log; again where something is missing while programs write: what they move meanwhile, as when they
    /// rotate, is not lost.
    private static func settled(_ log: LogDirectory) -> LogProof {
        var wasWritten = isWritten(log)
        var proof = LogProof(of: log)
        for _ in 0..<5 where !proof.isComplete {
            let isWritten = isWritten(log)
            guard wasWritten || isWritten else { break }
            wasWritten = isWritten
            proof = LogProof(of: log)
        }
        return proof
    }

    /// Whether a run beside the log goes on.
    private static func isWritten(_ log: LogDirectory) -> Bool {
        Recovery.rings(in: log.state).contains { name in
            if case .dead(let ring) = DeadRing.look(at: log.state + "/" + name) { ring.isLocked } else { false }
        }
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

    private mutating func countFiles() throws(SystemError) {
        var files = LogFiles(log, holds: false)
        var settled = SettledEnd(log)
        try files.arrange(after: nil)
        let live = files.waiting.last?.opened
        if let live { live.limit = try settled.end(of: live.file) }
        let names = files.waiting.compactMap(\.name)
        let index = try LogIndex(of: log, rotated: names, live: files.live)
        start = index.files.first.flatMap { $0.earliest ?? $0.stretches.first?.time }
        for (place, file) in index.files.enumerated() {
            // What has been noted of the live file since may be about lines that are not looked at.
            let file = file.name == nil ? file.settled(upTo: live?.limit ?? 0) : file
            let feed = file.name == nil ? live : files.open(file.name)
            for problem in files.problems { miss(problem) }
            files.problems = []
            if let feed { try count(file, from: feed, isOldest: place == 0) }
        }
    }

    /// Counts the lines of a file, by stretches or by the numbers that they carry.
    private mutating func count(_ file: LogIndex.File, from feed: ByteFeed, isOldest: Bool) throws(SystemError) {
        let name = file.name?.text(in: log) ?? log.base
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
        do throws(SystemError) {
            while true {
                let start = reader.offset
                guard try reader.next(takesRest: true) else { break }
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

    /// Books stretches whose end nobody has noted: the run was killed, or is writing. How far the run came tells it,
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
    private mutating func describeAbsent() {
        let older = absent.filter { ending in start.map { ending.endedAt.nanoseconds <= $0 } ?? false }
        let records = older.reduce(UInt64(0)) { $0 &+ $1.records }
        if !older.isEmpty {
            miss(
                "\(older.count) \(older.count == 1 ? "run" : "runs") with \(records) records missing: "
                    + "before the oldest file that is there")
        }
        for ending in absent where !older.contains(ending) { change(ending.run) { _ in } }
    }

    private mutating func describe(_ run: RingID, _ knowledge: DropKnowledge) {
        guard let coverage = runs[run] else { return }
        let files = coverage.files.count
        let numbers = coverage.found.first.flatMap { first in
            coverage.found.last.map { RunAccount.text(first.lowerBound...$0.upperBound) + ", " }
        }
        report.append(
            "  run \(run): \(numbers ?? "")\(coverage.lines) \(coverage.lines == 1 ? "line" : "lines") in "
                + "\(files) \(files == 1 ? "file" : "files")")
        if let pending = coverage.pending {
            report.append("    \(RunAccount.text(pending)) wait in the queue for recovery")
        }
        if coverage.doubled > 0 { miss("  \(coverage.doubled) more lines than numbers") }
        var account = knowledge.account(of: run)
        for gap in coverage.gaps(upTo: last[run]) { account.add(missing: gap, behind: coverage.origin) }
        for (range, missing) in coverage.thin { account.add(missing, of: range) }
        for line in account.report { miss("  " + line) }
    }
}
