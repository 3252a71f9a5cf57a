import Synchronization
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Records and callers when sinks fail.
@Suite(.mayBlock) struct SinkFailureTests {
    private let captured = CapturedDiagnostics()

    private func pipeline(_ sinks: sending [any Sink], capacity: Int = 64 << 10) -> Pipeline {
        // A call that waits at all makes the test hang.
        Pipeline(
            sinks: sinks, queue: QueueOptions(capacity: capacity, blockLimit: .seconds(3600), handleSignals: false),
            level: .trace)
    }

    private func own(_ records: [LogRecord]) -> [String] {
        records.filter { $0.logger != "taffrail" }.map(\.message)
    }

    @Test func `a temporary failure is retried until it works, and reported once`() {
        let sink = FailingSink(name: "flaky-\(UInt64.random(in: 0 ... .max))")
        sink.fail(FailingSink.Failure(.temporary, taken: 2, times: 4, reason: "the line is busy"))
        let pipeline = pipeline([sink])
        for n in 0..<200 { pipeline.logger.info("\(n)") }
        #expect(pipeline.flush())
        #expect(own(sink.records) == (0..<200).map { "\($0)" })
        #expect(sink.records.map(\.sequence) == Array(1...200))
        #expect(sink.failures == 4)
        let lines = captured.lines(with: sink.name)
        // A try that takes some records is a recovery and a failure again.
        #expect(lines.filter { $0.hasSuffix("the line is busy; retrying") }.count <= 4)
        #expect(lines.last?.hasSuffix("is accepting records again") == true)
        pipeline.shutdown()
    }

