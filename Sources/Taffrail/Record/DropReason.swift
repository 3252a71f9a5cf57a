/// Why a record is missing. The raw value is the spelling in the ledger (decision 0008).
package enum DropReason: String, Sendable, Hashable, CaseIterable {
    /// The queue was full, and the longest wait was over.
    case full
    /// The queue was full, and its options say to drop records of this level.
    case shed
    /// No sink was accepting records, and the queue kept its remaining space for higher levels.
    case degraded
    /// The queue was closed, or could not be created.
    case closed
    /// The call could not encode the record: out of memory, or the caller was a sink or a processor.
    case encodingFailed = "unbuilt"
    /// A processor dropped it, as configured.
    case processor
    /// The sink refused it permanently.
    case refused
    /// The sink kept failing, and the queue dropped the record to make room.
    case sinkLagging = "behind"
    /// The sink was removed from the configuration before it had written the record.
    case sinkRemoved = "gone"
    /// The sink lacked it when its records were dropped with `taffrail recover --drop`.
    case discarded
    /// The ring of a killed program is damaged at that offset.
    case damaged
    /// The `level` or `only` of the sink excluded it, as configured.
    case filtered
    /// The sink accepted it, and ran out of space before it could deliver it.
    case overflow
    /// The sink accepted it, and it expired before it could be delivered.
    case expired
    /// The sink accepted it, and the remote end refused it permanently.
    case rejected
    /// The sink wrote it into a file that another program or the user deleted or truncated before the sink had sent it
    /// or completed the file.
    case deleted
    /// The sink accepted it, and the stored record was damaged before it could be delivered.
    case unreadable

    /// The reasons that callers count in the ring's header, in the order of the columns there; ``shed`` is counted as
    /// ``full``.
    package static let ofCallers: [DropReason] = [.full, .degraded, .closed, .encodingFailed]

    /// The column of a reason that callers count in the ring's header.
    var column: Int {
        switch self {
        case .degraded: 1
        case .closed: 2
        case .encodingFailed: 3
        default: 0
        }
    }
}
