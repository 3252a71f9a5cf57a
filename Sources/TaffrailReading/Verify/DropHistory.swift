internal import Taffrail

/// The recorded drops that a log lacks: those in the ledger and, for runs whose rings exist, those in the ring headers,
/// which are newer (the core's decision 0008).
struct DropHistory {
    /// Read errors.
    private(set) var problems: [String] = []
    private let log: LogPath
    private var ledger = LedgerContents([])
    private var drops: [RingID: [Ledger.Drop]] = [:]
    private var queues: [RingID: QueueStatus] = [:]
    private var removals: [Ledger.Removal] = []

    init(of log: LogPath) {
        self.log = log
        do throws(SinkError) {
            // Read in this order: when a run ends in between, its counts move from its ring to the ledger.
            let status = try QueueStatus.read(directory: log.path)
            for queue in status.queues { queues[queue.run] = queue }
            ledger = try Ledger.read(directory: log.path)
            drops = Dictionary(grouping: ledger.drops, by: \.run)
        } catch {
            problems.append(error.reason)
        }
        removals = ledger.removals.filter {
            $0.reason == .cleared ? $0.file == log.base : RotatedName($0.file, of: log) != nil
        }
        if ledger.unreadable > 0 { problems.append("\(ledger.unreadable) invalid lines in the ledger") }
    }

    /// Returns the recorded gaps of one run.
    func account(of run: RingID) -> GapReport {
        let own = drops[run]?.filter { isOurs($0, of: run) } ?? []
        return GapReport(
            drops: own + unnoted(of: run, known: own), unwritten: unwritten(by: run),
            removals: removals.filter { $0.run == run },
            // Lines written without a queue have no run either, but are known.
            hasUnknownRemovals: removals.contains { $0.run == .none && $0.first == nil })
    }

    /// Returns records that other sinks lost after accepting them, which this log does not lack.
    func lostElsewhere(of run: RingID) -> [Ledger.Drop] {
        drops[run]?.filter { $0.reason.isAfterWrite && !isOurs($0, of: run) } ?? []
    }

    /// Returns drops counted in a ring but not yet in the ledger, without numbers.
    private func unnoted(of run: RingID, known: [Ledger.Drop]) -> [Ledger.Drop] {
        guard let queue = queues[run] else { return [] }
        var found: [Ledger.Drop] = []
        func add(_ reason: DropReason, _ count: UInt64, levels: [Level: UInt64] = [:], sink: String = "") {
            guard count > 0 else { return }
            found.append(
                Ledger.Drop(
                    run: run, time: queue.startedAt, reason: reason, sink: sink, sequences: nil, count: count,
                    levels: levels))
        }
        func noted(_ reasons: Set<DropReason>) -> UInt64 {
            known.reduce(0) { reasons.contains($1.reason) ? $0 &+ $1.count : $0 }
        }
        func rest(_ counted: UInt64, _ noted: UInt64) -> UInt64 { counted > noted ? counted - noted : 0 }
        for (reason, levels) in queue.droppedByReason.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            var left: [Level: UInt64] = [:]
            for (level, count) in levels {
                let noted = known.reduce(UInt64(0)) { $1.reason == reason ? $0 &+ ($1.levels[level] ?? 0) : $0 }
                if count > noted { left[level] = count - noted }
            }
            add(reason, left.values.reduce(0, &+), levels: left)
        }
        add(.processor, rest(queue.filtered, noted([.processor])))
        if let sink = queue.sink(of: log) {
            add(.sinkLagging, rest(sink.lost, noted([.sinkLagging, .refused])), sink: sink.name)
            add(.filtered, rest(sink.filtered, noted([.filtered])), sink: sink.name)
        }
        return found
    }

    /// Returns whether records that a sink dropped may be missing from this log. They may if the name of this log's
    /// sink is unknown, unless the sink had written them: a log's sink does not lose records that it has written.
    private func isOurs(_ drop: Ledger.Drop, of run: RingID) -> Bool {
        let sink = drop.sink
        if sink.isEmpty { return true }
        if let own = queues[run]?.sink(of: log) { return LedgerEntry.word(own.name) == LedgerEntry.word(sink) }
        let ending = ledger.endings.last { $0.run == run && $0.destination == log.base }
        if let ending, !ending.sink.isEmpty { return LedgerEntry.word(ending.sink) == LedgerEntry.word(sink) }
        if sink == "file:" + log.base || isNamedByPath(sink) { return true }
        let other = ledger.endings.last { $0.run == run }
        let first = queues[run].map { ($0.logSink, $0.destination) } ?? other.map { ($0.sink, $0.destination) }
        let isFirst = first.map { LedgerEntry.word($0.0) == LedgerEntry.word(sink) } ?? false
        return !isFirst && !sink.hasPrefix("file:") && !drop.reason.isAfterWrite
    }

    /// Returns whether a sink is named by the path of this log, as the sink of a second log with the same base name is.
    /// A long name is shortened.
    private func isNamedByPath(_ sink: String) -> Bool {
        guard sink.hasPrefix("file:/") else { return false }
        let path = String(sink.dropFirst("file:".utf8.count))
        return DestinationPath.resolved(path) == DestinationPath.resolved(log.live)
            || LedgerEntry.word(sink) == LedgerEntry.word(SinkNames.stored("file:" + log.live))
    }

    /// Returns the numbers that the run assigned while its configuration did not have this log.
    private func unwritten(by run: RingID) -> [ClosedRange<UInt64>] {
        var ranges: [ClosedRange<UInt64>] = []
        var start: UInt64? = nil
        var isFirst = true
        for change in ledger.logChanges where change.run == run && change.log == log.base {
            if isFirst && change.isWritten { start = 1 }
            isFirst = false
            if change.isWritten {
                if let start, start < change.from { ranges.append(start...(change.from - 1)) }
                start = nil
            } else if start == nil {
                start = change.from
            }
        }
        if let start { ranges.append(start...UInt64.max) }
        return ranges
    }
}

extension DropReason {
    /// Whether the sink had accepted the record before it was lost.
    fileprivate var isAfterWrite: Bool { SinkBook.Loss.allCases.contains { $0.reason == self } }
}
