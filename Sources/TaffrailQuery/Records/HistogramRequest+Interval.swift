internal import Taffrail

extension HistogramRequest {
    /// Lengths of buckets, in seconds.
    private static let round: [Int64] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800,
        604_800,
        1_209_600, 2_592_000, 7_776_000, 31_536_000,
    ]

    /// Returns the length of a bucket in nanoseconds: the requested length, increased if there would be more than 2,000
    /// buckets, or a round length.
    ///
    /// - Parameters:
    ///   - since: The first time, in nanoseconds since 1970.
    ///   - until: The time after the last one.
    package static func interval(_ request: HistogramRequest, since: Int64, until: Int64) -> Int64 {
        let (length, overflow) = until.subtractingReportingOverflow(since)
        let whole = overflow ? Int64.max : length
        let buckets = Int64(min(max(1, request.buckets), 2_000))
        if let wanted = request.interval?.nanoseconds, wanted >= 1_000_000, whole / wanted <= 2_000 { return wanted }
        for seconds in round where whole / (seconds * 1_000_000_000) < buckets { return seconds * 1_000_000_000 }
        let day = CivilTime.dayLength
        // Whole days, within the range of times.
        let days = min(whole / buckets / day + 1, Int64.max / day)
        return max(365 * day, days * day)
    }
}
