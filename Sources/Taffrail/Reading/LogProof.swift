internal import Glibc

/// Whether a log has every record that its runs logged: its lines are counted, and held against the index, the queues and
/// what is known of drops.
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
    /// Stretches whose last number nobody has noted, with the lines that they have.
    private var open: [(stretch: LogIndex.Stretch, lines: UInt64, file: String)] = []

    /// Looks through a log.
    ///
    /// - Parameter isRaw: Whether queues of programs with processors are looked at as well.
    init(of log: LogDirectory, isRaw: Bool) {
        self.log = log
        do throws(SystemError) {
            let index = try LogIndex(of: log)
            let rings = RingSet(of: log)
            for (place, file) in index.files.enumerated() { try count(file, isOldest: place == 0) }
            closeOpenStretches(rings)
            var problems: [String] = []
            for ring in rings.read(isRaw: isRaw, onlyDead: false, report: { problems.append($0) }) {
                if let numbers = ring.sequences { change(ring.run) { $0.add(pending: numbers) } }
            }
            for problem in problems { miss(problem) }
        } catch {
            miss("\(error)")
        }
        let knowledge = DropKnowledge(of: log)
        for problem in knowledge.problems { miss(problem) }
        for run in order { describe(run, knowledge) }
        report.insert("\(log.live): \(isComplete ? "complete" : "not complete")", at: 0)
    }

    /// Looks through the logs of paths.
    package static func read(paths: [String], isRaw: Bool) throws(LogTail.Refusal) -> [LogProof] {
        var proofs: [LogProof] = []
        for path in paths {
            do throws(LogCatalog.Refusal) {
                proofs += try LogCatalog.logs(at: path).logs.map { LogProof(of: $0, isRaw: isRaw) }
            } catch {
                throw LogTail.Refusal(description: error.reason)
            }
        }
        return proofs
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

    /// Counts the lines of a file, by stretches or by the numbers that they carry.
    private mutating func count(_ file: LogIndex.File, isOldest: Bool) throws(SystemError) {
        var files = LogFiles(log, holds: false)
        var settled = SettledEnd(log)
        let name = file.name?.text(in: log) ?? log.base
        let feed: ByteFeed?
        if let rotated = file.name {
            feed = files.open(rotated)
        } else {
            try files.arrange(after: nil)
            feed = files.waiting.last?.opened
        }
        for problem in files.problems { miss(problem) }
        guard let feed else { return }
        if file.name == nil { feed.limit = try settled.end(of: feed.file) }
        if let size = file.size, !feed.isCompressed {
            let now = try feed.file.status().size
            if now != size { miss("\(name): \(now) bytes, the index knows \(size)") }
        }
        let reader = LineReader(feed)
        var stretches = file.stretches[...]
        var current: LogIndex.Stretch?
        var lines: UInt64 = 0
        var unnumbered = 0
        let json = JSONLineParser()
        var isFirst = isOldest
        do throws(SystemError) {
            while true {
                let start = reader.offset
                guard try reader.next(takesRest: true) else { break }
                if reader.line.first == UInt8(ascii: "{"), let found = json.record(reader.line)?.record,
                    found.sequence > 0
                {
                    let startsLog = isFirst
                    change(found.run) {
                        if startsLog { $0.startsWithLog = true }
                        $0.add(found.sequence, in: name)
                    }
                    isFirst = false
                    continue
                }
                // Stretches whose lines all have their numbers in them are done with.
                while let later = stretches.dropFirst().first, start >= later.start { stretches.removeFirst() }
                if let next = stretches.first, start >= next.start {
                    end(current, lines, name, isFirst)
                    isFirst = isFirst && current == nil
                    (current, lines) = (next, 0)
                    stretches = stretches.dropFirst()
                } else if let known = current?.end, start >= known {
                    end(current, lines, name, isFirst)
                    isFirst = false
                    (current, lines) = (nil, 0)
                }
                if current == nil { unnumbered += 1 } else { lines += 1 }
            }
        } catch {
            miss("\(error)")
        }
        end(current, lines, name, isFirst)
        if unnumbered > 0 { miss("\(name): \(unnumbered) lines of which the index knows no number") }
    }

    /// Books a stretch whose lines have been counted.
    private mutating func end(_ stretch: LogIndex.Stretch?, _ lines: UInt64, _ file: String, _ isFirst: Bool) {
        guard let stretch else { return }
        change(stretch.run) { if isFirst { $0.startsWithLog = true } }
        guard let last = stretch.lastSequence, last >= stretch.firstSequence else {
            open.append((stretch, lines, file))
            return
        }
        if let known = stretch.lines, known != Int64(lines) {
            miss("\(file): \(lines) lines from byte \(stretch.start) on, the index knows \(known)")
        }
        change(stretch.run) { $0.add(stretch.firstSequence...last, lines: lines, in: file) }
    }

    /// Books stretches whose end nobody has noted: the run was killed, or is writing. The next number that is known
    /// tells it, and where none is, the lines themselves do.
    private mutating func closeOpenStretches(_ rings: RingSet) {
        for (stretch, lines, file) in open where lines > 0 {
            let counted = stretch.firstSequence + lines - 1
            let next = rings.nextUnwritten(of: stretch.run)
            let isLast = runs[stretch.run]?.found.last.map { $0.upperBound < stretch.firstSequence } ?? true
            let last = isLast ? next.map { max($0, stretch.firstSequence + 1) - 1 } ?? counted : counted
            change(stretch.run) { $0.add(stretch.firstSequence...last, lines: lines, in: file) }
        }
    }

    // MARK: Telling

    private mutating func describe(_ run: RingID, _ knowledge: DropKnowledge) {
        guard let coverage = runs[run], let first = coverage.found.first, let end = coverage.found.last else { return }
        let files = coverage.files.count
        report.append(
            "  run \(run): \(Self.text(first.lowerBound...end.upperBound)), \(coverage.lines) "
                + (coverage.lines == 1 ? "line" : "lines") + " in \(files) \(files == 1 ? "file" : "files")")
        if let pending = coverage.pending {
            report.append("    \(Self.text(pending)) wait in the queue for recovery")
        }
        if coverage.doubled > 0 { miss("  \(coverage.doubled) more lines than numbers") }
        for gap in coverage.gaps(upTo: knowledge.lastNumber(of: run)) {
            let count = gap.upperBound - gap.lowerBound + 1
            if gap.lowerBound == 1, coverage.startsWithLog, !knowledge.knows(run, gap) {
                miss("  \(Self.text(gap)) missing: before the oldest file that is there")
            } else {
                miss("  \(Self.text(gap)) missing: " + knowledge.explain(run, gap, count))
            }
        }
        for (range, missing) in coverage.thin {
            miss("  \(missing) of \(Self.text(range)) missing: " + knowledge.explain(run, range, missing))
        }
        for text in knowledge.unnumbered(run) { miss("  " + text) }
    }

    private static func text(_ range: ClosedRange<UInt64>) -> String {
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    }
}
