/// What a sink notes beside the log: records that it lost after it had taken them, for `taffrail status` and
/// `taffrail tail --verify`.
///
/// A sink gets its book when it is attached, and may use it from any thread.
public struct SinkBook: Sendable {
    /// Why a sink lost records that it had taken.
    public enum Loss: String, Sendable, Hashable, CaseIterable {
        /// It had no room to keep them until they could be delivered.
        case overflow
        /// They became too old before they could be delivered.
        case expired
        /// The far end refused them permanently.
        case rejected
        /// What it had written was deleted before the sink was done with it, not by the sink.
        case deleted

        package var reason: DropReason {
            switch self {
            case .overflow: .overflow
            case .expired: .expired
            case .rejected: .rejected
            case .deleted: .deleted
            }
        }
    }

    /// The name of the sink in the pipeline.
    public let sink: String
    /// Where the sink tells what it is doing: in its own state directory, or where the queue lies; `nil` where neither is
    /// in a file.
    public let status: StatusFile?
    let ledgers: [LedgerFile]

    package init(sink: String, ledgers: [LedgerFile], statusDirectory: String? = nil) {
        self.sink = sink
        self.ledgers = ledgers
        status = statusDirectory.map { StatusFile(of: sink, in: $0) }
    }

    /// A book that keeps nothing: for a sink that is in no pipeline.
    public static let none = SinkBook(sink: "", ledgers: [])

    /// Notes in the ledger that records are lost. When it returns, that survives SIGKILL, and the sink may forget them.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - loss: Why.
    ///   - run: The run that logged them.
    ///   - sequences: The numbers that they lie among, where they are known.
    ///   - levels: How many of each level, as far as that is known.
    /// - Throws: A temporary ``SinkError`` when it cannot be written; then it is noted nowhere, or only in some of the
    ///   logs of the pipeline.
    public func note(
        _ count: UInt64, lostBy loss: Loss, of run: RingID, among sequences: ClosedRange<UInt64>? = nil,
        levels: [Level: UInt64] = [:]
    ) throws(SinkError) {
        guard count > 0 else { return }
        let drop = Ledger.Drop(
            run: run, time: .now, reason: loss.reason, sink: sink, sequences: sequences, count: count, levels: levels)
        do throws(SystemError) {
            for file in ledgers { try file.append([.drop(drop)]) }
        } catch {
            throw .temporary("a loss cannot be noted: \(error)")
        }
    }
}
