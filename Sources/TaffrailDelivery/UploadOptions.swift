internal import Taffrail

/// How records are sent.
package struct UploadOptions: Sendable, Hashable {
    /// How long a record waits for others that are sent with it.
    package var delay: Duration
    /// How many records a batch has at most.
    package var records: Int
    /// How many bytes of records a batch has at most, unless it is a single record.
    package var bytes: Int
    /// The longest delay before the first retry; it doubles with every other.
    package var firstRetry: Duration
    /// The longest delay before any retry, unless the destination asks for more.
    package var longestRetry: Duration
    /// How many bytes are sent in a second at most; `nil`: any number.
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

    /// The delay before a retry, in nanoseconds: full jitter, so that programs that fail together do not retry
    /// together.
    ///
    /// - Parameter failures: How many attempts have failed in a row.
    func delay(after failures: UInt32, using generator: inout some RandomNumberGenerator) -> Int64 {
        var longest = max(1, firstRetry.nanoseconds)
        for _ in 1..<max(1, min(failures, 64)) where longest < longestRetry.nanoseconds {
            longest = longest > .max / 2 ? .max : longest * 2
        }
        return Int64.random(in: 0...min(longest, max(1, longestRetry.nanoseconds)), using: &generator)
    }
}

/// The clocks of an upload, in nanoseconds.
package struct UploadClock: Sendable {
    /// Since 1970.
    package var wall: @Sendable () -> Int64
    package var monotonic: @Sendable () -> Int64

    package init(
        wall: @escaping @Sendable () -> Int64 = { SystemClock.wallNanoseconds() },
        monotonic: @escaping @Sendable () -> Int64 = { SystemClock.monotonicNanoseconds() }
    ) {
        self.wall = wall
        self.monotonic = monotonic
    }
}
