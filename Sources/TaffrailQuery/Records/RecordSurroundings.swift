/// A record and its neighbours.
public struct RecordSurroundings: Sendable, Hashable {
    /// Those before it, the oldest first.
    public var before: [StoredRecord]
    /// The record.
    public var record: StoredRecord
    /// Those after it, the oldest first.
    public var after: [StoredRecord]

    /// Creates surroundings.
    public init(before: [StoredRecord], record: StoredRecord, after: [StoredRecord]) {
        self.before = before
        self.record = record
        self.after = after
    }
}
