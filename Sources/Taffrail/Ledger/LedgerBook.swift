/// The entries of one run's writer for one ledger, added up so that little is written.
struct LedgerBook {
    let file: LedgerFile
    private let header: RingHeader
    /// The entries not yet written.
    private var tallies: [Subject: DropTally] = [:]
    /// The records withheld by the filters of sinks. The ring's header has it at once; the ledger gets it only when the
    /// book is closed or a sink is removed, because a sink for errors would add a line every second.
    private var filtered: [Subject: DropTally] = [:]
    private var changes: [LedgerEntry] = []
    /// The known drops of callers, by column and level.
    private var noted = [SIMD8<UInt64>](repeating: .zero, count: DropReason.ofCallers.count)
    /// The earliest time of the next write, on the monotonic clock.
    private var due: Int64 = 0
    private var hasReportedFailure = false
    /// Whether the ledger contained the end of the run, and thus everything, before this book: another one could not be
    /// written then, or the process was killed before it removed the ring.
    private var isClosed = false

    private struct Subject: Hashable {
        let reason: DropReason
        let sink: String
        /// Whether the numbers of the records are known: those of other records must not be taken for all.
        let isNumbered: Bool

        var order: String { reason.rawValue + (isNumbered ? "" : " ") }
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
        var filtered: UInt64 = 0
        var lost: [String: UInt64] = [:]
        var kept: [String: UInt64] = [:]
        for entry in try file.entries() {
            if case .end(let ending)? = entry, ending.run == header.run { isClosed = true }
            guard case .drop(let drop)? = entry, drop.run == header.run else { continue }
            switch drop.reason {
            case .processor: filtered &+= drop.count
            case .refused, .sinkLagging: lost[drop.sink, default: 0] &+= drop.count
            case .filtered: kept[drop.sink, default: 0] &+= drop.count
            case .sinkRemoved, .discarded, .damaged, .overflow, .expired, .rejected, .deleted, .unreadable: break
            case .full, .shed, .degraded, .closed, .encodingFailed:
                for (level, count) in drop.levels { noted[drop.reason.column][Int(level.rawValue)] &+= count }
            }
        }
        if header.filtered > filtered { note(DropTally(header.filtered - filtered, level: nil), .processor) }
        for slot in 0..<RingHeader.sinkSlots {
            let name = header.name(ofSlot: slot)
            guard !name.isEmpty else { continue }
            func add(_ counted: UInt64, _ known: UInt64, _ reason: DropReason) {
                if counted > known { note(DropTally(counted - known, level: nil), reason, sink: name) }
            }
            add(header.lost(inSlot: slot), lost[name] ?? 0, .sinkLagging)
            add(header.filtered(inSlot: slot), kept[name] ?? 0, .filtered)
        }
    }

    /// Adds an entry. ``write(at:)`` writes it.
    mutating func note(_ tally: DropTally, _ reason: DropReason, sink: String = "") {
        guard tally.count > 0, !isClosed else { return }
        let subject = Subject(reason: reason, sink: sink, isNumbered: tally.sequences != nil)
        if reason == .filtered {
            filtered[subject, default: DropTally()].add(tally)
        } else {
            tallies[subject, default: DropTally()].add(tally)
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
        return !tallies.isEmpty || !changes.isEmpty
    }

    /// Writes the entries, at most once a second. A failure is reported once and retried.
    mutating func write(at now: Int64) {
        guard now >= due else { return }
        due = now + Self.interval
        writeNow()
    }

    /// Writes the entries.
    mutating func writeNow() {
        guard hasNews() else { return }
        do throws(SystemError) {
            try file.append(changes + drops)
            tallies = [:]
            changes = []
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
        for (subject, tally) in filtered { tallies[subject, default: DropTally()].add(tally) }
        filtered = [:]
    }

    /// Writes the rest, and that the run has ended.
    ///
    /// - Parameter logs: The run's logs next to this ledger: the names of their sinks and their base names.
    mutating func close(records: UInt64, logs: [(sink: String, base: String)]) throws(SystemError) {
        guard !isClosed else { return }
        noteCallers()
        takeFiltered()
        let end = Timestamp.now
        let endings = (logs.isEmpty ? [("", "")] : logs).map { sink, base in
            LedgerEntry.end(
                Ledger.Ending(
                    run: header.run, startedAt: header.startedAt, endedAt: end, records: records, sink: sink,
                    destination: base))
        }
        try file.append(changes + drops + endings)
        tallies = [:]
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

    private var drops: [LedgerEntry] {
        let time = Timestamp.now
        let order = tallies.sorted { ($0.key.order, $0.key.sink) < ($1.key.order, $1.key.sink) }
        return order.map { subject, tally in
            .drop(
                Ledger.Drop(
                    run: header.run, time: time, reason: subject.reason, sink: subject.sink,
                    sequences: tally.sequences, count: tally.count, levels: tally.byLevel))
        }
    }
}
