internal import Taffrail

/// The options for sending records.
package struct UploadOptions: Sendable, Hashable {
    /// How long a record waits for others that are sent with it.
    package var delay: Duration
    /// The maximum number of records in a batch.
    package var records: Int
    /// The maximum number of bytes of a batch's records, unless it is a single record.
    package var bytes: Int
    /// The longest delay before the first retry; it doubles with each further retry.
    package var firstRetry: Duration
    /// The longest delay before any retry, unless the destination requests more.
    package var longestRetry: Duration
    /// The maximum number of bytes sent per second; `nil`: no limit.
    package var rate: Int?

    package init(
        delay: Duration = .milliseconds(500), records: Int = 8192, bytes: Int = 1 << 20,
        firstRetry: Duration = .seconds(1), longestRetry: Duration = .seconds(60), rate: Int? = nil
    ) {
        self.delay = delay
        self.records = records
        self.bytes = bytes
        self.firstRetry = firstRetry
        self.longestRetry = longestRetry
        self.rate = rate
    }

    /// Returns the delay before a retry: full jitter, so that programs that fail together do not retry together.
    ///
    /// - Parameter failures: The number of attempts that have failed in a row.
    package func delay(after failures: UInt32, using generator: inout some RandomNumberGenerator) -> Duration {
        var longest = max(1, firstRetry.nanoseconds)
        for _ in 1..<max(1, min(failures, 64)) where longest < longestRetry.nanoseconds {
            longest = longest > .max / 2 ? .max : longest * 2
        }
        return .nanoseconds(Int64.random(in: 0...min(longest, max(1, longestRetry.nanoseconds)), using: &generator))
    }
}
