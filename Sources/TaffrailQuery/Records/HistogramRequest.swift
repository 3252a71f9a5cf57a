/// A request for counts over time.
public struct HistogramRequest: Sendable, Hashable {
    /// The records to count; its times are the histogram's. Default: from the first record to the last one.
    public var selection: LogSelection
    /// The grouping; `nil`: none.
    public var grouping: LogGrouping? = .level
    /// The length of a bucket; `nil`: a round length with at most ``buckets`` buckets.
    public var interval: Duration?
    /// The maximum number of buckets, 1 to 2,000.
    public var buckets = 60
    /// The approximate maximum number of records to examine if no counts are kept.
    public var effort = 3_000_000

    /// Creates a request.
    public init(_ selection: LogSelection = LogSelection()) { self.selection = selection }
}
