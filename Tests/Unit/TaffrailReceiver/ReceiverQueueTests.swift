#if Server
import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailGeo
@testable import TaffrailServer

/// What the receiver answers when the queue does not take everything, without a connection.
@Suite(.mayBlock) struct ReceiverQueueTests {
    @Test func `a queue in memory is refused, and reported as unavailable`() async throws {
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false))
        pipeline.begin()
        let receiver = Receiver(Receiver.Settings(), into: pipeline)
        let answer = try await receiver.answer("POST", "/logs", "{\"message\":\"m\"}")
        #expect(answer.status == 503 && answer.header("retry-after") == "10")
        #expect(try await receiver.answer("GET", "/health").status == 503)
        #expect(
            try await receiver.answer(
                "POST", "/v1/logs", headers: [("content-type", "application/json")],
                #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{}]}]}]}"#
            ).status == 503)
        _ = try await blocking { pipeline.shutdown() }
        #expect(sink.records.isEmpty)
    }

    @Test func `a full queue is answered with 503, and what was confirmed is not lost`() async throws {
        let (sink, pipeline) = try await GatedSink.pipeline()
        var settings = Receiver.Settings.inMemory
        settings.patience = .milliseconds(20)
        let receiver = Receiver(settings, into: pipeline)
        var confirmed: [String] = []
        var refused = ""
        for n in 0..<1_000 {
            let body = (0..<10).map { "{\"message\":\"\(n).\($0)\"}\n" }.joined()
            let answer = try await receiver.answer("POST", "/logs", headers: [("idempotency-key", "\(n)")], body)
            guard answer.status == 200 else {
                #expect(answer.status == 503 && answer.header("retry-after") == "1")
                refused = body
                break
            }
            confirmed += (0..<10).map { "\(n).\($0)" }
        }
        try #require(!refused.isEmpty && confirmed.count > 50)
        sink.open()
        // The rest of the batch that was taken in part.
        let key = [(name: "idempotency-key", value: "\(confirmed.count / 10)")]
        for _ in 0..<2 {
            #expect(
                try await eventually {
                    try await receiver.answer("POST", "/logs", headers: key, refused).status == 200
                })
        }
        _ = try await blocking { pipeline.flush() }
        #expect(sink.messages == ["first"] + confirmed + (0..<10).map { "\(confirmed.count / 10).\($0)" })
        _ = try await blocking { pipeline.shutdown() }
    }

    @Test func `a record that is too long is stored truncated, and the answer reports that`() async throws {
        let sink = MemorySink()
        let pipeline = Pipeline(
            sinks: [sink], queue: QueueOptions(capacity: 64 << 10, durable: false, handleSignals: false))
        let receiver = Receiver(.inMemory, into: pipeline)
        let long = String(repeating: "x", count: 40 << 10)
        let lines = try await receiver.answer("POST", "/logs", "{\"message\":\"\(long)\"}")
        #expect(String(decoding: lines.body, as: UTF8.self) == #"{"accepted":1,"truncated":1}"#)
        let json = try await receiver.answer(
            "POST", "/v1/logs", headers: [("content-type", "application/json")],
            #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"\#(long)"}}]}]}]}"#)
        #expect(json.status == 200)
        #expect(
            String(decoding: json.body, as: UTF8.self).hasPrefix(#"{"partialSuccess":{"errorMessage":"1 record was"#))
        _ = try await blocking { pipeline.shutdown() }
        #expect(sink.records.count == 2)
    }

    /// A pipeline with its queue in a file.
    private static func durable(_ folder: TemporaryDirectory) throws -> (pipeline: Pipeline, receiver: Receiver) {
        let pipeline = try Pipeline(
            sinks: [.file(folder.file("received.log"))], queue: QueueOptions(handleSignals: false))
        return (pipeline, Receiver(Receiver.Settings(), into: pipeline))
    }

    @Test func `a request opens a queue that has ended or has not begun`() async throws {
        let folder = TemporaryDirectory()
        let (pipeline, receiver) = try Self.durable(folder)
        #expect(try await receiver.answer("POST", "/logs", "{\"message\":\"one\"}").status == 200)
        // As when the log moves; nothing else logs in a program that only receives.
        _ = try await blocking { pipeline.end(timeout: .seconds(30), closesSinks: false) }
        #expect(!pipeline.isDurable)
        #expect(try await receiver.answer("GET", "/health").status == 200)
        _ = try await blocking { pipeline.end(timeout: .seconds(30), closesSinks: false) }
        #expect(try await receiver.answer("POST", "/logs", "{\"message\":\"two\"}").status == 200)
        _ = try await blocking { pipeline.shutdown() }
        #expect(try await receiver.answer("GET", "/health").header("retry-after") == "10")
        #expect(folder.text("received.log").contains("one") && folder.text("received.log").contains("two"))
    }

    /// Ends the queue while a record is on its way into it, and makes the next one one in memory.
    private struct MovingGuard: AttributeGuard {
        let pipeline: Pipeline
        let folder: TemporaryDirectory
        let isDone = Flag()
        final class Flag: Sendable { let value = Locked(false) }

        var watchedNames: Set<String> { ["move"] }
        func review(_ attributes: inout GuardedAttributes) -> Verdict {
            let isFirst = isDone.value.withLock { isDone in
                defer { isDone = true }
                return !isDone
            }
            if isFirst {
                pipeline.end(timeout: .seconds(30), closesSinks: false)
                try? FileManager.default.removeItem(atPath: folder.path)
                _ = FileManager.default.createFile(atPath: folder.path, contents: nil)
            }
            return .keep
        }
    }

    @Test func `a record that has come into another queue than the one in a file is not confirmed`() async throws {
        let folder = TemporaryDirectory()
        let (pipeline, receiver) = try Self.durable(folder)
        #expect(try await receiver.answer("POST", "/logs", "{\"message\":\"one\"}").status == 200)
        pipeline.setRedaction {
            pipeline.redaction.set([], guards: [MovingGuard(pipeline: pipeline, folder: folder)])
        }
        let answer = try await receiver.answer("POST", "/logs", "{\"message\":\"two\",\"move\":1}")
        #expect(answer.status == 503)
        // The log cannot be written any more.
        _ = try await blocking { pipeline.shutdown(timeout: .zero) }
    }

    @Test func `a request waits no longer because some of its records get space`() async throws {
        let (sink, pipeline) = try await GatedSink.pipeline()
        var settings = Receiver.Settings.inMemory
        // Each look at the clock takes a second, in which the sink writes a batch.
        let start = SystemClock.monotonicNanoseconds()
        let seconds = CallCount()
        settings.now = {
            sink.pass()
            return start + Int64(seconds.next()) * 1_000_000_000
        }
        let receiver = Receiver(settings, into: pipeline)
        let body = (0..<100).map { "{\"message\":\"\($0) \(String(repeating: "x", count: 10_000))\"}\n" }.joined()
        let answer = try await receiver.answer("POST", "/logs", body)
        #expect(answer.status == 503 && answer.header("retry-after") == "1")
        #expect(seconds.value <= 3)
        // What was accepted counts, though the request was not.
        let metrics = String(decoding: try await receiver.answer("GET", "/metrics").body, as: UTF8.self)
        #expect(!metrics.contains("\ntaffrail_receiver_records_total 0\n"))
        sink.open()
        _ = try await blocking { pipeline.shutdown() }
    }

    private final class CallCount: Sendable {
        private let count = Locked(0)
        var value: Int { count.withLock { $0 } }
        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    @Test func `a batch that another request is sending is not logged twice`() async throws {
        let (sink, pipeline) = try await GatedSink.pipeline()
        var settings = Receiver.Settings.inMemory
        settings.patience = .seconds(3_600)
        let waits = CallCount()
        settings.now = {
            _ = waits.next()
            return SystemClock.monotonicNanoseconds()
        }
        let receiver = Receiver(settings, into: pipeline)
        // With other options after a reload, the memory is the same.
        let other = Receiver(settings, into: pipeline)
        let body = (0..<20).map { "{\"message\":\"\($0) \(String(repeating: "x", count: 10_000))\"}\n" }.joined()
        let key = [(name: "idempotency-key", value: "k")]
        let first = Task { try await receiver.answer("POST", "/logs", headers: key, body) }
        #expect(await eventually { waits.value >= 2 })
        let second = try await other.answer("POST", "/logs", headers: key, body)
        #expect(second.status == 503 && second.header("retry-after") == "1")
        sink.open()
        #expect(try await first.value.status == 200)
        #expect(try await other.answer("POST", "/logs", headers: key, body).status == 200)
        _ = try await blocking { pipeline.flush() }
        #expect(sink.messages.count == 21)
        _ = try await blocking { pipeline.shutdown() }
    }

    @Test func `the origin is what a truncated record keeps`() async throws {
        let values = (0..<10).map { "\"k\($0)\":\"\(String(repeating: "x", count: 10_000))\"" }
        let line = """
            {"message":"m","time":"2026-01-05T14:30:00Z","seq":41,"run":"00000000000000ab",\(values.joined(separator: ","))}
            """
        let received = try ReceivedBody.lines.read(Array(line.utf8), Arrival(device: "mine"))
        let record = try #require(received.records.first)
        let sink = MemorySink()
        let pipeline = Pipeline(
            sinks: [sink], queue: QueueOptions(capacity: 64 << 10, durable: false, handleSignals: false))
        #expect(pipeline.logger.admit(offered: record) == .truncated)
        _ = try await blocking { pipeline.shutdown() }
        let found = try #require(sink.records.first)
        #expect(found["k9"] == nil)
        #expect(found["taffrail.origin.device"] == "mine" && found["taffrail.origin.seq"] == 41)
        #expect(found["taffrail.origin.run"] == "00000000000000ab" && found["taffrail.origin.time"] != nil)
    }

    @Test func `what is nested as deep as a body may be is stored whole`() async throws {
        let line = "{\"a\":\(String(repeating: "[", count: 32))1\(String(repeating: "]", count: 32))}"
        let record = try #require(try ReceivedBody.lines.read(Array(line.utf8), Arrival()).records.first)
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false))
        #expect(pipeline.logger.offer(record))
        _ = try await blocking { pipeline.shutdown() }
        #expect(sink.records.first?["a"] == record["a"])
    }

    @Test func `a position that is received does not become this machine's own`() async throws {
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false))
        let receiver = Receiver(.inMemory, into: pipeline)
        let own = Locked<[Double]>([])
        let subscription = LocationFeed.shared.subscribe { event in
            if let location = event.location { own.withLock { $0.append(location.coordinate.latitude) } }
        }
        #expect(try await receiver.answer("POST", "/ping", ReceiverTests.ping).status == 200)
        _ = try await blocking { pipeline.shutdown() }
        #expect(sink.records.first?["geo.location.lat"] == 55.6761)
        // Other tests may publish others.
        #expect(!own.withLock { $0.contains(55.6761) })
        withExtendedLifetime(subscription) {}
    }

    @Test func `pings that the configuration keeps out of the queue are not listed`() async throws {
        struct NoHome: AttributeGuard {
            var watchedNames: Set<String> { ["geo.location.lat"] }
            func review(_ attributes: inout GuardedAttributes) -> Verdict {
                attributes.attributes.contains { $0.value == .double(55.6761) } ? .drop : .keep
            }
        }
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false))
        pipeline.setRedaction { pipeline.redaction.set([], guards: [NoHome()]) }
        let receiver = Receiver(.inMemory, into: pipeline)
        #expect(try await receiver.answer("POST", "/ping", ReceiverTests.ping).status == 200)
        let away = ReceiverTests.ping.replacing("55.6761", with: "56.5")
        #expect(try await receiver.answer("POST", "/ping", away).status == 200)
        let listed = String(decoding: try await receiver.answer("GET", "/logs").body, as: UTF8.self)
        #expect(listed.contains("56.5") && !listed.contains("55.6761"))
        _ = try await blocking { pipeline.shutdown() }
        #expect(sink.records.count == 1)
    }
}
#endif
