/// The progress of the delivery of a spool's records.
package struct SpoolCursor: Sendable, Hashable {
    /// Every record before it is resolved: delivered, or in the ledger.
    package var position = SpoolPosition()
    /// The end of the batch that starts at ``position`` and may have been sent; `nil`: none.
    package var flying: SpoolPosition?
    /// The number of attempts that have failed in a row.
    package var failures: UInt32 = 0
    /// The time at which the destination may be contacted again, ns since 1970; 0: at once.
    package var notBefore: Int64 = 0
    /// Whether the destination has requested that time.
    package var isRequested = false

    /// Marks everything before the end of the batch in flight as resolved.
    mutating func resolve() {
        guard let flying else { return }
        self = SpoolCursor(position: flying)
    }

    /// Records that the batch in flight was refused, so that it may be split differently.
    mutating func cancelBatch() { self = SpoolCursor(position: position) }
}
