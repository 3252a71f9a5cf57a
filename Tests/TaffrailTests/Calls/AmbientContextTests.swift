import Synchronization
import TaffrailTestSupport
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Ambient attributes while they change.
@Suite(.mayBlock) struct AmbientContextTests {
    private final class Provider: ContextProvider {
        private let slot = Guarded<ContextSlot?>(nil)
        let running = Atomic<Int>(4)

        func publish(into slot: ContextSlot) { self.slot.withLock { $0 = slot } }

        func publish(_ attributes: LogAttributes) throws { try slot.withLock { $0 }?.publish(attributes) }
    }

    @Test func `what is swapped while four threads log is never torn`() async throws {
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(handleSignals: false))
        let provider = Provider()
        pipeline.add(provider)
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for n in 0..<3000 { pipeline.logger.info("\(thread) \(n)") }
                    provider.running.subtract(1, ordering: .relaxed)
                }
            }
            group.addTask {
                var n: Int64 = 0
                while provider.running.load(ordering: .relaxed) > 0 {
                    n += 1
                    // As many more values of the same number as tell how long the text before them is.
                    let text = String(repeating: "x", count: Int(n % 50))
                    try? provider.publish(["first": .int(n), "text": LogValue(text), "second": .int(n)])
                    if n % 7 == 0 { try? provider.publish([:]) }
                }
            }
        }
        #expect(pipeline.flush())
        let records = sink.records.filter { $0.message != "Logger initialized" }
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

    @Test func `more than 512 bytes are refused, and the old ones stay`() throws {
        let log = MemoryLog()
        let (one, two) = (Provider(), Provider())
        log.pipeline.add(one)
        log.pipeline.add(two)
        try one.publish(["one": LogValue(String(repeating: "1", count: 300))])
        try two.publish(["two": 2])
        #expect(throws: ContextError.self) { try two.publish(["two": LogValue(String(repeating: "2", count: 400))]) }
        log.logger.info("old")
        try one.publish([:])
        try two.publish(["two": LogValue(String(repeating: "2", count: 400))])
        log.logger.info("new")
        #expect(log.records.map { $0.attributes.map(\.key) } == [["one", "two"], ["two"]])
        #expect(log.records[0]["two"] == 2)
    }

    @Test func `a change that never ends, as in a forked child, keeps no call waiting`() async throws {
        let log = MemoryLog()
        let provider = Provider()
        log.pipeline.add(provider)
        try provider.publish(["place": "harbour"])
        log.logger.info("before")
        _ = log.pipeline.ambient.begin()
        let logger = log.logger
        try await blocking { logger.info("meanwhile") }
        try provider.publish(["place": "sea"])
        log.logger.info("after")
        #expect(log.messages == ["before", "meanwhile", "after"])
        #expect(log.records.map { $0["place"] } == ["harbour", nil, "sea"])
    }
}