    @Test func `a lasting failure is reported once, however often it is retried`() async {
        let sink = FailingSink(name: "away-\(UInt64.random(in: 0 ... .max))")
        sink.fail()
        let pipeline = pipeline([sink])
        pipeline.logger.info("waits")
        #expect(await eventually { sink.failures >= 4 })
        sink.restore()
        #expect(pipeline.flush())
        #expect(own(sink.records) == ["waits"])
        #expect(
            captured.lines(with: sink.name) == [
                "sink \(sink.name): configured to fail; retrying",
                "no sink is accepting records (\(sink.name): configured to fail); dropping low-level records so the program does not block",
                "sink \(sink.name) is accepting records again",
            ])
        pipeline.shutdown()
    }

    @Test func `a permanently refused record is skipped, the others are written once`() {
        let sink = FailingSink(name: "picky-\(UInt64.random(in: 0 ... .max))", refusing: { $0.message.hasSuffix("7") })
        let pipeline = pipeline([sink])
        for n in 0..<100 { pipeline.logger.info("\(n)") }
        #expect(!pipeline.flush() && pipeline.flush())
        #expect(own(sink.records) == (0..<100).map { "\($0)" }.filter { !$0.hasSuffix("7") })
        #expect(pipeline.queue.control.header?.lost(inSlot: 0) == 10)
        #expect(captured.lines(with: sink.name).count == 10)
        pipeline.shutdown()
    }

    @Test func `a record that is refused after a failure ends the failure`() async {
        let sink = FailingSink(name: "back-\(UInt64.random(in: 0 ... .max))", refusing: { _ in true })
        sink.fail(FailingSink.Failure(.temporary, times: 1))
        let pipeline = pipeline([sink])
        pipeline.logger.info("refused")
        #expect(await eventually { pipeline.queue.control.header?.lost(inSlot: 0) == 1 })
        #expect(await eventually { !pipeline.queue.control.isDegraded })
        #expect(captured.lines(with: sink.name).contains("sink \(sink.name) is accepting records again"))
        pipeline.shutdown()
    }

    @Test func `a failing sink is detached while the other works, and missed records are reported when it recovers`()
        async
    {
        let good = MemorySink(name: "good")
        let bad = FailingSink(name: "bad-\(UInt64.random(in: 0 ... .max))")
        let pipeline = pipeline([bad, good])
        pipeline.logger.info("before")
        #expect(pipeline.flush())
        bad.fail()
        for n in 0..<3000 { pipeline.logger.info("\(n)") }
        #expect(!pipeline.flush())
        #expect(own(good.records) == ["before"] + (0..<3000).map { "\($0)" })
        #expect(good.records.reportedDrops == [:])
        bad.restore()
        // It is tried again with a record that comes when its delay is over.
        #expect(
            await eventually {
                pipeline.logger.info("after")
                return bad.messages.last == "after"
            })
        // Records that it missed before that are lost.
        pipeline.flush()
        #expect(pipeline.flush())
        let missed = good.records.count - bad.records.count
        #expect(missed > 2000)
        let sequences = bad.records.map(\.sequence)
        #expect(sequences == Array(Set(sequences)).sorted())
        #expect(pipeline.queue.control.header?.lost(inSlot: 0) == UInt64(missed))
        #expect(
            captured.lines(with: bad.name) == [
                "sink \(bad.name): configured to fail; retrying",
                "sink \(bad.name) is detached; the records it misses are counted: configured to fail",
                "sink \(bad.name) is accepting records again; it missed \(missed) records",
            ])
        pipeline.shutdown()
    }

    @Test func `when the last sink fails no call waits, and low levels are dropped first`() async {
        let sink = FailingSink(name: "last-\(UInt64.random(in: 0 ... .max))")
        let pipeline = pipeline([sink])
        pipeline.logger.info("before")
        #expect(pipeline.flush())
        sink.fail()
        pipeline.logger.info("first")
        let control = pipeline.queue.control
        #expect(await eventually { control.isDegraded })
        var drops: [Level: Int] = [:]
        var filled = Int(control.tail.pointee.load(ordering: .relaxed) - control.head.pointee.load(ordering: .relaxed))
        for (level, share) in [(Level.debug, 0.5), (.info, 0.75), (.warning, 0.9), (.error, 1)] {
            for n in 0..<1000 { pipeline.logger.log(level: level, "\(level) \(n)") }
            drops[level] = Int(control.header?.dropped(level) ?? 0)
            let now = Int(control.tail.pointee.load(ordering: .relaxed) - control.head.pointee.load(ordering: .relaxed))
            #expect(now > filled && Double(now) <= share * Double(64 << 10))
            filled = now
        }
        #expect(drops.values.allSatisfy { $0 > 0 && $0 < 1000 })
        sink.restore()
        #expect(await eventually { sink.records.reportedDrops == drops })
        let messages = own(sink.records)
        for (level, dropped) in drops {
            #expect(
                messages.filter { $0.hasPrefix("\(level) ") } == (0..<(1000 - dropped)).map { "\(level) \($0)" })
        }
        #expect(!control.isDegraded)
        #expect(!pipeline.drain() && !pipeline.flush() && pipeline.drain())
        for n in 0..<2000 { pipeline.logger.debug("after \(n)") }
        #expect(pipeline.flush())
        #expect(own(sink.records).suffix(2000) == (0..<2000).map { "after \($0)" }[...])
        pipeline.shutdown()
    }

    /// Says nonsense about how many records it took.
    private final class Liar: Sink, Sendable {
        let tries = Atomic<Int>(0)

        func write(_ batch: borrowing RecordBatch) throws(SinkError) {
            switch tries.add(1, ordering: .relaxed).newValue {
            case 1: throw .temporary("fewer than none", taken: -3)
            case 2: throw .permanent("fewer than none, permanently", taken: .min)
            case 3: throw .permanent("more than all, permanently", taken: .max)
            case 4: throw .temporary("more than all", taken: batch.count + 5)
            default: return
            }
        }
    }

    @Test func `a sink that reports an impossible count does not end the program`() {
        let sink = Liar()
        let pipeline = pipeline([sink])
        let results = (0..<20).map { n in
            pipeline.logger.info("\(n)")
            return pipeline.flush()
        }
        // Two times it refuses records.
        #expect((1...2).contains(results.count { !$0 }) && results.last == true)
        #expect(sink.tries.load(ordering: .relaxed) > 10)
        pipeline.shutdown()
    }

    @Test func `a failed flush does not count, and succeeds later`() async {
        let sink = FailingSink(name: "flushless-\(UInt64.random(in: 0 ... .max))")
        let pipeline = pipeline([sink])
        sink.failFlush()
        pipeline.logger.info("one")
        #expect(!pipeline.flush(timeout: .seconds(0.02)))
        #expect(pipeline.drain())
        #expect(own(sink.records) == ["one"])
        sink.restore()
        #expect(pipeline.flush())
        pipeline.shutdown()
    }
}
