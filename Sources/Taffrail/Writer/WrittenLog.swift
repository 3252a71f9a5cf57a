/// A log that a sink writes, and its ledger.
struct WrittenLog: Equatable {
    let ledger: LedgerFile
    /// The live file's name.
    let base: String

    /// Returns the logs next to some ledgers that a dead run wrote, each with the name of its sink: those of sinks that
    /// exist, and others by their names in the ring.
    static func all(
        of ring: RingFile, _ states: [SinkState], _ ledgers: [LedgerFile]
    ) -> [(log: WrittenLog, sink: String)] {
        let header = ring.header
        var logs = states.compactMap { state in WrittenLog(state.sink).map { (log: $0, sink: state.name) } }
        func add(_ log: WrittenLog, _ sink: String) {
            if !logs.contains(where: { $0.log == log }) { logs.append((log, sink)) }
        }
        let sinks = RingSinks(header, ringIn: ring.directory)
        for ledger in ledgers {
            guard let home = Directory.parent(of: ledger.directory) else { continue }
            for (base, share) in sinks.logs(in: home) {
                add(WrittenLog(ledger: ledger, base: base), share.slot.map { header.name(ofSlot: $0) } ?? "")
            }
        }
        let own = LedgerFile(directory: ring.directory)
        if !logs.contains(where: { $0.log.ledger == own }) {
            add(WrittenLog(ledger: own, base: header.destination), header.logSink)
        }
        return logs
    }
}

extension WrittenLog {
    /// `nil` for a sink that writes no log file.
    init?(_ sink: any Sink) {
        guard let log = sink.logFile, let directory = sink.stateDirectory else { return nil }
        self.init(ledger: LedgerFile(directory: directory), base: log.name)
    }
}

extension [LedgerBook] {
    /// Enters in the ledger next to a log that the run starts, or stops, writing it at a sequence number.
    mutating func note(_ log: WrittenLog, isWritten: Bool, from number: UInt64) {
        for index in indices where self[index].file == log.ledger {
            self[index].note(log: log.base, isWritten: isWritten, from: number)
        }
    }

    /// Writes all entries of each.
    mutating func writeAll() { for index in indices { self[index].writeAll() } }

    /// Writes the rest and the end of the run into each: for each log next to it.
    ///
    /// - Parameter logs: The logs of the run, each with the name of its sink.
    mutating func close(records: UInt64, of logs: [(log: WrittenLog, sink: String)]) throws(SystemError) {
        for index in indices {
            let file = self[index].file
            try self[index].close(
                records: records, logs: logs.filter { $0.log.ledger == file }.map { ($0.sink, $0.log.base) })
        }
    }
}
