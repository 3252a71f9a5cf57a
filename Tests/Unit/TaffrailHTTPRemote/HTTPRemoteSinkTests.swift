#if HTTP
import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

@Suite(.mayBlock) struct HTTPRemoteSinkTests {
    @Test func `records arrive in order, in requests that name their content`() async throws {
        let trial = try HTTPTrial()
        for _ in 0..<20 { try trial.write(5) }
        #expect(await eventually { trial.numbers().count == 100 })
        #expect(trial.numbers() == Array(1...100))
        let request = try #require(trial.server.requests.first)
        #expect(request.line == "POST /v1/logs HTTP/1.1")
        #expect(request.headers["content-type"] == "application/x-ndjson")
        #expect(request.headers["content-encoding"] == "gzip")
        #expect(request.key.hasPrefix("\"http-000000000000abcd-1-"), "\(request.key)")
        #expect(request.headers["host"] == "127.0.0.1:\(trial.server.port)")
        #expect(Set(trial.server.requests.map(\.key)).count == trial.server.requests.count)
        #expect(trial.drops.isEmpty)
    }

    @Test(arguments: [429, 500, 502, 503, 504, 408, 409, 425, 201 + 59, 299])
    func `what may be accepted later is repeated with the same key`(status: Int) async throws {
        let trial = try HTTPTrial { $0.encoding = .otlpJSON }
        let answers = Locked(3)
        trial.server.reply { _ in
            answers.withLock { left in
                left -= 1
                return left >= 0 ? .answer(status) : .answer(200)
            }
        }
        try trial.write(3)
        #expect(await eventually { trial.server.requests.count == 4 })
        #expect(Set(trial.server.requests.map(\.key)) == ["\"http-000000000000abcd-1-3\""])
        #expect(Set(trial.server.requests.map { String(decoding: $0.plainBody, as: UTF8.self) }).count == 1)
        #expect(trial.drops.isEmpty)
    }

    enum Disturbance: CaseIterable { case close, midBody, malformed, hang, tooLong }

