/// A log that a sink writes, and its ledger.
struct WrittenLog: Hashable {
    let ledger: LedgerFile
    /// The live file's name.
    let base: String

    /// `nil` for a sink that writes no log file.
    init?(_ sink: any Sink) {
        guard let log = sink as? any LogFile, let directory = log.stateDirectory else { return nil }
        ledger = LedgerFile(directory: directory)
        base = log.destination
    }

    /// The effect of a change of the sinks on the logs of a run.
    ///
    /// - Returns: The logs that are no longer written, each with the first number that it does not have, and the new
    ///   ones.
    static func change(from states: [SinkState], to sinks: [any Sink]) -> (
        out: [(WrittenLog, UInt64)], in: [WrittenLog]
    ) {
        let before = states.compactMap { state in WrittenLog(state.sink).map { ($0, state.place.nextSequence) } }
        let after = sinks.compactMap { WrittenLog($0) }
        return (
            before.filter { log, _ in !after.contains(log) },
            after.filter { log in !before.contains { $0.0 == log } }
        )
    }
}

extension [LedgerBook] {
    /// Records in the ledger next to a log that the run starts, or stops, writing it at a sequence number.
    mutating func note(_ log: WrittenLog, isWritten: Bool, from number: UInt64) {
        for index in indices where self[index].file == log.ledger {
            self[index].note(log: log.base, isWritten: isWritten, from: number)
        }
    }
}
