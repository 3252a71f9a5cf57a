public import Taffrail

/// A page of records.
public struct RecordPage: Sendable, Hashable {
    /// The records, in the requested order.
    public var records: [StoredRecord]
    /// The cursor of the next page; `nil` after the last one. A page with a cursor and fewer records than the limit
    /// ended because of ``RecordRequest/effort``, the time limit, or the size of its records.
    public var next: String?
    /// The time of the last record that was examined, if there is a next page.
    public var reached: Timestamp?

    /// Creates a page.
    public init(records: [StoredRecord] = [], next: String? = nil, reached: Timestamp? = nil) {
        self.records = records
        self.next = next
        self.reached = reached
    }
}
