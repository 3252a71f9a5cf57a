#if Server
import Foundation
import TaffrailConfiguration
import TaffrailQuery
import TaffrailTestSupport
import Testing

@testable import Taffrail
import TaffrailGeo
@testable import TaffrailReceiver
@testable import TaffrailServer

/// `GET /stream`.
@Suite(.mayBlock) struct LiveStreamTests {
    @Test func `clients get the records from their request on, as they have selected`() async throws {
        let watched = WatchedLog()
        try await watched.log(["before"])
        let all = try watched.join()
        let warnings = try watched.join("level=warning")
        try await watched.log(["one", "two"])
        try await watched.log(["three"], level: .error)
        #expect(WatchedLog.messages(await all.read(until: "three")) == ["one", "two", "three"])
        #expect(WatchedLog.messages(await warnings.read(until: "three")) == ["three"])
        #expect(all.text.hasPrefix("id: ") && all.text.contains("\nretry: 2000\n\nid: "))
        try await watched.stop()
        #expect(await all.stream.next() == nil)
    }

    @Test func `records of this program have its device, by which they are selected as in a store`() async throws {
        let watched = WatchedLog(device: "ferry")
        let origin = LogValueEntry(OriginAttributes.device, "tender")
        let readers = try ["q=device:ferry", "device=ferry", "q=device:fer*", "q=!device:tender"].map {
            try watched.join($0)
        }
        let others = try ["q=device:tender", "device=tender"].map { try watched.join($0) }
        try await watched.log(["one"])
        let received = LogRecord(level: .info, message: "two", attributes: [origin], logger: "net")
        #expect(watched.pipeline.logger.offer(received))
        try await watched.log(["three"])
        for reader in readers { #expect(WatchedLog.messages(await reader.read(until: "three")) == ["one", "three"]) }
        for reader in others { #expect(WatchedLog.messages(await reader.read(until: "two")) == ["two"]) }
        #expect(readers[0].text.contains("\"device\":\"ferry\"") && others[0].text.contains("\"device\":\"tender\""))
        try await watched.stop()
    }

    @Test func `the device of the receiver is that of the configuration`() throws {
        let plugins = "plugins:\n  receiver: { durable: false }\n  file: { path: /x/app.log }\n"
        func options(_ text: String) throws -> ReceiverOptions? {
            let registry = try PluginRegistry.withFile([ReceiverPlugin.self])
            let plan = try Plan.read(text: text, named: "a.yaml", registry: registry, environment: [:])
            return plan.plugins.lazy.compactMap { $0.plugin.options as? ReceiverOptions }.first
        }
        #expect(try options("device: ferry\n" + plugins)?.device == "ferry")
        let without = try #require(try options(plugins))
        #expect(without.device == nil)
    }

    @Test func `a client that reconnects gets what it has missed`() async throws {
        let watched = WatchedLog()
        let first = try watched.join()
        try await watched.log(["one"])
        let id = try #require(WatchedLog.lastID(await first.read(until: "one")))
        first.stream.end()
        #expect(watched.live.clients == 0)
        try await watched.log(["two", "three"])
        let second = try watched.join("", after: id)
        #expect(WatchedLog.messages(await second.read(until: "three")) == ["two", "three"])
        for unknown in ["x", "00-1"] {
            let third = try watched.join("", after: unknown)
            #expect(await third.read(until: "}").contains("event: dropped\ndata: {}\n\n"))
        }
        try await watched.stop()
    }

    @Test func `a client that is too slow gets the number of what it has missed`() async throws {
        var limits = LiveRecords.Limits()
        limits.events = 10
        let watched = WatchedLog(limits)
        let slow = try watched.join()
        let other = try watched.join()
        let messages = (1...100).map { "message-\($0)." }
        for message in messages {
            try await watched.log([message])
            _ = await other.read(until: message)
        }
        let text = await slow.read(until: "message-100.")
        #expect(text.contains("event: dropped\ndata: {\"records\":90}\n\n"))
        #expect(WatchedLog.messages(text) == ["dropped"] + messages.suffix(10))
        #expect(WatchedLog.messages(other.text) == messages)
        try await watched.stop()
    }

    @Test func `records beyond the memory for copies are counted as missed`() async throws {
        var limits = LiveRecords.Limits()
        limits.waiting = 0
        let watched = WatchedLog(limits)
        let reader = try watched.join()
        try await watched.log(["one", "two", "three"])
        var missed = 0
        while missed < 3, let bytes = await reader.stream.next() {
            for line in String(decoding: bytes.bytes, as: UTF8.self).split(separator: "\n") {
                missed += Int(line.prefixMatch(of: /data: \{"records":(\d+)\}/)?.1 ?? "0") ?? 0
            }
        }
        #expect(missed == 3)
        try await watched.stop()
    }

    @Test func `of a record that is too long its start is shown`() async throws {
        var limits = LiveRecords.Limits()
        limits.longest = 1_000
        let watched = WatchedLog(limits)
        let reader = try watched.join()
        let selective = try watched.join("q=unit%3D7")
        try await watched.log(["one"])
        watched.pipeline.logger.info(
            "\(String(repeating: "ø", count: 1_000))",
            ["unit": 7, "long": LogValue.string(String(repeating: "y", count: 900))])
        try await watched.log(["two"])
        let messages = WatchedLog.messages(await reader.read(until: "two"))
        #expect(messages.count == 3 && messages[0] == "one" && messages[2] == "two")
        #expect(messages[1].count >= 100 && messages[1].allSatisfy { $0 == "ø" })
        #expect(reader.text.contains("\"attributes\":{\"unit\":7,\"taffrail.truncated\":true}"))
        #expect(reader.text.utf8.count < 2_000 && !reader.text.contains("yyy"))
        // Selected by all of it.
        #expect(WatchedLog.messages(await selective.read(until: "ø")).count == 1)
        try await watched.stop()
    }

    @Test func `nothing is copied when there has been no client for a while`() async throws {
        var limits = LiveRecords.Limits()
        limits.linger = .zero
        let watched = WatchedLog(limits)
        #expect(watched.pipeline.taps.isEmpty)
        let reader = try watched.join()
        #expect(!watched.pipeline.taps.isEmpty)
        try await watched.log(["one"])
        _ = await reader.read(until: "one")
        reader.stream.end()
        try await watched.log(["two"])
        #expect(watched.pipeline.taps.isEmpty)
        let again = try watched.join()
        try await watched.log(["three"])
        #expect(WatchedLog.messages(await again.read(until: "three")) == ["three"])
        try await watched.stop()
        #expect(watched.pipeline.taps.isEmpty)
    }

    @Test func `what processors drop or change is not shown as it was`() async throws {
        struct Rename: Processor {
            mutating func process(_ record: inout LogRecord) -> Verdict {
                guard record.message != "secret" else { return .drop }
                record.message = "shown " + record.message
                return .keep
            }
        }
        let sink = MemorySink()
        let pipeline = Pipeline(
            processors: [Rename()], sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false))
        let live = LiveRecords(of: pipeline)
        let client = try LiveClient(of: live, LiveSelection([]), after: nil)
        let reader = WatchedLog.Reader(stream: try #require(client.answer.stream))
        for message in ["secret", "one", "secret", "two"] { pipeline.logger.info("\(message)") }
        #expect(WatchedLog.messages(await reader.read(until: "two")) == ["shown one", "shown two"])
        live.end()
        _ = try await blocking { pipeline.shutdown() }
        #expect(sink.messages == ["shown one", "shown two"])
    }

    @Test func `a silent log has heartbeats, and too many clients are refused`() async throws {
        var limits = LiveRecords.Limits()
        limits.clients = 2
        limits.heartbeat = .milliseconds(10)
        let watched = WatchedLog(limits)
        let (one, two) = (try watched.join(), try watched.join("level=error"))
        #expect(await one.read(until: "\n\n:\nid: ").hasPrefix("id: "))
        #expect(await two.read(until: "\n\n:\nid: ").hasPrefix("id: "))
        let problem = #expect(throws: Problem.self) { try watched.join() }
        #expect(problem?.status == 503 && problem?.retryAfter == .seconds(10))
        one.stream.end()
        _ = try watched.join()
        try await watched.stop()
    }

    // MARK: Through connections

    private static let head = "GET /stream HTTP/1.1\r\nHost: localhost\r\n"

    @Test(.enabled(if: Program.areThere("curl"), "curl is not installed"))
    func `curl gets records as they arrive, until the receiver ends`() async throws {
        let receiver = try await LiveReceiver()
        let folder = TemporaryDirectory()
        let curl = try Program(
            [
                "-sSN", "-i", "--max-time", "600", "http://127.0.0.1:\(receiver.port)/stream?level=warning", "-o",
                folder.file("events"),
            ], of: "curl", in: folder)
        #expect(await eventually { folder.text("events").contains("retry: 2000") })
        let body = "{\"message\":\"one\",\"level\":\"error\"}\n{\"message\":\"two\"}\n"
        #expect(try await receiver.post("/logs", body).status == 200)
        #expect(await eventually { folder.text("events").contains("\"one\"") })
        try await receiver.stop()
        #expect(await curl.wait() == 0)
        let text = folder.text("events").replacing("\r\n", with: "\n")
        #expect(text.lowercased().contains("\ncontent-type: text/event-stream\n"))
        #expect(WatchedLog.messages(text) == ["one"])
    }

    @Test func `two hundred clients watch at once, and leave no trace`() async throws {
        let receiver = try await LiveReceiver()
        let port = receiver.port
        let connections = try await blocking {
            try (0..<200).map { _ in
                let connection = try Connection(port: port)
                connection.send(Array((Self.head + "\r\n").utf8))
                #expect(connection.read(until: "retry: 2000").contains(" 200 OK"))
                return SharedConnection(connection)
            }
        }
        #expect(try await receiver.post("/logs", "{\"message\":\"for all\"}").status == 200)
        let found = try await blocking {
            connections.count { $0.connection.read(until: "for all").contains("for all") }
        }
        #expect(found == 200)
        for connection in connections { connection.connection.end() }
        // Some may have ended so soon that they appear to wait, until they are sent something.
        #expect(try await receiver.post("/logs", "{\"message\":\"for none\"}").status == 200)
        #expect(
            try await eventually {
                try await receiver.send("GET", "/metrics").body.contains("\ntaffrail_receiver_watching 0\n")
            })
        try await receiver.stop()
    }

    private struct SharedConnection: @unchecked Sendable {
        let connection: Connection
        init(_ connection: Connection) { self.connection = connection }
    }

    @Test func `a client that does not read holds up no other`() async throws {
        // It is still connected at the end, however long that takes.
        let receiver = try await LiveReceiver(ReceiverOptions(timeout: .minutes(10)))
        let port = receiver.port
        let (stuck, reading) = try await blocking {
            let connections = try [CInt(4_096), 1 << 20].map { bufferSize in
                let connection = try Connection(port: port, bufferSize: bufferSize)
                connection.send(Array((Self.head + "\r\n").utf8))
                _ = connection.read(until: "retry: 2000")
                return SharedConnection(connection)
            }
            return (connections[0], connections[1])
        }
        let stop = Locked(false)
        let others = Task {
            try await blocking {
                while !stop.withLock({ $0 }) {
                    guard reading.connection.receive() > 0 else { return false }
                }
                return true
            }
        }
        let line = "{\"message\":\"\(String(repeating: "x", count: 60_000))\"}\n"
        // More than the buffers of both ends take.
        for _ in 0..<25 { #expect(try await receiver.post("/logs", String(repeating: line, count: 10)).status == 200) }
        #expect(try await receiver.send("GET", "/metrics").body.contains("\ntaffrail_receiver_watching 2\n"))
        stop.withLock { $0 = true }
        #expect(try await receiver.post("/logs", "{\"message\":\"last\"}").status == 200)
        #expect(try await others.value)
        _ = stuck
        try await receiver.stop()
    }

    @Test func `watching needs a token that may read`() async throws {
        let folder = TemporaryDirectory()
        try folder.write("sender ingest\nreader read\n", to: "tokens")
        let receiver = try await LiveReceiver(ReceiverOptions(tokenFile: folder.file("tokens")))
        #expect(try await receiver.send("GET", "/stream").status == 401)
        #expect(try await receiver.send("GET", "/stream", ["Authorization: Bearer sender"]).status == 403)
        let head = try await receiver.send("HEAD", "/stream", ["Authorization: Bearer reader"])
        #expect(head.status == 200 && head["content-type"] == "text/event-stream")
        #expect(
            try await receiver.send("GET", "/stream?q=level%3E%3Dloud", ["Authorization: Bearer reader"]).status == 400)
        try await receiver.stop()
    }
}
#endif
