internal import Taffrail

/// The waits between requests to a destination.
package enum UploadPace {
    /// The longest wait: a day.
    package static let longest = Duration.days(1)

    /// Returns how long to wait until a time: zero if it is past, at most ``longest``.
    ///
    /// - Parameters:
    ///   - time: Nanoseconds since 1970.
    ///   - now: Nanoseconds since 1970.
    package static func wait(until time: Int64, now: Int64) -> Duration {
        time <= now ? .zero : min(.nanoseconds(time &- max(0, now)), longest)
    }

    /// Returns how long a request of `bytes` bytes takes at a rate.
    ///
    /// - Parameter rate: Bytes per second, at least 1.
    package static func wait(after bytes: Int, rate: Int) -> Duration {
        min(.seconds(Double(bytes) / Double(max(1, rate))), longest)
    }
}
