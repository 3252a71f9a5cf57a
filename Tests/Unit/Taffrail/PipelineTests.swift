import Taffrail
import TaffrailTesting
import TaffrailTestSupport
import Testing

@Suite(.mayBlock) struct PipelineTests {
    private func memoryPipeline(
        _ sink: MemorySink, queue: QueueOptions = QueueOptions(handleSignals: false), level: Level = .info
    ) -> Pipeline {
        Pipeline(sinks: [sink], queue: queue, level: level)
    }

    @Test func `records reach the sink in order, numbered from 1 without gaps`() {
        let sink = MemorySink()
        let pipeline = memoryPipeline(sink)
        for n in 1...1000 { pipeline.logger.info("line \(n)", ["n": LogValue(n)]) }
        #expect(pipeline.flush())
        #expect(sink.messages == (1...1000).map { "line \($0)" })
        #expect(sink.records.map(\.sequence) == Array(1...1000))
        #expect(sink.records.last?["n"] == .int(1000))
        #expect(pipeline.shutdown())
        #expect(sink.isClosed)
    }

    @Test func `a call below the level evaluates nothing`() {
        let sink = MemorySink()
        let pipeline = memoryPipeline(sink)
        var evaluated = false
        func touch() -> String {
            evaluated = true
            return "x"
        }
        pipeline.logger.debug("\(touch())")
        #expect(!evaluated)
        pipeline.level = .debug
        pipeline.logger.debug("\(touch())")
        #expect(evaluated)
        pipeline.shutdown()
    }

    @Test func `four threads lose and duplicate nothing`() async {
        let sink = MemorySink()
        let pipeline = memoryPipeline(
            sink, queue: QueueOptions(capacity: 64 << 10, blockLimit: .seconds(60), handleSignals: false))
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for n in 0..<5000 { pipeline.logger.info("\(thread) \(n)") }
                }
            }
        }
        #expect(pipeline.flush())
        let messages = sink.messages
        #expect(messages.count == 20000)
        for thread in 0..<4 {
            #expect(messages.filter { $0.hasPrefix("\(thread) ") } == (0..<5000).map { "\(thread) \($0)" })
        }
        pipeline.shutdown()
    }
}
