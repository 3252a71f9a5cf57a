public import Taffrail

/// Counts over time.
public struct Histogram: Sendable, Hashable {
    /// One interval.
    public struct Bucket: Sendable, Hashable {
        /// Its start, a multiple of the interval since 1970.
        public var time: Timestamp
        /// The counts by the name of the group; without grouping, by an empty name.
        public var counts: [String: Int]

        /// Creates a bucket.
        public init(time: Timestamp, counts: [String: Int]) {
            self.time = time
            self.counts = counts
        }
    }

    /// The length of a bucket.
    public var interval: Duration
    /// The buckets that contain records, in chronological order.
    public var buckets: [Bucket]
    /// The number of records counted.
    public var total: Int
    /// The time at which counting stopped because of ``HistogramRequest/effort``: only records of this time or later
    /// are counted. `nil` if all are.
    public var since: Timestamp?

    /// Creates a histogram.
    public init(interval: Duration, buckets: [Bucket] = [], total: Int = 0, since: Timestamp? = nil) {
        self.interval = interval
        self.buckets = buckets
        self.total = total
        self.since = since
    }
}
