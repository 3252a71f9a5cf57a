#if Server
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReceiver
@testable import TaffrailServer

/// Connections: how they end, how many there may be, and with which certificate.
@Suite(.mayBlock) struct ReceiverLimitTests {
    @Test(arguments: [
        ("1.0", ""), ("1.0", "Connection: keep-alive\r\n"), ("1.1", "Connection: Close\r\n"),
        ("1.1", "Connection: keep-alive, CLOSE\r\n"), ("1.1", "Connection: x\r\nConnection: close\r\n"),
    ])
    func `a connection ends after a request that asks for it in any way`(version: String, header: String) async throws {
        let receiver = try await LiveReceiver()
        let answer = try await receiver.exchange(
            "GET /health HTTP/\(version)\r\nHost: localhost\r\n\(header)\r\nGET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        #expect(answer.hasPrefix("HTTP/\(version) 200 OK\r\n") && answer.hasSuffix(#"{"status":"ok"}"#))
        #expect(answer.components(separatedBy: " 200 OK\r\n").count == 2)
        #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
        try await receiver.stop()
    }

    @Test func `a client of HTTP 1.0 gets records without the framing of HTTP 1.1`() async throws {
        let receiver = try await LiveReceiver()
        let port = receiver.port
        let text = try await blocking {
            let connection = try Connection(port: port)
            connection.send(Array("GET /stream HTTP/1.0\r\nHost: localhost\r\n\r\n".utf8))
            return connection.read(until: "retry: 2000\n\n")
        }
        #expect(
            text.hasPrefix("HTTP/1.0 200 OK\r\n") && text.contains("\r\n\r\nid: ")
                && text.hasSuffix("\nretry: 2000\n\n"))
        try await receiver.stop()
    }

    private static let connections = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 1_000 : 5_000

