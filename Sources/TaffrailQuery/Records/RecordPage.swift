public import Taffrail

/// A page of records.
public struct RecordPage: Sendable, Hashable {
    /// The records, in the requested order.
    public var records: [StoredRecord]
    /// The cursor of the next page; `nil` after the last one. A page that has fewer records than the limit and a next one
    /// ended because of ``RecordRequest/effort``, of its time, or because its records are long.
    public var next: String?
    /// The time of the last record that was examined, where there is a next page.
    public var reached: Timestamp?

    /// Creates a page.
    public init(records: [StoredRecord] = [], next: String? = nil, reached: Timestamp? = nil) {
        self.records = records
        self.next = next
        self.reached = reached
    }
}
