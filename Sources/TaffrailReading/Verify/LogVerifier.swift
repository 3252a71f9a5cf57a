internal import Taffrail

/// Checks whether a log has every record that its runs logged: counts its lines, and compares them with the index, the
/// queues and the ledger.
///
/// JSON lines contain their numbers. For text, the index has the first and last number of each stretch; if a stretch
/// has fewer lines, the number of missing records is known, but not which ones they are.
package struct LogVerifier {
    /// The report, one line each.
    package private(set) var report: [String] = []
    /// Whether nothing is lost: missing records were removed or dropped on purpose.
    package private(set) var isComplete = true
    private var isReduced = false

    private let log: LogPath
    private var lines: LineCount
    /// Ended runs without any records here.
    private var absent: [Ledger.Ending] = []

    /// Checks one file of a log, whose numbers need not start with 1.
    ///
    /// - Parameter name: The base name of a rotated file.
    init(of log: LogPath, only name: String) {
        self.log = log
        lines = LineCount(of: log)
        do throws(SystemError) {
            try lines.countFiles(only: name)
            lines.closeOpenStretches()
        } catch {
            lines.problems.append("\(error)")
        }
        let knowledge = DropHistory(of: log)
        for problem in lines.problems + knowledge.problems { miss(problem) }
        for run in lines.order {
            guard let found = lines.runs[run]?.found, let first = found.first, let last = found.last else { continue }
            describe(run, knowledge, within: first.lowerBound...last.upperBound)
        }
        conclude(log.file(name))
    }

    /// Checks a log.
    init(of log: LogPath) {
        self.log = log
        lines = LineCount(of: log)
        do throws(SystemError) {
            // Read before the files, so that the files include everything that running programs have written by now.
            let ledger = LedgerContents(try LedgerFile(directory: log.state).entries())
            let (rings, problems) = RingNumbers.all(of: log)
            for ending in ledger.endings where ending.destination == log.base {
                lines.last[ending.run] = ending.records
            }
            try IndexFile(directory: log.state).forEachEntry { entry in
                guard case .end(let end, let number, _, _) = entry, end.base == log.base, number < UInt64.max / 2
                else { return }
                lines.note(last: number, of: end.run)
            }
            for ring in rings { lines.note(last: max(ring.next, 1) - 1, of: ring.run) }
            try lines.countFiles()
            lines.closeOpenStretches(
                thinned: Set(ledger.drops.filter { [.filtered, .processor].contains($0.reason) }.map(\.run)))
            lines.problems += problems
            for ring in rings {
                if let numbers = ring.pending {
                    lines.change(ring.run) { $0.add(pending: numbers, isAlive: ring.isAlive) }
                }
                if ring.damaged > 0 {
                    lines.problems.append("run \(ring.run): \(ring.damaged) damaged in its queue")
                }
                if ring.next > 1 { lines.change(ring.run) { _ in } }
            }
            absent = ledger.endings.filter {
                $0.destination == log.base && $0.records > 0 && lines.runs[$0.run] == nil
            }
        } catch {
            lines.problems.append("\(error)")
        }
        // Read after the files, so that the reasons for everything missing from them have been recorded.
        let knowledge = DropHistory(of: log)
        for problem in lines.problems + knowledge.problems { miss(problem) }
        describeAbsent(knowledge)
        for run in lines.order { describe(run, knowledge) }
        conclude(log.live)
    }

    private mutating func conclude(_ path: String) {
        let complete = lines.limits.isEmpty ? "complete" : "complete as far as it can be checked"
        let state =
            !isComplete ? "not complete" : isReduced ? complete + ", except records removed on purpose" : complete
        report.insert(contentsOf: ["\(path): \(state)"] + lines.limits.map { "  " + $0 }, at: 0)
    }

    /// Checks the logs at paths, including those that exist only as entries in the ledger.
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
                    for name in Set(noted + queued(in: directory)).sorted()
                    where !logs.contains(where: { $0.base == name }) {
                        if let log = LogPath(ofLog: directory + "/" + name) { logs.append(log) }
                    }
                }
                proofs += logs.map(checked)
            } catch {
                guard let log = LogPath(ofLog: path),
                    let ledger = try? Ledger.read(directory: log.path),
                    ledger.endings.contains(where: { $0.destination == log.base })
                else { throw LogTail.Refusal(description: error.reason, isDenied: error.isDenied) }
                proofs.append(checked(log))
            }
        }
        return proofs
    }

    /// Returns the base names of a directory's logs for which runs have a queue.
    private static func queued(in directory: String) -> [String] {
        RingPaths(in: directory + "/.taffrail").paths.flatMap { path in
            guard case .readable(let ring) = RingFile.inspect(path) else { return [String]() }
            return RingSinks(ring.header, ringIn: ring.directory).logs(in: directory).map(\.base)
        }
    }

    /// Returns the log of a rotated file given by its own path.
    private static func part(_ path: String) -> (log: LogPath, name: String)? {
        guard let own = LogPath(ofLog: path), (try? FileStatus.of(path))?.isRegular == true,
            let base = RotatedName.base(of: own.base) ?? NumberedName(own.base)?.base,
            let log = LogPath(ofLog: own.file(base)), IndexFile.bases(in: log.state).contains(base)
        else { return nil }
        return (log, own.base)
    }

    /// Omits files that are not logs: those without rotated files that are in neither the index nor the ledger.
    private static func keepKnown(_ logs: inout [LogPath], in directory: String) {
        var known = IndexFile.bases(in: directory + "/.taffrail")
        for ending in (try? Ledger.read(directory: directory))?.endings ?? [] { known.insert(ending.destination) }
        let kept = logs.filter { known.contains($0.base) || (try? $0.rotatedNames())?.isEmpty == false }
        if !kept.isEmpty { logs = kept }
    }

    /// Checks a log, and repeats the check if records are missing while programs write: records that are moved during
    /// the check, for example by rotation, are not lost.
    private static func checked(_ log: LogPath) -> LogVerifier {
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

    /// Returns whether a run next to the log is alive.
    private static func isWritten(_ log: LogPath) -> Bool {
        RingPaths(in: log.state).paths.contains { path in
            if case .readable(let ring) = RingFile.inspect(path) { ring.isLocked } else { false }
        }
    }

    /// Reports a line about a loss, or about a reduction on purpose.
    private mutating func add(_ line: GapReport.Line) {
        if line.isLoss { return miss("  " + line.text) }
        if !line.isUnknown { isReduced = true }
        report.append("    " + line.text)
    }

    private mutating func miss(_ text: String) {
        isComplete = false
        report.append("  " + text)
    }

    // MARK: Report

    /// Reports runs without any records here: those that ended before the oldest file starts are reported as a count.
    private mutating func describeAbsent(_ knowledge: DropHistory) {
        var removed: [Ledger.Ending] = []
        for ending in absent {
            var account = knowledge.account(of: ending.run)
            account.add(missing: 1...ending.records, origin: 0)
            if account.report.allSatisfy({ !$0.isLoss }) { removed.append(ending) }
        }
        absent.removeAll { removed.contains($0) }
        if !removed.isEmpty {
            let records = removed.reduce(UInt64(0)) { $0 &+ $1.records }
            let text = "\(CountText.text(removed.count, "run")) with \(records) records removed on purpose"
            add(GapReport.Line(text: text, isLoss: false))
        }
        let older = absent.filter { ending in lines.start.map { ending.endedAt.nanoseconds <= $0 } ?? false }
        let records = older.reduce(UInt64(0)) { $0 &+ $1.records }
        if !older.isEmpty {
            miss(
                "\(CountText.text(older.count, "run")) with \(records) records missing: "
                    + "before the oldest file")
        }
        for ending in absent where !older.contains(ending) { lines.change(ending.run) { _ in } }
    }

    /// Reports which records of a run the files have, and which are missing.
    ///
    /// - Parameter numbers: The checked numbers; `nil` for all.
    private mutating func describe(
        _ run: RingID, _ knowledge: DropHistory, within numbers: ClosedRange<UInt64>? = nil
    ) {
        let wanted = numbers
        guard let coverage = lines.runs[run] else { return }
        let amount = "\(CountText.text(coverage.lines, "line")) in \(CountText.text(coverage.files.count, "file"))"
        guard coverage.isNumbered else { return report.append("  \(amount), written without a queue") }
        let numbers = coverage.found.first.flatMap { first in
            coverage.found.last.map { GapReport.text(first.lowerBound...$0.upperBound) + ", " }
        }
        report.append("  run \(run): \(numbers ?? "")\(amount)")
        if let pending = coverage.pending {
            report.append(
                "    \(GapReport.text(pending)) " + (coverage.isAlive ? "queued" : "in the queue, waiting for recovery")
            )
        }
        if coverage.doubled > 0 { miss("  \(coverage.doubled) more lines than numbered records") }
        var account = knowledge.account(of: run)
        for gap in coverage.gaps(upTo: lines.last[run]) where wanted.map({ $0.contains(gap.lowerBound) }) ?? true {
            account.add(missing: gap, origin: coverage.origin, unindexed: coverage.unindexed)
        }
        for (range, missing) in coverage.thin { account.add(missing, of: range) }
        for line in account.report where wanted == nil || !line.isUnnumbered { add(line) }
        let elsewhere = wanted == nil ? knowledge.lostElsewhere(of: run) : []
        if !elsewhere.isEmpty {
            report.append("    lost by other sinks: \(GapReport.text(elsewhere, among: nil))")
        }
    }
}

extension IndexFile {
    /// Returns the base names of the logs in the index of a state directory; none when it cannot be read.
    fileprivate static func bases(in directory: String) -> Set<String> {
        var bases: Set<String> = []
        try? IndexFile(directory: directory).forEachEntry { entry in
            if case .start(let start, _, _) = entry { bases.insert(start.base) }
        }
        return bases
    }
}
