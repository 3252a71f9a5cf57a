import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail

/// Log calls while no queue can be opened.
@Suite(.mayBlock) struct UnopenedQueueTests {
    private struct Options: PluginOptions {}

    /// A plugin whose sink takes long to be created.
    private final class SlowPlugin: Sendable {
        let sink = MemorySink(name: "slow")
        private let entered = DispatchSemaphore(value: 0)
        private let free = DispatchSemaphore(value: 0)

        var setup: PipelineSetup {
            var setup = PipelineSetup()
            setup.queue = QueueOptions(handleSignals: false)
            setup.sinks = [
                PlannedPlugin(
                    PluginInstance(name: "slow", logDirectory: "/tmp", program: "test"), plugin: "slow",
                    options: Options(),
                    builder: .sink { _ in
                        self.entered.signal()
                        self.free.wait()
                        return self.sink
                    })
            ]
            return setup
        }

        func waitUntilEntered() { entered.wait() }
        func release() { free.signal() }
    }

    @Test func `a call made while a set-up hangs waits for a limited time, and the next ones not at all`() async throws
    {
        let plugin = SlowPlugin()
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(handleSignals: false))
        pipeline.setUpLimit = 1_000_000
        let change = OwnThread {
            #expect(throws: Never.self) { try pipeline.change(to: plugin.setup, timeout: .seconds(3600)) }
        }
        try await blocking { plugin.waitUntilEntered() }
        try await blocking { pipeline.logger.error("dropped") }
        pipeline.setUpLimit = 3_600_000_000_000
        try await blocking { for _ in 0..<2000 { pipeline.logger.info("dropped") } }
        try await blocking {
            for _ in 0..<2000 { #expect(!pipeline.logger.offer(LogRecord(level: .info, message: "kept"))) }
        }
        plugin.release()
        try await blocking { change.join() }
        pipeline.logger.info("after")
        #expect(try await blocking { pipeline.flush() } == false)
        #expect(try await blocking { pipeline.flush() })
        #expect(plugin.sink.records.filter { $0.logger != "taffrail" }.map(\.message) == ["after"])
        #expect(plugin.sink.records.reportedDrops == [.error: 1, .info: 2000])
        let header = try #require(pipeline.queue.control.header)
        #expect(header.dropped(.error, for: .closed) == 1 && header.dropped(.info, for: .closed) == 2000)
        pipeline.shutdown()
    }

    @Test func `a caller that waits without a limit waits until a set-up has ended`() async throws {
        let plugin = SlowPlugin()
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(handleSignals: false))
        pipeline.setUpLimit = 1_000_000
        let change = OwnThread { try? pipeline.change(to: plugin.setup, timeout: .seconds(3600)) }
        try await blocking { plugin.waitUntilEntered() }
        try await blocking { pipeline.logger.info("dropped") }
        let outcome = Locked<Admission?>(nil)
        let waiting = OwnThread {
            let made = pipeline.logger.logAnyLevel(LogRecord(level: .info, message: "waits"), waits: true)
            outcome.withLock { $0 = made }
        }
        plugin.release()
        try await blocking {
            change.join()
            waiting.join()
        }
        #expect(outcome.withLock { $0 } == .queued)
        #expect(pipeline.drain(timeout: .seconds(60)) == false)
        #expect(plugin.sink.messages.contains("waits"))
        pipeline.shutdown()
    }

    @Test func `a caller that waits without a limit waits for the next attempt to create a queue`() async throws {
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(handleSignals: false))
        pipeline.queue.control.fail()
        pipeline.logger.info("dropped")
        let admission = try await blocking {
            pipeline.logger.logAnyLevel(LogRecord(level: .info, message: "waits"), waits: true)
        }
        #expect(admission == .queued)
        #expect(pipeline.drain(timeout: .seconds(60)) == false)
        #expect(sink.messages.contains("waits"))
        pipeline.shutdown()
    }
}
