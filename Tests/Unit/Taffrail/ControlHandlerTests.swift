import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Commands to plugin instances.
@Suite(.mayBlock) struct ControlHandlerTests {
    @Test func `one command at a time is carried out`() async throws {
        let pipeline = Pipeline(sinks: [MemorySink()], queue: QueueOptions(durable: false, handleSignals: false))
        let running = Locked((now: 0, most: 0))
        let registration = pipeline.handleCommands(for: "player") { _ in
            running.withLock { $0.now += 1 }
            // Long enough for others to come in between.
            for _ in 0..<5_000 { running.withLock { $0.most = max($0.most, $0.now) } }
            running.withLock { $0.now -= 1 }
            return ControlCommand.Answer()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await blocking {
                        for _ in 0..<20 { _ = try pipeline.execute(ControlCommand("pause"), by: "player") }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.most } == 1)
        registration.end()
        #expect(throws: OptionError.self) { try pipeline.execute(ControlCommand("pause"), by: "player") }
        _ = pipeline.shutdown()
    }
}
