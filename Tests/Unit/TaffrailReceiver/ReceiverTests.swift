#if Server
import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailReceiver
@testable import TaffrailServer

/// What the receiver accepts, through real connections.
@Suite(.mayBlock) struct ReceiverTests {
    static let ping = """
        {"deviceId":"phone-1","timestamp":"2026-01-05T14:30:00Z","latitude":55.6761,"longitude":12.5683,
        "horizontalAccuracyMeters":7.5,"speedMps":null,"mode":"stationaryDay","batteryLevel":0.83}
        """

    @Test(.enabled(if: Program.areThere("curl"), "curl is not installed"))
    func `curl sends pings, and gets the last of them, the newest first`() async throws {
        let receiver = try await LiveReceiver()
        let base = "http://127.0.0.1:\(receiver.port)"
        for n in 1...120 {
            let body = Self.ping.replacing("phone-1", with: "phone-\(n)")
            let answer = try await receiver.post("/ping", body)
            #expect(answer.status == 200 && answer.body == #"{"ok":true}"#)
        }
        func curl(_ arguments: String...) async throws -> String {
            let result = try await Program.run(["-sS", "-i"] + arguments, of: "curl")
            #expect(result.code == 0, "\(result.errors)")
            return result.output.replacing("\r\n", with: "\n")
        }
        let sent = try await curl("-X", "POST", "--json", Self.ping, base + "/ping")
        #expect(sent.hasPrefix("HTTP/1.1 200 OK\n") && sent.hasSuffix("\n\n{\"ok\":true}"))
        let listed = try await curl(base + "/logs")
        let text = try #require(listed.components(separatedBy: "\n\n").last)
        let pings = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        #expect(pings.map { $0["deviceId"] as? String } == ["phone-1"] + (22...120).reversed().map { "phone-\($0)" })
        #expect(
            pings[0].keys.count == 9 && pings[0]["speedMps"] is NSNull && pings[0]["latitude"] as? Double == 55.6761)
        let two = try await curl(base + "/logs?limit=2")
        #expect(two.components(separatedBy: "deviceId").count == 3)
        let limit = try await curl(base + "/logs?limit=x")
        #expect(limit.hasPrefix("HTTP/1.1 400 ") && limit.contains("application/problem+json"))
        #expect(try await curl(base + "/health").hasSuffix(#"{"status":"ok"}"#))
        #expect(try await curl("-I", base + "/health").lowercased().hasSuffix("content-length: 15\n\n"))
        let records = try await receiver.records()
        #expect(records.count == 121 && records.allSatisfy { $0["event"] as? String == "geo.location" })
        let attributes = try #require(records.last?["attributes"] as? [String: Any])
        #expect(attributes["taffrail.geo.device"] as? String == "phone-1")
        #expect(attributes["taffrail.origin.time"] as? String == "2026-01-05T14:30:00.000000000Z")
        let metrics = try await receiver.send("GET", "/metrics").body
        #expect(metrics.contains("\ntaffrail_receiver_records_total 121\n"))
        #expect(metrics.contains("\ntaffrail_receiver_requests_total{status=\"400\"} 1\n"))
        try await receiver.stop()
    }

    @Test func `records of all kinds are confirmed as their senders expect it`() async throws {
        let receiver = try await LiveReceiver()
        let lines = try await receiver.post(
            "/logs", "{\"message\":\"one\",\"level\":\"debug\"}\n{\"message\":\"two\"}\n")
        #expect(lines.status == 200 && lines.body == #"{"accepted":2,"truncated":0}"#)
        let json = #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"three"}}]}]}]}"#
        let otlp = try await receiver.post("/v1/logs", json, "Content-Type: application/json; charset=utf-8")
        #expect(otlp.status == 200 && otlp.body == "{}" && otlp["content-type"] == "application/json")
        let record: [UInt8] = [0x0A, 13, 0x12, 11, 0x12, 9, 0x2A, 7, 0x0A, 5] + Array("four!".utf8)
        let protobuf = try await receiver.send(
            "POST", "/v1/logs", ["Content-Type: application/x-protobuf"], body: record)
        #expect(protobuf.status == 200 && protobuf.body.isEmpty && protobuf["content-type"] == "application/x-protobuf")
        let owntracks = try await receiver.post(
            "/pub", #"{"_type":"location","lat":1,"lon":2,"tst":1767623400,"tid":"x"}"#, "X-Limit-U: jo",
            "X-Limit-D: five")
        #expect(owntracks.status == 200 && owntracks.body == "[]")
        let overland = try await receiver.post("/overland", #"{"locations":[]}"#)
        #expect(overland.status == 200 && overland.body == #"{"result":"ok"}"#)
        #expect(try await receiver.send("GET", "/osmand?id=six&lat=1&lon=2").status == 200)
        #expect(try await receiver.post("/osmand", "id=seven&lat=1&lon=2&timestamp=1767623400").status == 200)
        let records = try await receiver.records()
        #expect(records.prefix(4).map { $0["message"] as? String } == ["one", "two", "three", "four!"])
        let devices = records.dropFirst(4).map {
            ($0["attributes"] as? [String: Any])?["taffrail.geo.device"] as? String
        }
        #expect(devices == ["five", "six", "seven"])
        try await receiver.stop()
    }

    @Test func `what is wrong is answered with the reason, and nothing of it is stored`() async throws {
        let receiver = try await LiveReceiver()
        for (method, target, body, status) in [
            ("POST", "/ping", "{", 400), ("POST", "/ping", "", 400), ("POST", "/logs", "{\"message\":\"m\"}\nx", 400),
            ("GET", "/ping", "", 405), ("DELETE", "/logs", "", 405),
            ("GET", "/", "", 404),
            ("POST", "/ping/..%2flogs", "{}", 400), ("GET", "/../etc/passwd", "", 400), ("GET", "/logs/%00", "", 400),
            ("POST", "/ping", String(repeating: " ", count: 65 << 10), 413), ("GET", "/osmand?lat=1&lon=2", "", 400),
        ] {
            let answer = try await receiver.send(method, target, body: Array(body.utf8))
            #expect(answer.status == status, "\(method) \(target): \(answer.text)")
            #expect(
                answer["content-type"] == "application/problem+json" && answer.body.contains("\"status\":\(status)"))
        }
        #expect(try await receiver.send("PUT", "/logs")["allow"] == "GET, POST")
        let otlp = try await receiver.send(
            "POST", "/v1/logs", ["Content-Type: application/x-protobuf"], body: [1, 2, 3])
        #expect(otlp.status == 400 && otlp.body.contains("the body is not protobuf"))
        #expect(try await receiver.post("/v1/logs", "{}", "Content-Type: text/plain").status == 415)
        let image = try await receiver.send("GET", "/osmand?id=1&lat=1&lon=2", ["Accept: image/webp,*/*"])
        #expect(image.status == 403)
        // Besides the report of the refusal.
        #expect(try await receiver.records().allSatisfy { $0["logger"] as? String == "receiver" })
        try await receiver.stop()
    }

    @Test func `gzip is accepted, and a bomb is not unpacked`() async throws {
        let receiver = try await LiveReceiver()
        let packed = try #require(Self.gzip(Array("{\"message\":\"packed\"}\n".utf8)))
        #expect(try await receiver.send("POST", "/logs", ["Content-Encoding: gzip"], body: packed).status == 200)
        let bomb = try #require(Self.gzip([UInt8](repeating: 32, count: 100 << 20)))
        #expect(bomb.count < 1 << 20)
        #expect(try await receiver.send("POST", "/logs", ["Content-Encoding: gzip"], body: bomb).status == 413)
        #expect(try await receiver.send("POST", "/logs", ["Content-Encoding: br"], body: packed).status == 415)
        #expect(try await receiver.messages() == ["packed"])
        try await receiver.stop()
    }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        let folder = TemporaryDirectory()
        guard (try? folder.write(bytes, to: "body")) != nil, (try? Gzip.compress(folder.file("body"))) != nil else {
            return nil
        }
        return try? folder.bytes("body.gz")
    }
}
#endif
