public import Taffrail

/// A request for a page of records.
public struct RecordRequest: Sendable, Hashable {
    /// The records to return.
    public var selection: LogSelection
    /// The maximum number of records in the page, at least 1.
    public var limit = 100
    /// The record before the first one of the page: ``RecordPage/next`` of the previous page, or the
    /// ``StoredRecord/id`` of a record. Default: the page begins with the first record.
    public var cursor: String?
    /// Whether the newest are first. Default `true`.
    public var isNewestFirst = true
    /// The time by which the records are sorted. Default: the time of their origin.
    public var clock = RecordClock.origin
    /// In the order of arrival: only records that arrived at this time or later.
    public var arrivedSince: Timestamp?
    /// In the order of arrival: only records that arrived before this time.
    public var arrivedUntil: Timestamp?
    /// The approximate maximum number of records to examine for one page if no index finds the matching ones.
    public var effort = 100_000

    /// Creates a request.
    public init(_ selection: LogSelection = LogSelection()) { self.selection = selection }
}
