import Taffrail
import TaffrailSampling
import TaffrailTesting
import Testing

@Suite struct SamplingTests {
    static func records(_ count: Int, level: Level = .info, logger: String = "") -> [LogRecord] {
        (1...count).map {
            LogRecord(sequence: UInt64($0), run: RingID(77), level: level, message: "m", logger: logger)
        }
    }

    @Test(arguments: [0, 0.01, 0.1, 0.5, 0.99, 1]) func `the fraction of kept records is the rate`(rate: Double) {
        var sampling = SamplingProcessor(SamplingOptions(rate: rate))
        let kept = Double(sampling.outcome(of: Self.records(20_000)).count) / 20_000
        // Five standard deviations of a fair choice.
        #expect(abs(kept - rate) <= 5 * (rate * (1 - rate) / 20_000).squareRoot())
    }

    @Test func `records from the level on and other loggers are all kept`() {
        var sampling = SamplingProcessor(SamplingOptions(rate: 0, below: .error, logger: "net"))
        let records =
            Self.records(1, level: .warning, logger: "net.http") + Self.records(1, level: .error, logger: "net")
            + Self.records(1, logger: "network") + Self.records(1)
        #expect(sampling.outcome(of: records) == Array(records.dropFirst()))
    }

    @Test func `a record that is processed again is decided as before`() {
        var first = SamplingProcessor(SamplingOptions(rate: 0.5))
        var second = SamplingProcessor(SamplingOptions(rate: 0.5))
        let records = Self.records(1000)
        #expect(first.outcome(of: records) == second.outcome(of: Array(records)))
        #expect(first.outcome(of: records) == second.outcome(of: records))
    }

    @Test func `records of one trace are kept or dropped together`() {
        var sampling = SamplingProcessor(SamplingOptions(rate: 0.5))
        for trace in 1...50 {
            let context = TraceContext(
                traceID: TraceContext.TraceID(high: 3, low: UInt64(trace)), spanID: TraceContext.SpanID(1))
            let records = Self.records(20).map { record in
                var record = record
                record.trace = context
                return record
            }
            let kept = sampling.outcome(of: records).count
            #expect(kept == 0 || kept == 20)
        }
    }
}
