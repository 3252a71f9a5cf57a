#if Server
import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailReceiver

/// Clients that the receiver must survive, and those that it must refuse.
@Suite(.mayBlock) struct ReceiverSafetyTests {
    @Test func `tokens decide who may send and read`() async throws {
        let folder = TemporaryDirectory()
        try folder.write("sender ingest device=ferry\nreader read\nboth\n", to: "tokens")
        let receiver = try await LiveReceiver(ReceiverOptions(tokenFile: folder.file("tokens")))
        let body = #"{"message":"m"}"#
        for (header, path, status) in [
            ("X-None: 1", "/logs", 401), ("Authorization: Bearer wrong", "/logs", 401),
            ("Authorization: Bearer", "/logs", 401),
            ("Authorization: Bearer reader", "/logs", 403), ("Authorization: Bearer sender", "/logs", 200),
            ("Authorization: Basic am86Ym90aA==", "/logs", 200), ("X-None: 1", "/nothing", 401),
            ("Authorization: Bearer both", "/nothing", 404),
        ] {
            let answer = try await receiver.post(path, body, header)
            #expect(answer.status == status, "\(header): \(answer.text)")
            if status == 401 { #expect(answer["www-authenticate"]?.contains("Bearer") == true) }
        }
        #expect(try await receiver.send("GET", "/logs", ["Authorization: Bearer sender"]).status == 403)
        #expect(try await receiver.send("GET", "/logs", ["Authorization: Bearer reader"]).status == 200)
        #expect(try await receiver.send("GET", "/metrics").status == 401)
        #expect(try await receiver.send("GET", "/health").status == 200)
        let records = try await receiver.records()
        #expect(records.filter { $0["message"] as? String == "m" }.count == 2)
        let first = records.first { $0["message"] as? String == "m" }?["attributes"] as? [String: Any]
        #expect(first?["taffrail.origin.device"] as? String == "ferry")
        // The refusals are logged, without the tokens.
        #expect(records.contains { $0["logger"] as? String == "receiver" && $0["level"] as? String == "warning" })
        #expect(!receiver.folder.text("received.log").contains("wrong"))
        try await receiver.stop()
    }

    @Test func `an address that is open to others needs tokens or consent`() throws {
        #expect(throws: OptionError.self) { try ReceiverInput(ReceiverOptions(bind: "0.0.0.0:0")) }
        _ = try ReceiverInput(ReceiverOptions(bind: "0.0.0.0:0", insecure: true))
        #expect(throws: OptionError.self) { try ReceiverInput(ReceiverOptions(tokenFile: "/nonexistent")) }
    }

    @Test func `pages of other sites are refused, whatever name they use`() async throws {
        let receiver = try await LiveReceiver()
        let body = #"{"message":"m"}"#
        #expect(try await receiver.post("/logs", body, "Origin: http://evil.example").status == 403)
        #expect(try await receiver.post("/logs", body, "Sec-Fetch-Site: cross-site").status == 403)
        #expect(try await receiver.post("/logs", body, "Host: evil.example").status == 400)
        let rebound = try await receiver.exchange(
            "POST /logs HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nContent-Length: 15\r\n\r\n\(body)")
        #expect(Answer(rebound).status == 421)
        #expect(try await receiver.records().allSatisfy { $0["logger"] as? String == "receiver" })
        try await receiver.stop()
    }

    @Test(arguments: [
        "POST /logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /logs HTTP/1.1\r\n\r\n",
        "POST /logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n{} \n",
        "POST /logs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "POST /logs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "POST /logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        "POST /logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1e3\r\n\r\n",
        "POST /logs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n",
        "POST /logs HTTP/1.1\r\nHost : localhost\r\nContent-Length: 0\r\n\r\n",
        "POST /logs HTTP/1.1\r\nHost: localhost\r\nX: \u{1}\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n", "GET\r\n\r\n",
        "POST /logs HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 64 << 10))\r\n\r\n",
        "POST /logs HTTP/1.1\r\nHost: localhost\r\n" + String(repeating: "X: y\r\n", count: 300) + "\r\n",
    ])
    func `requests that two servers might read differently, or that are too large, are refused`(request: String)
        async throws
    {
        let receiver = try await LiveReceiver()
        let answer = Answer(try await receiver.exchange(request))
        #expect([0, 400, 413, 431].contains(answer.status), "\(answer.text)")
        #expect(answer.text.components(separatedBy: "HTTP/1.1 ").count <= 2)
        #expect(try await receiver.post("/logs", #"{"message":"m"}"#).status == 200)
        #expect(try await receiver.messages() == ["m"])
        try await receiver.stop()
    }

    @Test func `a body that is too large is refused before and while it is read`() async throws {
        let receiver = try await LiveReceiver(ReceiverOptions(bodySize: .mebibytes(1)))
        let announced = try await receiver.exchange(
            "POST /logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 209715200\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
        )
        #expect(Answer(announced).status == 413 && !announced.contains(" 100 "))
        let port = receiver.port
        let chunked = try await blocking {
            let connection = try Connection(port: port)
            connection.send(
                Array(
                    "POST /logs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                        .utf8))
            let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 32, count: 65_536) + Array("\r\n".utf8)
            for _ in 0..<3_200 { guard connection.send(chunk) else { break } }
            connection.send(Array("0\r\n\r\n".utf8))
            return connection.readToEnd()
        }
        #expect(Answer(chunked).status == 413)
        let waited = try await receiver.exchange(
            "POST /logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n{\"message\":\"m\"}"
        )
        #expect(waited.hasPrefix("HTTP/1.1 100 Continue\r\n") && waited.contains("HTTP/1.1 200 OK"))
        #expect(try await receiver.messages() == ["m"])
        try await receiver.stop()
    }

    @Test func `clients that do not finish are disconnected, and do not hold up others`() async throws {
        let receiver = try await LiveReceiver(ReceiverOptions(connections: 8, timeout: .seconds(1)))
        let port = receiver.port
        let starts = [
            "", "POST /logs HT", "POST /logs HTTP/1.1\r\nHost: localhost\r\nX: ",
            "POST /logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n\r\n{\"mess",
        ]
        // More than can be connected at a time: the last ones are served when the first ones are gone.
        let slow = (0..<4).map { _ in
            starts.map { start in
                Task {
                    try await blocking {
                        let connection = try Connection(port: port)
                        connection.send(Array(start.utf8))
                        return connection.readToEnd()
                    }
                }
            }
        }.joined()
        // On a busy machine a good client, too, may need more than the time of a request: then it sends the same again.
        #expect(
            try await eventually {
                try await receiver.post("/logs", #"{"message":"m"}"#, "Idempotency-Key: m").status == 200
            })
        for task in slow { #expect([0, 400].contains(Answer(try await task.value).status)) }
        #expect(try await receiver.messages() == ["m"])
        try await receiver.stop()
    }

    @Test func `a receiver that ends closes idle connections`() async throws {
        let receiver = try await LiveReceiver()
        let port = receiver.port
        let isIdle = Locked(false)
        let idle = Task {
            try await blocking {
                let connection = try Connection(port: port)
                connection.send(Array("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
                let answer = connection.read(until: #"{"status":"ok"}"#)
                isIdle.withLock { $0 = true }
                return answer + connection.readToEnd()
            }
        }
        #expect(await eventually { isIdle.withLock { $0 } })
        try await receiver.stop()
        #expect(Answer(try await idle.value).status == 200)
    }

    @Test(.enabled(if: Program.areThere("curl", "openssl"), "curl or openssl is not installed"))
    func `TLS has the certificate of the files`() async throws {
        let folder = TemporaryDirectory()
        let made = try await Program.run(
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=IP:127.0.0.1", "-keyout", folder.file("key.pem"), "-out",
                folder.file("certificate.pem"),
            ], of: "openssl")
        try #require(made.code == 0, "\(made.errors)")
        try folder.write("no certificate", to: "other.pem")
        for (certificate, key, option) in [
            ("missing.pem", "key.pem", "certificate"), ("certificate.pem", "missing.pem", "key"),
            ("other.pem", "key.pem", "certificate"), ("certificate.pem", "other.pem", "key"),
        ] {
            let options = ReceiverOptions(certificate: folder.file(certificate), key: folder.file(key))
            let error = #expect(throws: OptionError.self) { try ReceiverInput(options) }
            #expect(error?.option == option && error?.reason.contains(".pem") == true)
        }
        let receiver = try await LiveReceiver(
            ReceiverOptions(certificate: folder.file("certificate.pem"), key: folder.file("key.pem")))
        let result = try await Program.run(
            ["-sS", "--cacert", folder.file("certificate.pem"), "https://127.0.0.1:\(receiver.port)/health"], of: "curl"
        )
        #expect(result.output == #"{"status":"ok"}"#, "\(result.errors)")
        try await receiver.stop()
    }
}
#endif