    @Test(
        .enabled(
            if: OpenFileLimit.raise(to: 2 * ReceiverLimitTests.connections + 500) >= 2 * ReceiverLimitTests.connections
                + 500, "too few files may be open"))
    func `thousands of connections stay open, and one more is served`() async throws {
        let receiver = try await LiveReceiver(
            ReceiverOptions(connections: Self.connections + 16, timeout: .minutes(10)))
        let port = receiver.port
        let (open, served) = try await blocking {
            // Each asks at once: what is idle for half a minute is closed.
            let open = try (0..<Self.connections).map { _ in
                let connection = try Connection(port: port)
                connection.send(Array("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
                return connection
            }
            let served = open.count { $0.read(until: #"{"status":"ok"}"#).contains(" 200 OK") }
            return (SharedConnections(open), served)
        }
        #expect(served == Self.connections)
        #expect(try await receiver.post("/logs", #"{"message":"one more"}"#).status == 200)
        #expect(try await receiver.messages() == ["one more"])
        try await receiver.stop()
        // They were closed at the end.
        let rest = try await blocking { open.all.map { $0.readToEnd() }.joined() }
        #expect(rest.isEmpty)
    }

    private struct SharedConnections: @unchecked Sendable {
        let all: [Connection]
        init(_ all: [Connection]) { self.all = all }
    }

    @Test func `a client that has disconnected is no longer waited for`() async throws {
        let (sink, pipeline) = try await GatedSink.pipeline()
        var settings = Receiver.Settings.inMemory
        settings.patience = .seconds(3_600)
        let looks = Locked(0)
        settings.now = {
            looks.withLock { $0 += 1 }
            return SystemClock.monotonicNanoseconds()
        }
        let receiver = Receiver(settings, into: pipeline)
        let connection = ClientConnection(address: "192.0.2.1")
        let body = (0..<20).map { "{\"message\":\"\($0) \(String(repeating: "x", count: 10_000))\"}\n" }.joined()
        let waiting = Task { try await receiver.answer("POST", "/logs", body, on: connection) }
        #expect(await eventually { looks.withLock { $0 } >= 2 })
        connection.close()
        #expect(try await waiting.value.status == 503)
        sink.open()
        _ = try await blocking { pipeline.shutdown() }
    }

    // MARK: Certificates

    private static func make(_ name: String, in folder: TemporaryDirectory) async throws {
        let made = try await Program.run(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder.file("\(name).key"),
                "-out", folder.file("\(name).pem"),
            ], of: "openssl")
        try #require(made.code == 0, "\(made.errors)")
    }

    private static func replace(_ file: String, by other: String, in folder: TemporaryDirectory) throws {
        try folder.write(try folder.bytes(other), to: "new")
        try FileManager.default.removeItem(atPath: folder.file(file))
        try FileManager.default.moveItem(atPath: folder.file("new"), toPath: folder.file(file))
    }

    @Test(.enabled(if: Program.areThere("curl", "openssl"), "curl or openssl is not installed"))
    func `a renewed certificate is used without a restart, once its key is there too`() async throws {
        let folder = TemporaryDirectory()
        for name in ["old", "new-one", "used"] { try await Self.make(name, in: folder) }
        for kind in ["pem", "key"] { try Self.replace("used.\(kind)", by: "old.\(kind)", in: folder) }
        let receiver = try await LiveReceiver(
            ReceiverOptions(certificate: folder.file("used.pem"), key: folder.file("used.key")))
        func trusts(_ name: String) async throws -> Bool {
            let url = "https://127.0.0.1:\(receiver.port)/health"
            return try await Program.run(["-sS", "--cacert", folder.file("\(name).pem"), url], of: "curl").code == 0
        }
        #expect(try await trusts("old"))
        #expect(try await !trusts("new-one"))
        // Events, too, come by TLS.
        let events = ["-sSN", "--cacert", folder.file("old.pem"), "https://127.0.0.1:\(receiver.port)/stream"]
        let curl = try Program(events + ["-o", folder.file("events")], of: "curl", in: folder)
        #expect(await eventually { folder.text("events").contains("retry: 2000") })
        curl.kill()
        try Self.replace("used.pem", by: "new-one.pem", in: folder)
        #expect(try await trusts("old"))
        try Self.replace("used.key", by: "new-one.key", in: folder)
        #expect(try await eventually { try await trusts("new-one") })
        #expect(try await !trusts("old"))
        try folder.write("no certificate", to: "used.pem")
        #expect(try await trusts("new-one"))
        try await receiver.stop()
    }

    @Test(.enabled(if: Program.areThere("openssl"), "openssl is not installed"))
    func `files that do not belong together leave the certificate before`() async throws {
        let folder = TemporaryDirectory()
        for name in ["one", "two", "used"] { try await Self.make(name, in: folder) }
        for kind in ["pem", "key"] { try Self.replace("used.\(kind)", by: "one.\(kind)", in: folder) }
        let files = try CertificateFiles(
            certificate: folder.file("used.pem"), key: folder.file("used.key"), interval: .zero)
        let first = files.context
        #expect(files.context === first)
        try Self.replace("used.pem", by: "two.pem", in: folder)
        #expect(files.context === first)
        try FileManager.default.removeItem(atPath: folder.file("used.key"))
        #expect(files.context === first)
        try folder.write(try folder.bytes("two.key"), to: "used.key")
        let second = files.context
        #expect(second !== first && files.context === second)
    }

    // MARK: A full disk

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
    func `on a full disk requests are answered with 503, and what was confirmed is not lost`() async throws {
        let disk = try SmallDisk("1m")
        let pipeline = try Pipeline(
            sinks: [.file(disk.directory.file("received.log"), format: .json)],
            queue: QueueOptions(capacity: 128 << 10, handleSignals: false))
        var settings = Receiver.Settings()
        // A writer that waits for a processor is not a full disk.
        settings.patience = .seconds(5)
        let receiver = Receiver(settings, into: pipeline)
        func post(_ number: Int) async throws -> ServerAnswer {
            let rest = String(repeating: "x", count: 500)
            let body = (0..<10).map { "{\"message\":\"\(number).\($0) \(rest)\"}\n" }.joined()
            return try await receiver.answer("POST", "/logs", headers: [("idempotency-key", "\(number)")], body)
        }
        var confirmed = 0
        while confirmed < 10_000 {
            let answer = try await post(confirmed)
            guard answer.status == 200 else {
                #expect(answer.status == 503 && answer.header("retry-after") != nil)
                break
            }
            confirmed += 1
        }
        #expect(confirmed > 10 && confirmed < 10_000)
        #expect(try await post(confirmed).status == 503)
        try disk.grow("16m")
        for number in confirmed..<confirmed + 10 {
            #expect(try await eventually { try await post(number).status == 200 })
        }
        _ = try await blocking { pipeline.flush() }
        let messages = disk.directory.lines("received.log").compactMap { line -> String? in
            let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard json?["logger"] as? String != "taffrail" else { return nil }
            return (json?["message"] as? String).map { String($0.prefix { $0 != " " }) }
        }
        #expect(messages == (0..<confirmed + 10).flatMap { number in (0..<10).map { "\(number).\($0)" } })
        _ = try await blocking { pipeline.shutdown() }
    }
}
#endif
