/// A time in nanoseconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX time).
///
/// The range is the years 1677 to 2262. The core has no Foundation, hence no `Date`.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Nanoseconds since 1970-01-01T00:00:00Z; negative before.
    public var nanoseconds: Int64

    /// Creates a time from nanoseconds since 1970.
    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Creates a time from seconds since 1970.
    ///
    /// - Parameter seconds: NaN becomes 1970; values out of range are clamped.
    public init(secondsSince1970 seconds: Double) {
        let scaled = (seconds * 1e9).rounded()
        nanoseconds = scaled.isNaN ? 0 : Int64(exactly: max(-9.2e18, min(9.2e18, scaled))) ?? 0
    }

    /// Seconds since 1970, accurate to about a microsecond.
    public var secondsSince1970: Double { Double(nanoseconds) / 1e9 }

    /// The current time of the wall clock, from `clock_gettime`.
    @inlinable
    public static var now: Timestamp { Timestamp(nanoseconds: SystemClock.wallNanoseconds()) }

    /// Returns whether `lhs` is before `rhs`.
    @inlinable
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// Returns the time a duration later, to the nearest nanosecond and clamped to the range.
    public static func + (time: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(nanoseconds: Int64(clamping: Int128(time.nanoseconds) + roundedNanoseconds(duration)))
    }

    /// Returns the time a duration earlier, to the nearest nanosecond and clamped to the range.
    public static func - (time: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(nanoseconds: Int64(clamping: Int128(time.nanoseconds) - roundedNanoseconds(duration)))
    }

    /// Returns the exact duration from `start` to `time`, which is negative if `time` is earlier.
    public static func - (time: Timestamp, start: Timestamp) -> Duration {
        Duration.nanoseconds(time.nanoseconds) - Duration.nanoseconds(start.nanoseconds)
    }

    /// Returns a duration in nanoseconds, to the nearest; halves are rounded away from zero.
    private static func roundedNanoseconds(_ duration: Duration) -> Int128 {
        let (whole, rest) = duration.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return whole + (rest >= 500_000_000 ? 1 : rest <= -500_000_000 ? -1 : 0)
    }
}