    @Test(arguments: Disturbance.allCases)
    func `a connection that ends, or answers nonsense, is tried again`(kind: Disturbance) async throws {
        let trial = try HTTPTrial { $0.timeout = .milliseconds(300) }
        let answers = Locked(2)
        trial.server.reply { _ in
            let isFaulty = answers.withLock { left in
                left -= 1
                return left >= 0
            }
            guard isFaulty else { return .answer(200) }
            switch kind {
            case .close: return .close
            case .midBody: return .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"part")
            case .malformed: return .raw("220 smtp.example ready\r\n\r\n")
            case .hang: return .hang
            case .tooLong:
                return .raw(
                    "HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n" + String(repeating: "x", count: 5_000_000))
            }
        }
        try trial.write(3)
        #expect(await eventually { trial.server.requests.count >= 3 })
        #expect(Set(trial.server.requests.map(\.key)) == ["\"http-000000000000abcd-1-3\""])
        try trial.write(2)
        #expect(await eventually { trial.numbers().suffix(2) == [4, 5] })
        #expect(trial.drops.isEmpty)
    }

    @Test func `a destination that is away is reported, and gets everything when it returns`() async throws {
        let trial = try HTTPTrial()
        trial.server.stop()
        for _ in 0..<10 { try trial.write(10) }
        #expect(
            await eventually {
                trial.folder.text(".taffrail/http.status").contains("connection refused")
            }, "\(trial.folder.text(".taffrail/http.status"))")
        let status = trial.folder.text(".taffrail/http.status")
        #expect(status.contains("\"waiting_bytes\":") && status.contains("\"next_attempt\":"), "\(status)")
        let server = try FaultServer(port: trial.server.port)
        #expect(await eventually { server.requests.flatMap(\.lines).count == 100 })
        #expect(server.requests.flatMap(\.lines).compactMap { $0["seq"] as? Int } == Array(1...100))
    }

    @Test func `a wait that is asked for is kept, as seconds and as a date, and by the next run`() async throws {
        for value in ["3600", "Thu, 05 Jan 2090 10:00:00 GMT"] {
            let trial = try HTTPTrial()
            trial.server.reply { _ in
                .answer(429, headers: ["Retry-After": value, "Date": "Thu, 05 Jan 2090 09:00:00 GMT"])
            }
            try trial.write(3)
            #expect(await eventually { (SpoolCursorFile.read(directory: trial.spool)?.notBefore ?? 0) > 0 })
            let wanted = SystemClock.wallNanoseconds() + 3_600_000_000_000
            let cursor = try #require(SpoolCursorFile.read(directory: trial.spool))
            #expect(abs(cursor.notBefore - wanted) < 120_000_000_000)
            try trial.restart { $0.drain = .seconds(1) }
            try trial.write(3)
            // The end makes the thread of the next run send what it may.
            try trial.restart { $0.drain = .zero }
            #expect(SpoolCursorFile.read(directory: trial.spool)?.notBefore == cursor.notBefore)
            #expect(trial.server.requests.count == 1)
        }
    }

    @Test func `after a refusal of gzip no more of it is sent`() async throws {
        let trial = try HTTPTrial()
        trial.server.reply { $0.headers["content-encoding"] == nil ? .answer(200) : .answer(415) }
        for _ in 0..<3 {
            let before = trial.server.requests.count
            try trial.write(3)
            #expect(
                await eventually { trial.server.requests.count > before && trial.numbers().last == trial.last })
        }
        #expect(trial.server.requests.filter { $0.headers["content-encoding"] != nil }.count == 1)
        #expect(trial.numbers { $0.headers["content-encoding"] == nil } == Array(1...9))
        #expect(trial.drops.isEmpty)
    }

    @Test func `a destination that answers 400 to gzip gets what is not compressed`() async throws {
        let trial = try HTTPTrial()
        trial.server.reply { $0.headers["content-encoding"] == nil ? .answer(200) : .answer(400) }
        try trial.write(5)
        #expect(await eventually { trial.numbers().count == 10 })
        try trial.write(5)
        #expect(await eventually { trial.numbers().count == 15 })
        #expect(trial.server.requests.filter { $0.headers["content-encoding"] != nil }.count == 1)
        #expect(trial.drops.isEmpty)
    }

    @Test func `a request that is too large is halved`() async throws {
        let trial = try HTTPTrial()
        trial.server.reply { $0.lines.count > 10 ? .answer(413) : .answer(200) }
        try trial.write(100)
        #expect(await eventually { trial.numbers { $0.lines.count <= 10 } == Array(1...100) })
        #expect(trial.drops.isEmpty)
    }

    @Test func `a record that is refused becomes a dead letter, which can be sent again`() async throws {
        let trial = try HTTPTrial()
        let isBad: @Sendable (FaultServer.Request) -> Bool = { request in
            request.lines.contains { $0["seq"] as? Int == 7 }
        }
        trial.server.reply { isBad($0) ? .answer(400, body: "bad line") : .answer(200) }
        try trial.write(20)
        #expect(await eventually { trial.numbers { !isBad($0) }.count == 19 })
        let path = DeadLetters.path(in: trial.spool)
        let letters = try DeadLetters.read(path)
        #expect(letters.map(\.frame.first) == [7] && letters[0].reason.hasSuffix("returned 400: bad line"))
        #expect(trial.drops.map(\.reason) == [.rejected] && trial.drops[0].sequences == 7...7)
        trial.server.reply { _ in .answer(200) }
        #expect(try DeadLetters.retry(in: trial.spool) == 1)
        #expect(await eventually { trial.numbers().last == 7 })
        #expect(trial.numbers { !isBad($0) }.count == 19)
    }

    @Test(arguments: [401, 403, 404, 301])
    func `a destination that denies access is asked again, with a token that is read again`(status: Int) async throws {
        let trial = try HTTPTrial { _ in }
        let token = trial.folder.file("token")
        try trial.folder.write("old\n", to: "token")
        try trial.restart { $0.credentials.tokenFile = token }
        trial.server.reply { $0.headers["authorization"] == "Bearer new" ? .answer(200) : .answer(status) }
        try trial.write(3)
        #expect(await eventually { trial.server.requests.count >= 3 })
        try trial.folder.write("new\n", to: "token")
        #expect(
            await eventually {
                trial.numbers { $0.headers["authorization"] == "Bearer new" } == [1, 2, 3]
            })
        #expect(trial.drops.isEmpty)
        #expect(trial.server.requests.allSatisfy { $0.key == "\"http-000000000000abcd-1-3\"" })
    }

    @Test func `records that are refused of an accepted request are counted, not repeated`() async throws {
        let trial = try HTTPTrial { $0.encoding = .otlpJSON }
        trial.server.reply { _ in
            .answer(200, body: #"{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"too old"}}"#)
        }
        try trial.write(5)
        #expect(await eventually { trial.drops.count == 1 })
        #expect(trial.drops.first?.count == 2 && trial.drops.first?.reason == .rejected)
        #expect(trial.server.requests.count == 1)
    }

    @Test func `a request that hangs does not keep the sink from being replaced, and is repeated`() async throws {
        let trial = try HTTPTrial()
        trial.server.reply { _ in .hang }
        try trial.write(3)
        #expect(await eventually { trial.server.requests.count == 1 })
        // For the next sink, which sends at once.
        trial.server.reply { _ in .answer(200) }
        // The spool can be had by the next sink at once.
        try trial.restart()
        try trial.write(2)
        #expect(await eventually { trial.numbers().count == 8 })
        #expect(trial.numbers() == [1, 2, 3, 1, 2, 3, 4, 5])
        #expect(trial.server.requests[0].key == trial.server.requests[1].key)
    }

    @Test func `what an end leaves is sent before it, or by the next run`() async throws {
        let trial = try HTTPTrial { $0.delay = .hours(1) }
        try trial.restart { $0.drain = .seconds(30) }
        try trial.write(3)
        try trial.restart()
        #expect(trial.numbers() == [1, 2, 3])
        trial.server.reply { _ in .answer(503) }
        try trial.write(3)
        try trial.restart { $0.delay = .zero }
        trial.server.reply { _ in .answer(200) }
        #expect(await eventually { trial.numbers().suffix(3) == [4, 5, 6] })
    }

    @Test func `secrets are in no message, status, option or error`() async throws {
        var options = HTTPRemoteOptions(url: "http://127.0.0.1:9/v1/logs")
        options.credentials.token = Secret("hunter2")
        options.credentials.password = Secret("hunter2")
        options.headers = ["X-Key": Secret("hunter2")]
        var dumped = ""
        dump(options, to: &dumped)
        #expect(!"\(options) \(String(reflecting: options)) \(dumped)".contains("hunter2"))
        let trial = try HTTPTrial {
            $0.credentials.token = Secret("hunter2")
            $0.headers = ["X-Key": Secret("hunter3")]
            $0.url += "/0123456789abcdef?key=hunter4"
        }
        // A destination that returns what it got, for a terminal.
        trial.server.reply { request in
            let (token, key) = (request.headers["authorization"] ?? "", request.headers["x-key"] ?? "")
            return .answer(
                401,
                body: "no \(token) \(key) \(request.line)\r\n\u{1B}[31m\u{202E}" + String(repeating: "x", count: 5000))
        }
        try trial.write(1)
        #expect(await eventually { trial.folder.text(".taffrail/http.status").contains("returned 401") })
        let status = trial.folder.text(".taffrail/http.status")
        #expect(!status.contains("hunter") && status.contains("returned 401: no (secret) (secret) POST "), "\(status)")
        #expect(!status.contains("0123456789abcdef"), "\(status)")
        #expect(!status.contains("u001b") && !status.contains("u202e") && !status.contains("\u{202E}"), "\(status)")
        #expect(!status.contains(String(repeating: "x", count: 200)))
        #expect(trial.server.requests.first?.headers["authorization"] == "Bearer hunter2")
        #expect(trial.server.requests.first?.headers["x-key"] == "hunter3")
    }

    @Test func `a secret of a file or a user is not in a dead letter`() async throws {
        for isUser in [false, true] {
            let trial = try HTTPTrial()
            try trial.folder.write("hunter2\n", to: "token")
            let path = trial.folder.file("token")
            try trial.restart {
                if isUser {
                    $0.credentials.user = "ferry"
                    $0.credentials.password = Secret("hunter2")
                } else {
                    $0.credentials.tokenFile = path
                }
            }
            trial.server.reply { .answer(400, body: "bad hunter2 \($0.headers["authorization"] ?? "") \u{1B}[2J") }
            try trial.write(1)
            #expect(await eventually { trial.drops.count == 1 })
            let letters = try DeadLetters.read(DeadLetters.path(in: trial.spool))
            let reason = try #require(letters.first?.reason)
            #expect(!reason.contains("hunter") && !reason.contains("\u{1B}"), "\(reason)")
            #expect(reason.contains("returned 400: bad (secret) "), "\(reason)")
            #expect(!reason.contains("ZmVycnk6aHVudGVyMg=="), "\(reason)")
        }
    }

    @Test func `a web page confirms nothing, whatever the encoding`() async throws {
        for encoding in [HTTPRemoteOptions.Encoding.ndjson, .otlp, .otlpJSON, .clickhouse] {
            let trial = try HTTPTrial { $0.encoding = encoding }
            let answers = Locked(3)
            trial.server.reply { _ in
                let isPage = answers.withLock { left in
                    left -= 1
                    return left >= 0
                }
                guard isPage else { return .answer(200) }
                return .answer(
                    200, headers: ["Content-Type": "text/html; charset=utf-8"],
                    body: "\n<!DOCTYPE html><html>Please sign in</html>")
            }
            try trial.write(3)
            #expect(await eventually { trial.server.requests.count == 4 }, "\(encoding)")
            #expect(Set(trial.server.requests.map(\.key)).count == 1)
            #expect(trial.drops.isEmpty)
        }
    }

    @Test func `each record of a bulk request has its own answer`() async throws {
        let trial = try HTTPTrial { $0.encoding = .elasticsearch }
        let answers = Locked(0)
        let made = #"{"create":{"status":201}}"#
        trial.server.reply { request in
            let count = request.lines.count / 2
            var items = Array(repeating: made, count: count)
            switch answers.withLock({ number in
                number += 1
                return number
            }) {
            // Not of this request.
            case 1: items = []
            case 2: items.append(made)
            // An index that is not there yet.
            case 3: items[0] = #"{"create":{"status":404,"error":{"type":"index_not_found_exception"}}}"#
            default: if count >= 4 { items[3] = #"{"create":{"status":400,"error":{"type":"bad"}}}"# }
            }
            return .answer(200, body: #"{"items":[\#(items.joined(separator: ","))]}"#)
        }
        try trial.write(5)
        #expect(await eventually { trial.drops.count == 1 })
        #expect(trial.server.requests.count == 4 && Set(trial.server.requests.map(\.key)).count == 1)
        #expect(trial.drops.first?.count == 1 && trial.drops.first?.reason == .rejected)
        let letters = try DeadLetters.read(DeadLetters.path(in: trial.spool))
        #expect(letters.map(\.frame.first) == [4] && letters.first?.reason.contains("bad") == true)
        try trial.write(3)
        #expect(await eventually { trial.server.requests.count == 5 })
    }

    @Test func `a bulk request whose answer is too long is halved`() async throws {
        let trial = try HTTPTrial { $0.encoding = .elasticsearch }
        trial.server.reply { request in
            let count = request.lines.count / 2
            let item = #"{"create":{"status":201,"x":"\#(String(repeating: "x", count: count > 3 ? 600_000 : 1))"}}"#
            let items = Array(repeating: item, count: count).joined(separator: ",")
            return .answer(200, body: #"{"items":[\#(items)]}"#)
        }
        try trial.write(12)
        #expect(await eventually { trial.server.requests.count == 3 })
        #expect(await eventually { SpoolCursorFile.read(directory: trial.spool)?.flying == nil })
        let sent = trial.server.requests.dropFirst().flatMap(\.lines)
        #expect(sent.compactMap { $0["taffrail.seq"] as? Int } == Array(1...12))
        #expect(trial.drops.isEmpty)
    }

    @Test func `bytes that were sent count when there is no answer`() async throws {
        let server = try FaultServer()
        var options = HTTPRemoteOptions(url: server.url)
        options.encoding = .ndjson
        options.compression = .none
        let destination = HTTPDestination(options, name: "http", program: "ferry")
        let part = OTLPTests.part([OTLPTests.record])
        server.reply { _ in .close }
        let broken = try await blocking { destination.send(part) }
        #expect(broken.verdict == .later(notBefore: nil) && broken.bytes > 100, "\(broken)")
        server.stop()
        let refused = try await blocking { destination.send(part) }
        #expect(refused.verdict == .later(notBefore: nil) && refused.bytes == 0, "\(refused)")
        #expect(refused.reason.hasSuffix(": connection refused"))
    }

    @Test func `a sink of a configuration that is rejected sends nothing`() throws {
        let trial = try HTTPTrial { $0.delay = .hours(1) }
        try trial.write(3)
        try trial.sink.close()
        var options = HTTPRemoteOptions(url: trial.server.url)
        options.delay = .zero
        options.drain = .seconds(30)
        let sink = HTTPRemoteSink(
            options, instance: PluginInstance(name: "http", logDirectory: trial.folder.path, program: "ferry"))
        try sink.openDestination()
        try sink.close()
        #expect(trial.server.requests.isEmpty)
        var waiting = 0
        try SpoolInspection(trial.spool).forEach { _ in waiting += 1 }
        #expect(waiting == 3)
    }
}
#endif
