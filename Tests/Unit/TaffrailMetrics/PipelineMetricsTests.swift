#if Metrics
import CoreMetrics
import MetricsTestKit
import Taffrail
import TaffrailGeo
import TaffrailMetrics
import TaffrailTestSupport
import TaffrailTesting
import Testing

/// The state of a pipeline in swift-metrics.
@Suite(.mayBlock) struct PipelineMetricsTests {
    /// Refuses records whose message is `bad`.
    private final class PickySink: Sink {
        let name = "picky"

        func write(_ batch: borrowing RecordBatch) throws(SinkError) {
            var taken = 0
            var bad = false
            batch.forEach { record in
                if record.message == "bad" { bad = true }
                if !bad { taken += 1 }
            }
            if bad { throw .permanent("it is bad", taken: taken) }
        }
    }

    @Test func `counters rise by what was logged since the last update, and gauges have the current state`() throws {
        let test = TestMetrics()
        let sink = MemorySink(name: "kept")
        let pipeline = Pipeline(
            sinks: [sink, PickySink()],
            queue: QueueOptions(capacity: 64 << 10, durable: false, handleSignals: false))
        let metrics = PipelineMetrics(pipeline, factory: test)
        metrics.update()
        // Positions are those of all of the program, so of other tests, too.
        #expect(test.counters.allSatisfy { $0.label == "taffrail_fixes_total" })

        for number in 0..<5 { pipeline.logger.info("record \(number)") }
        pipeline.logger.warning("bad")
        _ = pipeline.drain()
        metrics.update()
        metrics.update()
        #expect(try test.expectCounter("taffrail_records_total").totalValue == 6)
        #expect(try test.expectCounter("taffrail_sink_written_total", [("sink", "kept")]).totalValue == 6)
        #expect(try test.expectCounter("taffrail_sink_lost_total", [("sink", "picky")]).totalValue == 1)
        #expect(try test.expectGauge("taffrail_queue_capacity_bytes").lastValue == 65_536)
        #expect(try test.expectGauge("taffrail_queue_depth_bytes").lastValue == 0)
        #expect(try test.expectGauge("taffrail_sink_behind_bytes", [("sink", "kept")]).lastValue == 0)

        pipeline.logger.info("one more")
        _ = pipeline.drain()
        metrics.update()
        #expect(try test.expectCounter("taffrail_records_total").totalValue == 7)
        _ = pipeline.shutdown()
        metrics.update()
        #expect(try test.expectCounter("taffrail_records_total").totalValue == 7)
    }

    @Test func `records that did not get into the queue are counted by reason and level`() throws {
        let test = TestMetrics()
        let sink = GatedSink()
        let pipeline = Pipeline(
            sinks: [sink],
            queue: QueueOptions(capacity: 64 << 10, whenFull: .dropNewest, durable: false, handleSignals: false))
        let metrics = PipelineMetrics(pipeline, factory: test)
        for number in 0..<5_000 { pipeline.logger.error("record \(number) of many") }
        metrics.update()
        let labels = [("reason", "shed"), ("level", "error")]
        let dropped = try test.expectCounter("taffrail_records_dropped_total", labels).totalValue
        #expect(dropped > 0 && dropped < 5_000)
        #expect(try #require(test.expectGauge("taffrail_queue_depth_bytes").lastValue) > 0)
        sink.open()
        _ = pipeline.shutdown()
        // The last update still saw a full queue.
        metrics.update()
        #expect(try test.expectGauge("taffrail_queue_depth_bytes").lastValue == 0)
    }

    @Test func `the positions of inputs are counted, from the first update on all of them`() throws {
        let (test, feed) = (TestMetrics(), LocationFeed())
        let pipeline = Pipeline(
            sinks: [MemorySink()], queue: QueueOptions(durable: false, handleSignals: false))
        let metrics = PipelineMetrics(pipeline, feed: feed, factory: test)
        for number in 0..<3 { feed.publish(.location(Location(latitude: Double(number), longitude: 0))) }
        feed.publish(.error(.locationUnknown("no fix")))
        metrics.update()
        feed.publish(.location(Location(latitude: 4, longitude: 0)))
        metrics.update()
        // Those of a queue that is opened begin anew, these do not.
        pipeline.logger.info("a queue")
        metrics.update()
        #expect(try test.expectCounter("taffrail_fixes_total").totalValue == 4)
        _ = pipeline.shutdown()
    }

    @Test func `they are updated again and again until the task is cancelled, and once more then`() async throws {
        let test = TestMetrics()
        let pipeline = Pipeline(
            sinks: [MemorySink(name: "kept")], queue: QueueOptions(durable: false, handleSignals: false))
        let metrics = PipelineMetrics(pipeline, factory: test)
        pipeline.logger.info("first")
        _ = pipeline.drain()
        let task = Task { await metrics.run(every: .milliseconds(1)) }
        func records() -> Int64 { (try? test.expectCounter("taffrail_records_total").totalValue) ?? 0 }
        #expect(await eventually { records() == 1 })
        pipeline.logger.info("second")
        _ = pipeline.drain()
        #expect(await eventually { records() == 2 })
        task.cancel()
        await task.value
        _ = pipeline.shutdown()
    }

    @Test func `the numbers of a plugin's status file are gauges`() throws {
        let directory = TemporaryDirectory()
        let test = TestMetrics()
        let pipeline = Pipeline(
            sinks: [try .file(directory.file("app.log"))], queue: QueueOptions(handleSignals: false))
        let metrics = PipelineMetrics(pipeline, factory: test)
        pipeline.logger.info("hello")
        _ = pipeline.flush()
        let file = SinkBook.StatusFile(of: "recorder", in: directory.path + "/.taffrail")
        #expect(
            file.publish([
                LogValueEntry("events", .int(12)), LogValueEntry("recording", .bool(true)),
                LogValueEntry("file", .string("a.json")),
                LogValueEntry("last", .map([LogValueEntry("latitude", .double(55.5))])),
            ]))
        metrics.update()
        func value(_ key: String) throws -> Double? {
            try test.expectGauge("taffrail_plugin_status", [("plugin", "recorder"), ("key", key)]).lastValue
        }
        #expect(try value("events") == 12)
        #expect(try value("recording") == 1)
        #expect(try value("last.latitude") == 55.5)
        #expect(throws: TestMetricsError.self) { try value("file") }
        _ = pipeline.shutdown()
    }
}
#endif
