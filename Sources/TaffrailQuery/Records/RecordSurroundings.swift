public import Taffrail

/// A record and its neighbours.
public struct RecordSurroundings: Sendable, Hashable {
    /// The records before it, the oldest first.
    public var before: [StoredRecord]
    /// The record.
    public var record: StoredRecord
    /// The records after it, the oldest first.
    public var after: [StoredRecord]
    /// The time of the earliest record examined, if there may be earlier ones; `nil`: there are none, or the page is
    /// full.
    public var beforeReached: Timestamp?
    /// The time of the latest record examined, if there may be later ones.
    public var afterReached: Timestamp?

    /// Creates surroundings.
    public init(before: [StoredRecord], record: StoredRecord, after: [StoredRecord]) {
        self.before = before
        self.record = record
        self.after = after
    }
}
