import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Flush, drain and the end of a pipeline.
@Suite(.mayBlock) struct ShutdownTests {
    private func pipeline(_ sink: sending any Sink, directory: String? = nil) -> Pipeline {
        Pipeline(sinks: [sink], queue: QueueOptions(capacity: 64 << 10, handleSignals: false, directory: directory))
    }

    @Test func `an empty queue is drained at once`() {
        let sink = MemorySink()
        let pipeline = pipeline(sink)
        #expect(pipeline.flush() && pipeline.drain())
        #expect(pipeline.shutdown())
        #expect(sink.records.isEmpty)
        #expect(pipeline.shutdown())
    }

    @Test func `drain waits for the sinks, flush for their flush`() {
        let sink = MemorySink()
        let pipeline = pipeline(sink)
        for n in 0..<500 { pipeline.logger.info("\(n)") }
        #expect(pipeline.drain())
        #expect(sink.records.count == 500 && sink.flushes == 0)
        #expect(pipeline.flush())
        #expect(sink.flushes == 1)
        pipeline.shutdown()
    }

    @Test func `a record of the flush level is flushed without a request`() async {
        let sink = MemorySink()
        let pipeline = pipeline(sink)
        pipeline.logger.warning("not yet")
        #expect(pipeline.drain())
        #expect(sink.flushes == 0)
        pipeline.logger.error("now")
        #expect(await eventually { sink.flushes > 0 })
        #expect(sink.messages.last == "now")
        pipeline.shutdown()
    }

    @Test func `records logged after shutdown are dropped, and no sink is called`() {
        let sink = MemorySink()
        let pipeline = pipeline(sink)
        pipeline.logger.info("before")
        #expect(pipeline.shutdown())
        #expect(sink.isClosed)
        let flushes = sink.flushes
        for _ in 0..<5 { pipeline.logger.error("after") }
        #expect(pipeline.flush() && pipeline.drain() && pipeline.shutdown())
        #expect(sink.messages == ["before"])
        #expect(sink.flushes == flushes)
        #expect(pipeline.queue.control.header?.dropped(.error) == 5)
    }

    @Test func `shutdown before the first record is permanent as well`() {
        let sink = MemorySink()
        let pipeline = pipeline(sink)
        #expect(pipeline.shutdown())
        pipeline.logger.info("after")
        #expect(pipeline.flush())
        #expect(sink.records.isEmpty)
    }

    @Test func `two threads end one pipeline, while others log`() async {
        let sink = MemorySink()
        let pipeline = pipeline(sink)
        for n in 0..<100 { pipeline.logger.info("\(n)") }
        await withTaskGroup { group in
            for _ in 0..<2 { group.addTask { _ = pipeline.shutdown() } }
            for _ in 0..<2 { group.addTask { for n in 100..<200 { pipeline.logger.info("late \(n)") } } }
        }
        #expect(sink.isClosed)
        let kept = sink.messages.filter { $0.hasPrefix("late") }.count
        let dropped = pipeline.queue.control.header?.dropped(.info) ?? 0
        #expect(kept + Int(dropped) == 200)
        #expect(sink.messages.filter { !$0.hasPrefix("late") }.count == 100)
    }

    @Test func `after a shutdown that could not write everything, flush, drain and shutdown return false`() {
        let directory = TemporaryDirectory()
        let sink = FailingSink(name: "away")
        sink.fail()
        let pipeline = pipeline(sink, directory: directory.path)
        pipeline.logger.info("unwritten")
        #expect(!pipeline.shutdown(timeout: .seconds(0.01)))
        #expect(!pipeline.flush())
        #expect(!pipeline.drain())
        #expect(!pipeline.shutdown())
        #expect(Recovery.rings(in: directory.path).count == 1)
    }

    @Test func `a writer that ends after the time limit with everything written makes flush return true`() async throws
    {
        let sink = GatedSink()
        let pipeline = pipeline(sink)
        pipeline.logger.info("first")
        try await blocking { sink.waitForWriter() }
        #expect(try await blocking { pipeline.shutdown(timeout: .seconds(0.01)) } == false)
        #expect(!pipeline.flush() && !pipeline.shutdown())
        sink.open()
        #expect(await eventually { pipeline.flush() })
        #expect(pipeline.drain() && pipeline.shutdown())
        #expect(sink.messages == ["first"])
    }

    @Test func `records that a shutdown cannot write stay in the ring's file`() {
        let directory = TemporaryDirectory()
        let sink = FailingSink(name: "stays")
        sink.fail()
        let first = pipeline(sink, directory: directory.path)
        for n in 0..<50 { first.logger.info("\(n)") }
        #expect(!first.shutdown(timeout: .seconds(0.01)))
        #expect(Recovery.rings(in: directory.path).count == 1)
        RecoveryRun.awaitUnlocked(directory.path)
        let next = MemorySink(name: "stays")
        let second = pipeline(next, directory: directory.path)
        second.logger.info("next run")
        #expect(second.shutdown())
        #expect(next.messages == (0..<50).map { "\($0)" } + ["next run"])
        #expect(Recovery.rings(in: directory.path) == [])
    }
}
