import Foundation
import Taffrail
import TaffrailFoundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

/// Foundation's values as attributes.
@Suite(.mayBlock) struct FoundationValueTests {
    @Test func `Date, UUID and URL are attributes`() throws {
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(handleSignals: false))
        let (date, id) = (Date(timeIntervalSince1970: 1.5), UUID())
        let (url, missing) = (try #require(URL(string: "https://ferry.local/pier?n=3")), Date?.none)
        pipeline.logger.info("all", ["date": date, "id": id, "url": url, "missing": missing, "dates": [date]])
        #expect(pipeline.shutdown())
        let time = LogValue.date(Timestamp(nanoseconds: 1_500_000_000))
        #expect(
            sink.records.last?.attributes == [
                LogValueEntry("date", time), LogValueEntry("id", .string(id.uuidString)),
                LogValueEntry("url", "https://ferry.local/pier?n=3"), LogValueEntry("dates", .array([time])),
            ])
    }

    @Test func `a Timestamp and a Date are converted to each other`() {
        let (date, time) = (Date(timeIntervalSince1970: 1.5), Timestamp(nanoseconds: 1_500_000_000))
        #expect(Timestamp(date) == time && time.date == date)
    }

    @Test func `a Date that no time stamp reaches is the nearest`() {
        #expect(Date.distantPast.logValue == .date(Timestamp(secondsSince1970: -.infinity)))
        #expect(Date.distantFuture.logValue == .date(Timestamp(secondsSince1970: .infinity)))
    }
}
