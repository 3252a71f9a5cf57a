/// The entries of one run's writer for one ledger, added up so that little is written.
struct LedgerBook {
    let file: LedgerFile
    private let header: RingHeader
    /// The entries not yet written, in the order of the ledger.
    private var sums: [Sum] = []
    /// The records withheld by the filters of sinks. The ring's header has it at once; the ledger gets it only when the
    /// book is closed or a sink is removed, because a sink for errors would add a line every second.
    private var filtered: [Sum] = []
    private var changes: [LedgerEntry] = []
    /// The known drops of callers, by column and level.
    private var noted = [SIMD8<UInt64>](repeating: .zero, count: DropReason.ofCallers.count)
    /// The earliest time of the next write, on the monotonic clock.
    private var due: Int64 = 0
    private var hasReportedFailure = false
    /// Whether the ledger contained the end of the run, and thus everything, before this book: another one could not be
    /// written then, or the process was killed before it removed the ring.
    private var isClosed = false

    /// The records of an entry.
    private struct Sum {
        let reason: DropReason
        let sink: String
        var tally: DropTally

        /// Whether the numbers of the records are known: those of other records must not be taken for all.
        var isNumbered: Bool { tally.sequences != nil }
        var order: (String, String) { (reason.rawValue + (isNumbered ? "" : " "), sink) }
    }

    /// How long entries are added up before they are written, in nanoseconds.
    static let interval: Int64 = 1_000_000_000

    /// Creates the book of a new run.
    init(_ file: LedgerFile, of header: RingHeader) {
        self.file = file
        self.header = header
    }

    /// Creates the book of a run that ended without closing it: entries of its header that the ledger lacks are added.
    init(_ file: LedgerFile, ofDead header: RingHeader) throws(SystemError) {
        self.init(file, of: header)
        var known: [Ledger.Drop] = []
        for entry in try file.entries() {
            if case .end(let ending)? = entry, ending.run == header.run { isClosed = true }
            if case .drop(let drop)? = entry, drop.run == header.run { known.append(drop) }
        }
        for drop in known where drop.reason == .shed || DropReason.ofCallers.contains(drop.reason) {
            for (level, count) in drop.levels { noted[drop.reason.column][Int(level.rawValue)] &+= count }
        }
        func add(_ counted: UInt64, _ reason: DropReason, or other: DropReason? = nil, sink: String = "") {
            var rest = counted
            for drop in known where drop.sink == sink && (drop.reason == reason || drop.reason == other) {
                rest -= min(rest, drop.count)
            }
            note(DropTally(rest, level: nil), reason, sink: sink)
        }
        add(header.filtered, .processor)
        for slot in 0..<RingHeader.sinkSlots {
            let name = header.name(ofSlot: slot)
            guard !name.isEmpty else { continue }
            add(header.lost(inSlot: slot), .sinkLagging, or: .refused, sink: name)
            add(header.filtered(inSlot: slot), .filtered, sink: name)
        }
    }

    /// Adds an entry. ``write(at:)`` writes it.
    mutating func note(_ tally: DropTally, _ reason: DropReason, sink: String = "") {
        guard tally.count > 0, !isClosed else { return }
        let sum = Sum(reason: reason, sink: sink, tally: tally)
        if reason == .filtered { Self.add(sum, to: &filtered) } else { Self.add(sum, to: &sums) }
    }

    private static func add(_ sum: Sum, to sums: inout [Sum]) {
        let index = sums.firstIndex { known in
            known.reason == sum.reason && known.sink == sum.sink && known.isNumbered == sum.isNumbered
        }
        if let index {
            sums[index].tally.add(sum.tally)
        } else {
            sums.insert(sum, at: sums.firstIndex { $0.order > sum.order } ?? sums.count)
        }
    }

    /// Adds an entry that the run starts, or stops, writing a log at a sequence number.
    mutating func note(log: String, isWritten: Bool, from number: UInt64) {
        changes.append(
            .log(Ledger.LogChange(run: header.run, time: .now, from: number, isWritten: isWritten, log: log)))
    }

    /// Reads the counts of callers, and returns whether there is something to write.
    mutating func hasNews() -> Bool {
        noteCallers()
        return !sums.isEmpty || !changes.isEmpty
    }

    /// Writes the entries, at most once a second. A failure is reported once and retried.
    mutating func write(at now: Int64) {
        guard now >= due else { return }
        due = now + Self.interval
        writeNow()
    }

    private mutating func writeNow() {
        guard hasNews() else { return }
        do throws(SystemError) {
            try append([])
        } catch {
            if !hasReportedFailure { Diagnostics.report("cannot record dropped records in the ledger: \(error)") }
            hasReportedFailure = true
        }
    }

    /// Writes all entries, including those about filters: at the end, and before the ring no longer names a sink.
    mutating func writeAll() {
        takeFiltered()
        writeNow()
    }

    private mutating func takeFiltered() {
        // Those of an earlier time may still be there, if the ledger could not be written.
        for sum in filtered { Self.add(sum, to: &sums) }
        filtered = []
    }

    /// Writes the rest, and that the run has ended.
    ///
    /// - Parameter logs: The run's logs next to this ledger: the names of their sinks and their base names.
    mutating func close(records: UInt64, logs: [(sink: String, base: String)]) throws(SystemError) {
        guard !isClosed else { return }
        noteCallers()
        takeFiltered()
        let end = Timestamp.now
        var endings: [LedgerEntry] = []
        for (sink, base) in logs.isEmpty ? [("", "")] : logs {
            endings.append(
                .end(
                    Ledger.Ending(
                        run: header.run, startedAt: header.startedAt, endedAt: end, records: records, sink: sink,
                        destination: base)))
        }
        try append(endings)
    }

    private mutating func append(_ endings: [LedgerEntry]) throws(SystemError) {
        let time = Timestamp.now
        var entries = changes
        for sum in sums {
            entries.append(
                .drop(
                    Ledger.Drop(
                        run: header.run, time: time, reason: sum.reason, sink: sum.sink,
                        sequences: sum.tally.sequences, count: sum.tally.count, levels: sum.tally.byLevel)))
        }
        try file.append(entries + endings)
        sums = []
        changes = []
    }

    private mutating func noteCallers() {
        for reason in DropReason.ofCallers {
            for level in Level.allCases {
                let count = header.dropped(level, for: reason)
                let known = noted[reason.column][Int(level.rawValue)]
                guard count > known else { continue }
                noted[reason.column][Int(level.rawValue)] = count
                note(DropTally(count - known, level: level), header.reason(reason, of: level))
            }
        }
    }
}
