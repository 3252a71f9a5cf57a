import Taffrail
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// A sink that uses the pipeline that it is part of.
@Suite(.mayBlock) struct SinkOfItsOwnLogTests {
    /// Logs, drains and flushes from within its own calls.
    private final class Ouroboros: Sink, Sendable {
        let pipeline = Locked<Pipeline?>(nil)
        let answers = Locked<[Bool]>([])
        let memory = MemorySink()

        func write(_ batch: borrowing RecordBatch) throws(SinkError) {
            try memory.write(batch)
            guard let pipeline = pipeline.withLock({ $0 }) else { return }
            pipeline.logger.error("from the sink")
            pipeline.logger("another").info("from the sink \(1)", ["key": 1])
            let answered = [pipeline.flush(), pipeline.drain(), pipeline.shutdown()]
            answers.withLock { $0 += answered }
        }
    }

    @Test func `records that a sink logs are dropped and counted, and its waits fail at once`() async {
        let sink = Ouroboros()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(handleSignals: false))
        sink.pipeline.withLock { $0 = pipeline }
        pipeline.logger.info("one")
        #expect(pipeline.flush())
        #expect(await eventually { sink.memory.records.reportedDrops[.error] ?? 0 > 0 })
        #expect(sink.answers.withLock { !$0.isEmpty && !$0.contains(true) })
        #expect(!sink.memory.messages.contains { $0.hasPrefix("from the sink") })
        pipeline.shutdown()
    }

    @Test func `the report of such drops is not answered by the next report for ever`() async {
        let sink = Ouroboros()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(handleSignals: false))
        sink.pipeline.withLock { $0 = pipeline }
        for n in 1...3 {
            pipeline.logger.info("\(n)")
            #expect(pipeline.flush())
        }
        // Each flush is a turn of the writer.
        for _ in 0..<50 { #expect(pipeline.flush()) }
        let reports = sink.memory.records.filter { $0.logger == "taffrail" }
        #expect(!reports.isEmpty && reports.count <= 4)
        sink.pipeline.withLock { $0 = nil }
        pipeline.logger.info("last")
        #expect(pipeline.shutdown())
        let drops = sink.memory.records.reportedDrops
        #expect(drops[.error] == drops[.info])
    }
}
