import Foundation
import Synchronization
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// A queue that is full because its sink is stuck.
@Suite(.mayBlock) struct FullQueueTests {
    private let sink = GatedSink()

    /// A pipeline whose writer waits at the sink's gate.
    private func stuckPipeline(_ whenFull: QueueOptions.WhenFull, blockLimit: Duration = .seconds(3600)) -> Pipeline {
        let pipeline = Pipeline(
            sinks: [sink],
            queue: QueueOptions(
                capacity: 64 << 10, whenFull: whenFull, blockLimit: blockLimit, handleSignals: false),
            level: .trace)
        pipeline.logger.info("first")
        sink.waitForWriter()
        return pipeline
    }

    private func dropped(_ pipeline: Pipeline, _ level: Level) -> Int {
        Int(pipeline.queue.control.header?.dropped(level) ?? 0)
    }

    /// Opens the gate and waits until the log contains all drops.
    ///
    /// - Parameter areRequested: Whether the options drop these records; a flush reports others.
    private func openAndAwaitDrops(
        _ pipeline: Pipeline, expecting drops: [Level: Int], areRequested: Bool = true
    ) async {
        sink.open()
        #expect(pipeline.flush() == areRequested)
        #expect(await eventually { sink.records.reportedDrops == drops })
    }

    @Test func `dropNewest drops at once, counts by level, and logs that when there is space`() async {
        let captured = CapturedDiagnostics()
        let pipeline = stuckPipeline(.dropNewest)
        for n in 0..<1000 {
            pipeline.logger.info("info \(n)")
            pipeline.logger.error("error \(n)")
        }
        let drops: [Level: Int] = [.info: dropped(pipeline, .info), .error: dropped(pipeline, .error)]
        #expect((drops[.info] ?? 0) > 500 && (drops[.error] ?? 0) > 500)
        await openAndAwaitDrops(pipeline, expecting: drops)
        for (level, name) in [(Level.info, "info"), (.error, "error")] {
            let kept = sink.messages.filter { $0.hasPrefix(name) }
            // The first records are kept, later ones are dropped; a shorter one may still have found space.
            #expect(kept.count == 1000 - (drops[level] ?? 0))
            #expect(kept.prefix(100) == (0..<100).map { "\(name) \($0)" }[...])
        }
        pipeline.logger.info("after")
        #expect(pipeline.flush())
        #expect(sink.messages.last == "after")
        let reports = sink.records.filter { $0.logger == "taffrail" }
        #expect(reports.allSatisfy { $0.level == .warning && $0.message.wholeMatch(of: /dropped \d+ records?/) != nil })
        #expect(captured.lines.contains(reports[0].message))
        pipeline.shutdown()
    }

    @Test func `dropBelow drops records below the level and waits with the rest`() async {
        let pipeline = stuckPipeline(.dropBelow(.warning))
        for n in 0..<1600 { pipeline.logger.info("info \(n)") }
        let drops = [Level.info: dropped(pipeline, .info)]
        #expect((drops[.info] ?? 0) > 500)
        let logger = pipeline.logger
        let waiting = OwnThread { logger.warning("important \(String(repeating: "!", count: 1000))") }
        let control = pipeline.queue.control
        #expect(await eventually { control.spaceWaiters.pointee.load(ordering: .relaxed) == 1 })
        await openAndAwaitDrops(pipeline, expecting: drops)
        waiting.join()
        #expect(pipeline.flush())
        #expect(sink.messages.contains { $0.hasPrefix("important") })
        #expect(dropped(pipeline, .warning) == 0)
        pipeline.shutdown()
    }

    @Test func `block waits for space and loses nothing`() async {
        let pipeline = stuckPipeline(.block)
        let logger = pipeline.logger
        let threads = (0..<2).map { thread in
            OwnThread { for n in 0..<1000 { logger.info("\(thread) \(n)") } }
        }
        let control = pipeline.queue.control
        #expect(await eventually { control.spaceWaiters.pointee.load(ordering: .relaxed) > 0 })
        sink.open()
        for thread in threads { thread.join() }
        #expect(pipeline.flush())
        for thread in 0..<2 {
            #expect(sink.messages.filter { $0.hasPrefix("\(thread) ") } == (0..<1000).map { "\(thread) \($0)" })
        }
        #expect(sink.records.reportedDrops == [:])
        pipeline.shutdown()
    }

    @Test func `a caller that keeps losing the competition for space takes precedence`() async {
        let pipeline = stuckPipeline(.block)
        let logger = pipeline.logger
        let control = pipeline.queue.control
        let waiting = OwnThread { for n in 0..<2000 { logger.info("\(n)") } }
        // A caller that is woken and finds the room taken.
        #expect(
            await eventually {
                control.space.advance()
                return control.isPrecedenceTaken
            })
        #expect(control.limit.pointee.load(ordering: .relaxed) == 0)
        sink.open()
        waiting.join()
        #expect(!control.isPrecedenceTaken)
        #expect(pipeline.flush())
        #expect(sink.messages.suffix(2000) == (0..<2000).map(String.init)[...])
        pipeline.shutdown()
    }

    @Test func `while a caller has precedence the others wait, even if there is room`() async {
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(handleSignals: false))
        sink.open()
        let logger = pipeline.logger
        logger.info("first")
        let control = pipeline.queue.control
        control.takePrecedence()
        // The writer frees room, which opens the short way only for itself.
        #expect(pipeline.flush())
        let waiting = OwnThread { logger.info("second") }
        #expect(await eventually { control.spaceWaiters.pointee.load(ordering: .relaxed) == 1 })
        control.endPrecedence()
        waiting.join()
        #expect(pipeline.flush())
        #expect(sink.messages.suffix(2) == ["first", "second"])
        pipeline.shutdown()
    }

    @Test func `when the time limit is over the record is dropped, and then no call waits`() async {
        let pipeline = stuckPipeline(.block, blockLimit: .milliseconds(10))
        // Would each of these wait, the test would take a minute.
        for n in 0..<6100 { pipeline.logger.info("info \(n)") }
        let drops = [Level.info: dropped(pipeline, .info)]
        #expect((drops[.info] ?? 0) > 5000)
        #expect(pipeline.queue.control.isStuck)
        await openAndAwaitDrops(pipeline, expecting: drops, areRequested: false)
        for n in 0..<1000 {
            pipeline.logger.info("after \(n)")
            if n % 100 == 99 { #expect(pipeline.flush()) }
        }
        #expect(sink.messages.filter { $0.hasPrefix("info") }.count == 6100 - (drops[.info] ?? 0))
        #expect(sink.messages.suffix(1000) == (0..<1000).map { "after \($0)" }[...])
        pipeline.shutdown()
    }

    @Test func `four threads keep their order, whatever is dropped`() async {
        let pipeline = stuckPipeline(.dropNewest)
        let sink = sink
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for n in 0..<2000 {
                        if thread == 0 && n == 1000 { sink.open() }
                        pipeline.logger.info("\(thread) \(n)")
                    }
                }
            }
        }
        #expect(pipeline.flush())
        let drops = [Level.info: dropped(pipeline, .info)].filter { $0.value > 0 }
        #expect(await eventually { sink.records.reportedDrops == drops })
        var kept = 0
        for thread in 0..<4 {
            let numbers = sink.messages.filter { $0.hasPrefix("\(thread) ") }.map { Int($0.dropFirst(2)) ?? -1 }
            #expect(numbers == Array(Set(numbers)).sorted())
            kept += numbers.count
        }
        #expect(kept + (drops[.info] ?? 0) == 8000)
        pipeline.shutdown()
    }
}
