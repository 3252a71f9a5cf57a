import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail

/// What may still be in progress when the time limit for the end of a queue is over.
@Suite(.mayBlock) struct LateEndTests {
    private func pipeline(_ sink: sending any Sink) -> Pipeline {
        Pipeline(sinks: [sink], queue: QueueOptions(capacity: 64 << 10, handleSignals: false))
    }

    @Test func `while a sink blocks a writer no other writer uses the sink, and then logging continues`() async throws {
        let sink = GatedSink()
        let pipeline = pipeline(sink)
        pipeline.logger.info("first")
        try await blocking { sink.waitForWriter() }
        #expect(try await blocking { pipeline.end(timeout: .seconds(0.01), closesSinks: false) } == false)
        pipeline.logger.info("dropped")
        #expect(pipeline.ring == nil)
        #expect(throws: PipelineChangeError.self) { try pipeline.change(to: PipelineSetup()) }
        sink.open()
        #expect(
            await eventually {
                pipeline.logger.info("after")
                return sink.messages.contains("after")
            })
        #expect(sink.messages.prefix(2) == ["first", "after"])
        #expect(try await blocking { pipeline.flush() } == false)
        pipeline.shutdown()
    }

    @Test func `while a caller copies its record, its ring is not replaced`() async throws {
        let sink = MemorySink()
        let pipeline = pipeline(sink)
        pipeline.logger.info("first")
        #expect(pipeline.drain())
        #expect(pipeline.queue.reserve(64) != nil)
        #expect(try await blocking { pipeline.end(timeout: .seconds(0.01), closesSinks: false) } == false)
        pipeline.logger.info("dropped")
        #expect(pipeline.ring == nil)
        #expect(sink.messages == ["first"])
    }

    @Test func `while a caller copies its record, its ring is not replaced, even if a dead ring comes first`()
        async throws
    {
        let directory = TemporaryDirectory()
        let options = QueueOptions(capacity: 64 << 10, handleSignals: false, directory: directory.path)
        let away = FailingSink(name: "away")
        away.fail()
        let first = Pipeline(sinks: [away], queue: options)
        first.logger.info("left")
        #expect(try await blocking { first.shutdown(timeout: .seconds(0.01)) } == false)
        try #require(Recovery.rings(in: directory.path).count == 1)
        RecoveryRun.awaitUnlocked(directory.path)
        let sink = FailingSink(name: "away")
        sink.fail()
        let second = Pipeline(sinks: [sink], queue: options)
        second.logger.info("first")
        #expect(await eventually { sink.attempts > 0 })
        #expect(second.queue.reserve(64) != nil)
        #expect(try await blocking { second.end(timeout: .seconds(0.01), closesSinks: false) } == false)
        second.logger.info("dropped")
        #expect(second.ring == nil)
    }

    @Test func `flush and drain wait while a queue closes, for a limited time`() async throws {
        let sink = GatedSink()
        let pipeline = pipeline(sink)
        pipeline.logger.info("first")
        try await blocking { sink.waitForWriter() }
        let end = OwnThread { pipeline.end(timeout: .seconds(3600), closesSinks: true) }
        #expect(await eventually { pipeline.queue.control.state == .closing })
        #expect(try await blocking { pipeline.flush(timeout: .seconds(0.01)) } == false)
        #expect(try await blocking { pipeline.drain(timeout: .seconds(0.01)) } == false)
        #expect(try await blocking { pipeline.shutdown(timeout: .seconds(0.01)) } == false)
        sink.open()
        try await blocking { end.join() }
        #expect(pipeline.flush() && pipeline.drain() && pipeline.shutdown())
        #expect(sink.messages == ["first"])
    }

    @Test func `a call made while a sink holds up the end waits for a limited time, and the next ones not at all`()
        async throws
    {
        let sink = GatedSink()
        let pipeline = pipeline(sink)
        pipeline.logger.info("first")
        try await blocking { sink.waitForWriter() }
        let end = OwnThread { pipeline.end(timeout: .seconds(3600), closesSinks: false) }
        #expect(await eventually { pipeline.queue.control.state == .closing })
        let queue = pipeline.queue
        let reserved = try await blocking {
            var queue = queue
            queue.limits.closingNanoseconds = 1_000_000
            return queue.reserveSlowly(64, .error) {}
        }
        #expect(reserved == nil)
        // These would take hours if each waited for as long as a call may.
        try await blocking { for _ in 0..<2000 { pipeline.logger.info("dropped") } }
        #expect(pipeline.queue.control.state == .closing)
        let header = try #require(pipeline.queue.control.header)
        #expect(header.dropped(.error, for: .closed) == 1 && header.dropped(.info, for: .closed) == 2000)
        sink.open()
        try await blocking { end.join() }
        #expect(sink.messages == ["first"])
        #expect(try await blocking { pipeline.flush() } == false)
        pipeline.logger.info("after")
        #expect(try await blocking { pipeline.shutdown() })
        #expect(sink.messages == ["first", "after"])
    }
}
