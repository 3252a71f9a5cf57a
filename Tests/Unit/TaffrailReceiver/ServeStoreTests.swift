#if Server && HTTP && Command && Configuration
import Foundation
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// `taffrail serve --store clickhouse://…`, whose table the sink `http` writes.
@Suite(.heavy, .serialized) struct ServeStoreTests {
    private static func write(_ numbers: ClosedRange<Int>, to port: Int, _ folder: TemporaryDirectory) throws {
        var options = HTTPRemoteOptions(
            url: "http://127.0.0.1:\(port)/?query=INSERT%20INTO%20otel_logs%20FORMAT%20JSONEachRow")
        options.encoding = .clickhouse
        options.delay = .zero
        options.drain = .seconds(20)
        options.resource = ["device.id": "ferry"]
        let sink = HTTPRemoteSink(
            options, instance: PluginInstance(name: "http", logDirectory: folder.path, program: "ferry"))
        sink.attach(.none)
        var buffer = RecordBuffer(run: RingID(0xABCD), start: 1 << 16)
        for number in numbers {
            var record = LogRecord(
                level: number % 10 == 0 ? .error : .info, message: "passed buoy \(number)",
                attributes: [
                    LogValueEntry("depth", .double(Double(number) / 2)),
                    LogValueEntry(GeoAttributes.latitude, .double(55 + Double(number) / 1_000)),
                    LogValueEntry(GeoAttributes.longitude, .double(12.5)),
                ], logger: "nav.buoys")
            record.eventName = "buoy"
            record.sequence = UInt64(number)
            buffer.append(record)
        }
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
        try sink.close()
    }

    @Test(.enabled(if: ClickHouseEngine.python != nil, "\(ClickHouseEngine.hint)"))
    func `what the sink http has written into ClickHouse is in answers and viewer, and nothing is received`()
        async throws
    {
        let folder = TemporaryDirectory()
        let engine = try ClickHouseEngine(in: folder)
        defer { engine.stop() }
        let store = "clickhouse://127.0.0.1:\(engine.port)/default"
        let served = ServedReceiver(in: folder, ["--store", store])
        try await served.start()
        try Self.write(1...50, to: engine.port, folder)
        func found(_ target: String, _ key: String) async throws -> [[String: Any]] {
            try await served.get(target).json[key] as? [[String: Any]] ?? []
        }
        #expect(
            try await eventually { try await served.get("/api/histogram").json["total"] as? Int == 50 })
        let page = try await served.get("/api/records?q=level%3E%3Derror+logger:nav+depth%3E5.5&limit=3")
        let records = try #require(page.json["records"] as? [[String: Any]])
        #expect(records.compactMap { $0["seq"] as? Int } == [50, 40, 30])
        #expect(records.first?["event"] as? String == "buoy" && records.first?["device"] as? String == "ferry")
        let next = try #require(page.json["next"] as? String)
        let rest = try await found(
            "/api/records?q=level%3E%3Derror+logger:nav+depth%3E5.5&limit=3&cursor=\(next)", "records")
        #expect(rest.compactMap { $0["seq"] as? Int } == [20])
        let id = try #require(records.first?["id"] as? String)
        #expect(try await (served.get("/api/around?id=\(id)&before=5").json["before"] as? [Any])?.count == 5)
        #expect(try await found("/api/records?q=%22buoy+7%22", "records").count == 1)
        #expect(try await found("/api/records?q=near:55.01,12.5,60m", "records").count == 1)
        #expect(try await found("/api/values?field=event", "values").first?["count"] as? Int == 50)
        #expect(try await found("/api/devices", "devices").first?["name"] as? String == "ferry")
        #expect(try await served.get("/api/export?format=gpx").status == 200)
        // What needs a store of positions.
        for path in ["tracks", "visits", "trips"] {
            let answer = try await served.get("/api/\(path)")
            #expect(answer.status == 404 && "\(answer.json)".contains("no store of positions"), "\(answer.json)")
        }
        let port = served.port
        let (page200, refusal) = try await blocking {
            let viewer = try Connection(port: port)
            viewer.send(
                Array("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n".utf8))
            let sender = try Connection(port: port)
            let body = "{\"message\":\"refused\"}"
            sender.send(
                Array(
                    "POST /logs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n\(body)"
                        .utf8))
            return (Answer(viewer.readToEnd()), Answer(sender.readToEnd()))
        }
        #expect(page200.status == 200 && page200.body.contains("<html"))
        #expect(refusal.status == 403 && refusal.body.contains("is read-only"), "\(refusal.body)")
        // The server is away: a problem, and reported once.
        engine.stop()
        let away = try await served.get("/api/records")
        #expect(away.status == 503 && away.json["detail"] as? String == "the store cannot be read now", "\(away.json)")
        #expect(try await served.get("/api/records").status == 503)
        let errors = folder.text("receiver-errors-1")
        #expect(errors.components(separatedBy: "queries cannot be answered").count == 2, "\(errors)")
        let again = try ClickHouseEngine(in: folder, port: engine.port)
        defer { again.stop() }
        #expect(try await eventually { try await served.get("/api/records").status == 200 })
        #expect(await served.stop() == 0)
    }

    @Test func `a server that cannot be reached is reported at the start, and passwords never are`() async throws {
        let folder = TemporaryDirectory()
        let data = ["serve", "--bind", "127.0.0.1:0", "--data", folder.file("data"), "--store"]
        // Nothing listens on port 1.
        let away = try await Program.run(data + ["clickhouse://reader:swordfish@127.0.0.1:1/default"])
        #expect(away.code == 69, "\(away)")
        #expect(away.errors.contains("cannot read the store: clickhouse://127.0.0.1:1/default: "), "\(away.errors)")
        #expect(!(away.errors + away.output).contains("swordfish"))
        let wrong = try await Program.run(data + ["clickhouse://reader:swordfish@127.0.0.1"])
        #expect(wrong.code == 78 && wrong.errors.contains("--store must name one database"), "\(wrong)")
        #expect(!wrong.errors.contains("swordfish"))
        let both = try await Program.run(data + ["clickhouse://127.0.0.1:1/default", "--config", "x.yaml"])
        #expect(both.code == 64 && both.errors.contains("cannot be combined"), "\(both)")
    }
}
#endif
