import Synchronization
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail

/// Ambient attributes while they change.
@Suite(.mayBlock) struct AmbientContextTests {
    private final class Countdown: Sendable {
        let running = Atomic<Int>(4)
    }

    @Test func `attributes replaced while four threads log are never torn`() async throws {
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(handleSignals: false))
        let provider = PublishedContext()
        let countdown = Countdown()
        pipeline.add(provider)
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for n in 0..<3000 { pipeline.logger.info("\(thread) \(n)") }
                    countdown.running.subtract(1, ordering: .relaxed)
                }
            }
            group.addTask {
                var n: Int64 = 0
                while countdown.running.load(ordering: .relaxed) > 0 {
                    n += 1
                    // The number of further equal values shows the length of the string before them.
                    let text = String(repeating: "x", count: Int(n % 50))
                    try? provider.publish(["first": .int(n), "text": LogValue(text), "second": .int(n)])
                    if n % 7 == 0 { try? provider.publish([:]) }
                }
            }
        }
        #expect(pipeline.flush())
        let records = sink.records
        #expect(records.count == 12_000)
        for record in records where !record.attributes.isEmpty {
            guard case .int(let n)? = record["first"], record.attributes.count == 3, record["second"] == .int(n),
                record["text"] == .string(String(repeating: "x", count: Int(n % 50)))
            else {
                Issue.record("torn: \(record.attributes)")
                break
            }
        }
        pipeline.shutdown()
    }

    @Test func `a provider that does not fit has no attributes, which is reported once`() throws {
        let captured = CapturedDiagnostics()
        let log = MemoryLog()
        let (one, two) = (PublishedContext(), PublishedContext())
        log.pipeline.add(one)
        log.pipeline.add(two)
        try one.publish(["one": LogValue(String(repeating: "1", count: 300))])
        try two.publish(["two": 2])
        log.logger.info("both")
        for _ in 0..<3 {
            #expect(throws: ContextError.self) {
                try two.publish(["two": LogValue(String(repeating: "2", count: 400))])
            }
        }
        log.logger.info("not the old one")
        try one.publish([:])
        try two.publish(["two": LogValue(String(repeating: "2", count: 400))])
        log.logger.info("new")
        #expect(log.records.map { $0.attributes.map(\.key) } == [["one", "two"], ["one"], ["two"]])
        #expect(captured.lines(with: "ambient attributes take").count == 1)
    }

    @Test func `a change that never ends, as in a forked child, keeps no call waiting`() async throws {
        let log = MemoryLog()
        let provider = PublishedContext()
        log.pipeline.add(provider)
        try provider.publish(["place": "harbour"])
        log.logger.info("before")
        _ = log.pipeline.ambient.prepare(ContextShares.Joined())
        let logger = log.logger
        try await blocking {
            logger.info("by number")
            logger.log(LogRecord(level: .info, message: "by copy"))
        }
        try provider.publish(["place": "sea"])
        log.logger.info("after")
        #expect(log.messages == ["before", "by number", "by copy", "after"])
        #expect(log.records.map { $0["place"] } == ["harbour", "harbour", "harbour", "sea"])
    }
}
