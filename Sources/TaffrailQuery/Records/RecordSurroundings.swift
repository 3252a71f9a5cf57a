public import Taffrail

/// A record and its neighbours.
public struct RecordSurroundings: Sendable, Hashable {
    /// Those before it, the oldest first.
    public var before: [StoredRecord]
    /// The record.
    public var record: StoredRecord
    /// Those after it, the oldest first.
    public var after: [StoredRecord]
    /// The time back to which records were examined, where there may be more before that; `nil`: there are no more, or as many
    /// as asked for.
    public var beforeReached: Timestamp?
    /// The time up to which records were examined, where there may be more after that.
    public var afterReached: Timestamp?

    /// Creates surroundings.
    public init(before: [StoredRecord], record: StoredRecord, after: [StoredRecord]) {
        self.before = before
        self.record = record
        self.after = after
    }
}
