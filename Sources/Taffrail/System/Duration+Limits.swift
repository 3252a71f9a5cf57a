extension Duration {
    /// Returns a number of minutes.
    public static func minutes(_ count: Int) -> Duration { times(count, 60) }

    /// Returns a number of hours.
    public static func hours(_ count: Int) -> Duration { times(count, 3600) }

    /// Returns a number of days of 24 hours.
    public static func days(_ count: Int) -> Duration { times(count, 86_400) }

    private static func times(_ count: Int, _ seconds: Int) -> Duration {
        let (product, overflow) = count.multipliedReportingOverflow(by: seconds)
        return .seconds(overflow ? (count < 0 ? .min : .max) : product)
    }

    /// Nanoseconds, clamped to 0 to 292 years.
    package var nanoseconds: Int64 { Int64(clamping: max(0, attoseconds / 1_000_000_000)) }

    /// Milliseconds for `poll`: rounded up, so that the time is over after it, and clamped to 0 to 24 days.
    package var pollTimeout: CInt { CInt(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1)) }

    /// Nanoseconds to wait, at most 11 days, so that a deadline is never out of range.
    var timeout: Int64 { min(nanoseconds, 1_000_000_000_000_000) }
}
