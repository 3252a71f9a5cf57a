internal import Taffrail

/// The times at which a destination may be contacted again: after failures, at the time that it requested, and at a
/// rate.
struct RetrySchedule {
    /// The number of attempts that have failed in a row.
    private(set) var failures: UInt32 = 0
    /// The time at which the next attempt is allowed, on the monotonic clock.
    private var notBefore = Int64.min
    private let options: UploadOptions
    private let clock: UploadClock

    init(_ options: UploadOptions, _ clock: UploadClock) {
        self.options = options
        self.clock = clock
    }

    /// How long to wait for the next attempt; 0 or less: not at all.
    var left: Duration { notBefore == .min ? .zero : .nanoseconds(notBefore &- clock.monotonic()) }

    /// Continues where the last run stopped.
    ///
    /// - Returns: The time of the next attempt, ns since 1970; `nil`: at once.
    mutating func resume(_ cursor: SpoolCursor) -> Int64? {
        failures = cursor.failures
        let now = clock.wall()
        let (difference, isAbsurd) = cursor.notBefore.subtractingReportingOverflow(now)
        // More than any wait: the clock has been set back since.
        let isSane = !isAbsurd && difference <= UploadPace.longest.nanoseconds
        guard cursor.notBefore > 0, difference > 0, isSane else { return nil }
        let left = cursor.isRequested ? difference : min(difference, max(1, options.longestRetry.nanoseconds))
        notBefore = clock.monotonic() &+ left
        return now &+ left
    }

    /// Waits as long as the rate demands after `bytes` bytes.
    mutating func pause(after bytes: Int) {
        guard let rate = options.rate, rate > 0, bytes > 0 else { return }
        notBefore = clock.monotonic() &+ UploadPace.wait(after: bytes, rate: rate).nanoseconds
    }

    /// Resets the number of failures.
    mutating func reset() { failures = 0 }

    /// Records a failure.
    ///
    /// - Parameter requested: The time that the destination has requested, ns since 1970.
    /// - Returns: The time of the next attempt, ns since 1970, and whether the destination has requested a later time
    ///   than now.
    mutating func fail(notBefore requested: Int64?) -> (next: Int64, isRequested: Bool) {
        failures = failures == .max ? .max : failures + 1
        var generator = SystemRandomNumberGenerator()
        var delay = options.delay(after: failures, using: &generator).nanoseconds
        let now = clock.wall()
        if let requested, requested > now {
            // A little later, so that programs with the same requested time do not retry together.
            let (wait, isAbsurd) = requested.subtractingReportingOverflow(now)
            let longest = min(max(1, options.firstRetry.nanoseconds), wait / 10)
            let most = UploadPace.longest.nanoseconds
            delay = max(delay, isAbsurd ? .max : wait)
            delay = min(delay, most) &+ Int64.random(in: 0...longest, using: &generator)
            delay = min(delay, most)
        }
        // The rate also applies after failures.
        let time = clock.monotonic()
        notBefore = max(notBefore, time &+ delay)
        return (now &+ (notBefore &- time), (requested ?? 0) > now)
    }
}
