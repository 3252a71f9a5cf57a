import Taffrail
import Testing

@testable import TaffrailQuery

@Suite struct HistogramIntervalTests {
    @Test(arguments: [1, 2, 60, 2_000]) func `every range has a length that divides it into no more buckets`(
        buckets: Int
    ) {
        var request = HistogramRequest()
        request.buckets = buckets
        let day: Int64 = 86_400_000_000_000
        for (since, until) in [
            (Int64.min, Int64.max), (0, .max), (.max - 1, .max), (0, 1), (0, 106_000 * day),
            (-53_000 * day, 106_000 * day),
            (0, 3_600_000_000_000),
        ] {
            let length = HistogramRequest.interval(request, since: since, until: until)
            let (range, overflow) = until.subtractingReportingOverflow(since)
            #expect(length > 0 && length % 1_000_000_000 == 0)
            #expect((overflow ? Int64.max : range) / length <= Int64(buckets), "\(since)..<\(until)")
        }
    }

    @Test func `an interval that gives too many buckets is replaced`() {
        var request = HistogramRequest()
        request.interval = .seconds(1)
        #expect(HistogramRequest.interval(request, since: 0, until: 1_000_000_000_000) == 1_000_000_000)
        #expect(HistogramRequest.interval(request, since: .min, until: .max) > 86_400_000_000_000)
    }
}
