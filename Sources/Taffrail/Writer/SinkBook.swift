/// Enters the records that a sink lost after accepting them in the ledgers, for `taffrail status` and `taffrail tail
/// --verify`.
///
/// A sink gets its book when it is attached, and may use it from any thread.
public struct SinkBook: Sendable {
    /// The reason why a sink lost records after accepting them.
    public enum Loss: String, Sendable, Hashable, CaseIterable {
        /// It ran out of space before it could deliver them.
        case overflow
        /// They expired before they could be delivered.
        case expired
        /// The remote end refused them permanently.
        case rejected
        /// Another program deleted the sink's data before it was complete.
        case deleted
        /// Stored data was damaged before it could be delivered.
        case unreadable

        package var reason: DropReason { DropReason(rawValue: rawValue) ?? .rejected }
    }

    /// The name of the sink in the pipeline.
    public let sink: String
    /// The directory for the sink's status: its own state directory, or that of the queue; `nil` if neither has a file.
    public let status: StatusFile?
    let ledgers: [LedgerFile]

    package init(sink: String, ledgers: [LedgerFile], statusDirectory: String? = nil) {
        self.sink = sink
        self.ledgers = ledgers
        status = statusDirectory.map { StatusFile(of: sink, in: $0) }
    }

    /// A book that discards everything, for a sink without a pipeline.
    public static let none = SinkBook(sink: "", ledgers: [])

    /// Enters a loss of records in the ledger. When it returns, the entry survives SIGKILL, and the sink may discard
    /// them. A missing state directory is created.
    ///
    /// - Parameters:
    ///   - count: The number of records.
    ///   - loss: The reason.
    ///   - run: The run that logged them.
    ///   - sequences: The range that contains their numbers, if known.
    ///   - levels: The number of records of each level, if known.
    /// - Throws: A temporary ``SinkError`` when the entry cannot be written; it is then in none, or only in some, of
    ///   the ledgers of the pipeline.
    public func note(
        _ count: UInt64, lostBy loss: Loss, of run: RingID, among sequences: ClosedRange<UInt64>? = nil,
        levels: [Level: UInt64] = [:]
    ) throws(SinkError) {
        guard count > 0 else { return }
        let drop = Ledger.Drop(
            run: run, time: .now, reason: loss.reason, sink: sink, sequences: sequences, count: count, levels: levels)
        do throws(SystemError) {
            for file in ledgers { try file.appendAlways([.drop(drop)]) }
        } catch {
            throw .temporary("cannot record a loss in the ledger: \(error)")
        }
    }
}
