import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct CallSiteLimitTests {
    private let sink = MemorySink()
    private let pipeline: Pipeline

    init() { pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false)) }

    private func records() -> [LogRecord] {
        pipeline.flush()
        return sink.records
    }

    @Test func `once logs once for each call site`() {
        let logger = pipeline.logger
        var evaluated = 0
        for number in 1...5 {
            logger.once()?.info("a \(number) \({ evaluated += 1; return evaluated }())")
            logger.once()?.info("b \(number)")
        }
        #expect(records().map(\.message) == ["a 1 1", "b 1"])
        #expect(evaluated == 1)
    }

    @Test func `every n-th call contains how many did not log`() {
        for number in 1...7 { pipeline.logger.every(3)?.info("\(number)") }
        #expect(records().map(\.message) == ["1", "4", "7"])
        #expect(records().map { $0["taffrail.suppressed"] } == [nil, 2, 2])
    }

    @Test func `a rate passes at most its count in each period`() {
        var state = CallSiteLimit.State()
        let second: Int64 = 1_000_000_000
        let moments: [Int64] = [0, 1, 2, second - 1, second, second + 1, second + 2, 5 * second]
        let passed = moments.map { state.takesPart(atMost: 2, per: .seconds(1), now: $0) }
        #expect(passed == [true, true, false, false, true, true, false, true])
    }

    @Test func `a call site within its span is suppressed and counted`() {
        for number in 1...4 { pipeline.logger.every(.hours(1))?.info("\(number)") }
        for number in 1...4 { pipeline.logger.atMost(2, per: .hours(1))?.info("r\(number)") }
        #expect(records().map(\.message) == ["1", "r1", "r2"])
    }

    @Test func `threads that share a call site lose no count`() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<250 { pipeline.logger.every(10)?.info("x") } }
            }
        }
        let all = records()
        #expect(all.count == 100)
        #expect(all.compactMap { $0["taffrail.suppressed"] }.allSatisfy { $0 == 9 })
    }
}
