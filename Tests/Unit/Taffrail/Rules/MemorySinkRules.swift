import Taffrail
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// The sinks of TaffrailTesting keep the rules as well.
@Suite(.mayBlock) struct MemorySinkRules {
    private struct MemorySubject: SinkSubject {
        let sink = MemorySink()
        func makeSink() throws -> any Sink { sink }
        func records() throws -> [LogRecord] { sink.records }
        var outlivesSink: Bool { false }
    }

    private struct FailingSubject: SinkSubject {
        let sink = FailingSink(refusing: { $0.message == "impossible" })
        func makeSink() throws -> any Sink { sink }
        func records() throws -> [LogRecord] { sink.records }
        var outlivesSink: Bool { false }

        func interrupt() throws -> Bool {
            sink.fail(FailingSink.Failure(.temporary, taken: 4))
            return true
        }

        func restore() throws { sink.restore() }

        var impossibleRecord: LogRecord? { LogRecord(level: .info, message: "impossible") }
    }

    @Test(arguments: SinkRule.all) func `the memory sink keeps every rule`(rule: SinkRule) async throws {
        try await rule.check(MemorySubject())
    }

    @Test(arguments: SinkRule.all) func `the failing sink keeps every rule`(rule: SinkRule) async throws {
        try await rule.check(FailingSubject())
    }

    @Test func `a failing sink fails as often as requested`() throws {
        let sink = FailingSink()
        var buffer = RecordBuffer()
        for n in 0..<5 { buffer.append(LogRecord(level: .info, message: "\(n)")) }
        sink.fail(FailingSink.Failure(.permanent, taken: 2, times: 2, reason: "no"))
        var errors: [SinkError] = []
        for _ in 0..<3 {
            do {
                try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
            } catch {
                errors.append(error)
            }
        }
        #expect(errors.map(\.description) == ["permanent: no", "permanent: no"])
        #expect(errors.map(\.taken) == [2, 2])
        #expect(sink.messages == ["0", "1", "0", "1", "0", "1", "2", "3", "4"])
        #expect(sink.attempts == 3 && sink.failures == 2)
    }
}
