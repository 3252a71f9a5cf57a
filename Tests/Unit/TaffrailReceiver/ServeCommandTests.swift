#if Server && HTTP && Command && Configuration
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote
@testable import TaffrailReceiver

/// `taffrail serve` as a whole.
@Suite(.heavy, .serialized) struct ServeCommandTests {
    static let rounds = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 8 : 50

    private static func sink(
        _ folder: TemporaryDirectory, port: Int, _ encoding: HTTPRemoteOptions.Encoding
    ) -> HTTPRemoteSink {
        let path = encoding == .ndjson ? "/logs" : "/v1/logs"
        var options = HTTPRemoteOptions(url: "http://127.0.0.1:\(port)\(path)")
        options.encoding = encoding
        options.delay = .zero
        options.longestRetry = .milliseconds(50)
        options.batchRecords = 20
        let sink = HTTPRemoteSink(
            options, instance: PluginInstance(name: "\(encoding)", logDirectory: folder.path, program: "ferry"))
        sink.attach(.none)
        return sink
    }

    private static func write(_ numbers: Range<Int>, to sink: HTTPRemoteSink, run: UInt64) throws {
        var buffer = RecordBuffer(run: RingID(run), start: UInt64(numbers.lowerBound) << 16)
        for number in numbers {
            var record = LogRecord(level: .info, message: "record \(number)", logger: "far")
            record.sequence = UInt64(number)
            buffer.append(record)
        }
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
    }

    /// The numbers of the records of a run, in the order of the log, each once.
    private static func numbers(_ records: [[String: Any]], run: UInt64) -> (all: Int, unique: [Int]) {
        var seen: Set<Int> = []
        var (all, unique) = (0, [Int]())
        for record in records {
            guard let attributes = record["attributes"] as? [String: Any],
                attributes["taffrail.origin.run"] as? String == "\(RingID(run))",
                let number = attributes["taffrail.origin.seq"] as? Int
            else { continue }
            all += 1
            if seen.insert(number).inserted { unique.append(number) }
        }
        return (all, unique)
    }

    @Test func `what the sink http sends arrives whole, though the receiver is killed again and again`() async throws {
        let folder = TemporaryDirectory()
        let served = ServedReceiver(in: folder)
        try await served.start()
        let encodings: [HTTPRemoteOptions.Encoding] = [.otlp, .otlpJSON, .ndjson]
        let sinks = encodings.map { Self.sink(folder, port: served.port, $0) }
        let perRound = 200
        var generator = SeededGenerator(seed: 21)
        for round in 0..<Self.rounds {
            for (index, sink) in sinks.enumerated() {
                let numbers = round * perRound + 1..<(round + 1) * perRound + 1
                try Self.write(numbers, to: sink, run: UInt64(index + 1))
            }
            // At an arbitrary point of the delivery.
            let wanted = served.records.count + Int.random(in: 1...300, using: &generator)
            #expect(await eventually { served.records.count >= wanted })
            served.kill()
            try await served.start()
        }
        let total = Self.rounds * perRound
        for index in sinks.indices {
            let isComplete = await eventually {
                Self.numbers(served.records, run: UInt64(index + 1)).unique.count == total
            }
            #expect(
                isComplete, "\(encodings[index]): \(Self.numbers(served.records, run: UInt64(index + 1)).unique.count)")
        }
        #if Store
        for index in sinks.indices {
            // What was being sent during a kill was logged twice, and is stored once.
            #expect(
                try await eventually { try await served.stored(run: UInt64(index + 1)) == Array(1...total) },
                "\(encodings[index])")
        }
        let levels = try await served.get("/api/values?field=level&q=logger:far")
        let counts = (levels.json["values"] as? [[String: Any]])?.compactMap { $0["count"] as? Int }
        #expect(counts == [sinks.count * total], "\(levels.json)")
        #endif
        #expect(await served.stop() == 0)
        for (index, sink) in sinks.enumerated() {
            let (all, unique) = Self.numbers(served.records, run: UInt64(index + 1))
            #expect(unique == Array(1...total), "\(encodings[index])")
            // What was being sent during a kill is sent again; nothing else is.
            #expect(all <= total + Self.rounds * 20, "\(encodings[index]): \(all)")
            try sink.close()
        }
    }

    @Test func `a signal ends the program after what it has confirmed is written`() async throws {
        let folder = TemporaryDirectory()
        let served = ServedReceiver(in: folder)
        try await served.start()
        let port = served.port
        let answer = try await blocking {
            let connection = try Connection(port: port)
            let body = "{\"message\":\"confirmed\"}"
            connection.send(
                Array(
                    "POST /logs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n\(body)"
                        .utf8))
            return connection.readToEnd()
        }
        #expect(Answer(answer).status == 200)
        #expect(await served.stop() == 0)
        #expect(served.records.contains { $0["message"] as? String == "confirmed" })
    }

    @Test func `a signal during an upload ends the program, and the recording can be sent again`() async throws {
        let folder = TemporaryDirectory()
        let served = ServedReceiver(in: folder)
        try await served.start()
        let recording = [UInt8](repeating: 32, count: 4 << 20)
        let head = "PUT /recordings/drive.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        let length = "Content-Length: \(recording.count)\r\n"
        let begun = try Connection(port: served.port)
        begun.send(Array((head + length + "Expect: 100-continue\r\n\r\n").utf8))
        let held = Held(begun)
        let permission = try await blocking { held.connection.read(until: "100 Continue") }
        #expect(permission.contains("100 Continue"))
        begun.send(Array(recording.prefix(1 << 20)))
        #expect(await served.stop() == 0)
        try await served.start()
        let port = served.port
        let answer = try await blocking {
            let connection = try Connection(port: port)
            connection.send(Array((head + length + "\r\n").utf8) + recording)
            return connection.readToEnd()
        }
        #expect(Answer(answer).status == 201)
        #expect(try folder.bytes("data/recordings/drive.json") == recording)
        #expect(await served.stop() == 0)
    }

    private struct Held: @unchecked Sendable {
        let connection: Connection
        init(_ connection: Connection) { self.connection = connection }
    }

    @Test func `fewer connections are accepted where few files may be open, and this is reported`() async throws {
        let folder = TemporaryDirectory()
        let taffrail = try #require(Program.path("taffrail"))
        let program = try Program(
            [
                "-c", "ulimit -n 160; exec \"$0\" \"$@\"", taffrail, "serve", "--bind", "127.0.0.1:0", "--data",
                folder.file("data"),
            ], of: "sh", in: folder)
        let isListening = await eventually {
            folder.text("errors").contains("the receiver listens on") || !program.isRunning
        }
        #expect(isListening)
        let wanted =
            "the receiver accepts only 32 of 512 connections at a time: this process is limited to 160 open files"
        #expect(folder.text("errors").contains(wanted), "\(folder.text("errors"))")
        program.send(SIGTERM)
        #expect(await program.wait() == 0)
    }

    @Test func `an address in use or open to others, and a missing token file, are wrong usage`() async throws {
        let folder = TemporaryDirectory()
        let served = ServedReceiver(in: folder)
        try await served.start()
        let data = ["--data", folder.file("other")]
        let taken = try await Program.run(["serve", "--bind", "127.0.0.1:\(served.port)"] + data)
        #expect(taken.code == 69 && taken.errors.contains("cannot listen on 127.0.0.1:\(served.port)"))
        let unknown = try await Program.run(["serve", "--bind", "no-such-host.invalid:8787", "--insecure"] + data)
        #expect(unknown.code == 69 && unknown.errors.contains("cannot listen on no-such-host.invalid:8787"))
        let open = try await Program.run(["serve", "--bind", "0.0.0.0:0"] + data)
        #expect(open.code == 78 && open.errors.contains("requires token_file, or insecure: true"), "\(open.errors)")
        let tokens = try await Program.run(
            ["serve", "--token-file", folder.file("none"), "--bind", "127.0.0.1:0"] + data)
        #expect(tokens.code == 78 && tokens.errors.contains("token_file"), "\(tokens.errors)")
        #expect(await served.stop() == 0)
    }

    #if Store
    @Test func `the ping of the seed, sent by curl, is found by a query, also after SIGKILL`() async throws {
        let folder = TemporaryDirectory()
        let served = ServedReceiver(in: folder)
        try await served.start()
        try folder.write(ReceiverTests.ping, to: "ping.json")
        let sent = try await Program.run(
            [
                "-sS", "-f", "-H", "Content-Type: application/json", "--data-binary", "@\(folder.file("ping.json"))",
                "http://127.0.0.1:\(served.port)/ping",
            ], of: "curl")
        #expect(sent.code == 0 && sent.output == "{\"ok\":true}", "\(sent.errors)")
        // A batch whose records have no numbers, which the client sends again because it has not seen the answer.
        func sendBatch() async throws -> (code: Int32, output: String, errors: String) {
            try await Program.run(
                [
                    "-sS", "-f", "-H", "Idempotency-Key: 7", "--data-binary", "{\"message\":\"unnumbered\"}",
                    "http://127.0.0.1:\(served.port)/logs",
                ], of: "curl")
        }
        #expect(try await sendBatch().code == 0)
        // At once: the records are in the queue only.
        served.kill()
        try await served.start()
        #expect(try await sendBatch().code == 0)
        #expect(try await sendBatch().output.contains("\"accepted\":1"))
        func found(_ target: String, _ key: String) async throws -> [[String: Any]] {
            try await served.get(target).json[key] as? [[String: Any]] ?? []
        }
        #expect(
            try await eventually {
                try await found("/api/records?q=event:geo.location+near:55.6761,12.5683,1km", "records").count == 1
            })
        // The store of positions is another sink's.
        #expect(try await eventually { try await !found("/api/tracks", "tracks").isEmpty })
        let record = try #require(try await found("/api/records?q=device:phone-1", "records").first)
        #expect(record["event"] as? String == "geo.location" && record["arrival"] is String, "\(record)")
        let id = try #require(record["id"] as? String)
        #expect(try await served.get("/api/around?id=\(id)").status == 200)
        let histogram = try await served.get("/api/histogram?q=device:phone-1")
        #expect(histogram.json["total"] as? Int == 1)
        let values = try await found("/api/values?field=device&q=event:geo.location", "values")
        #expect(values.first?["value"] as? String == "phone-1")
        let devices = try await found("/api/devices", "devices")
        #expect(devices.contains { $0["name"] as? String == "phone-1" && $0["position"] != nil }, "\(devices)")
        let tracks = try await found("/api/tracks", "tracks")
        #expect(tracks.first?["device"] as? String == "phone-1" && tracks.first?["total"] as? Int == 1, "\(tracks)")
        let phone = try #require(try await found("/api/series", "devices").first)
        let battery = try #require((phone["battery"] as? [[String: Any]])?.first)
        #expect(phone["device"] as? String == "phone-1" && battery["least"] as? Double == 0.83, "\(phone)")
        #expect(try await served.get("/api/openapi.json").json["openapi"] is String)
        #expect(try await served.get("/api/trips").json["trips"] is [Any])
        // Problems.
        let wrong = try await served.get("/api/records?q=level%3E%3Dloud")
        #expect(wrong.status == 400 && wrong.json["parameter"] as? String == "q" && wrong.json["column"] as? Int == 8)
        #expect(try await served.get("/api/nothing").status == 404)
        #expect(await served.stop() == 0)
        // Logged before the kill and after it, and stored once.
        #expect(served.records.count { $0["message"] as? String == "unnumbered" } == 2)
        let listed = try await Program.run(
            ["logs", "query", "unnumbered", "--store", folder.file("data/logs.sqlite"), "--format", "json"])
        #expect(listed.code == 0 && listed.output.split(separator: "\n").count == 1, "\(listed)")
    }

    @Test(.enabled(if: Program.areThere("curl"), "curl is not installed"))
    func `points of a store are pushed to a receiver, which has each once`() async throws {
        let folder = TemporaryDirectory()
        let served = ServedReceiver(in: folder)
        try await served.start()
        let store = ["--store", folder.file("own.sqlite")]
        let track = (0..<1_200).map { n in
            String(format: "2026-01-05T14:%02d:%02d.5Z,%.4f,12.5\n", 10 + n / 60, n % 60, 55 + Double(n) / 10_000)
        }
        try folder.write("time,lat,lon\n" + track.joined(), to: "track.csv")
        let imported = try await Program.run(["history", "import", folder.file("track.csv")] + store)
        try #require(imported.code == 0, "\(imported.errors)")
        let url = "http://127.0.0.1:\(served.port)"
        for _ in 0..<2 {
            let pushed = try await Program.run(["history", "push", url] + store)
            #expect(pushed.code == 0 && pushed.output == "1200 points sent\n", "\(pushed.output)\(pushed.errors)")
        }
        #expect(await served.stop() == 0)
        let export = ["history", "export", "-", "--format", "csv", "--all", "--store"]
        let own = try await Program.run(export + [folder.file("own.sqlite")])
        let received = try await Program.run(export + [folder.file("data/track.sqlite")])
        #expect(own.code == 0 && received.code == 0 && !own.output.isEmpty)
        #expect(received.output.split(whereSeparator: \.isNewline).count == 1_201)
        #expect(received.output == own.output)
        let refused = try await Program.run(["history", "push", url] + store)
        #expect(refused.code == 69, "\(refused.errors)")
        for wrong in ["ftp://a", "http://", "http://a/logs", "a"] {
            #expect(try await Program.run(["history", "push", wrong] + store).code == 64)
        }
    }

    @Test func `positions are in the store, with their devices`() async throws {
        let folder = TemporaryDirectory()
        let served = ServedReceiver(in: folder)
        try await served.start()
        let port = served.port
        for device in ["phone", "ferry"] {
            let body = ReceiverTests.ping.replacing("phone-1", with: device)
            let answer = try await blocking {
                let connection = try Connection(port: port)
                connection.send(
                    Array(
                        "POST /ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                            .utf8))
                return connection.readToEnd()
            }
            #expect(Answer(answer).status == 200)
        }
        #expect(await served.stop() == 0)
        for device in ["phone", "ferry"] {
            let listed = try await Program.run(
                [
                    "history", "export", "-", "--store", folder.file("data/track.sqlite"), "--format", "csv",
                    "--device",
                    device,
                ])
            #expect(listed.code == 0 && listed.output.contains("55.6761"), "\(listed.output)\(listed.errors)")
        }
    }
    #endif
}

extension ServedReceiver {
    /// The answer to a request.
    func get(_ target: String) async throws -> (status: Int, json: [String: Any]) {
        let port = port
        let answer = try await blocking {
            let connection = try Connection(port: port)
            connection.send(
                Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
            return Answer(connection.readToEnd())
        }
        let json = try? JSONSerialization.jsonObject(with: Data(answer.body.utf8))
        return (answer.status, json as? [String: Any] ?? [:])
    }

    /// The numbers of the records of a run that its queries find, in the order of the sender.
    func stored(run: UInt64) async throws -> [Int] {
        var numbers: [Int] = []
        var cursor = ""
        while true {
            let (status, json) = try await get("/api/records?q=run:\(RingID(run))&order=oldest&limit=1000\(cursor)")
            try #require(status == 200, "\(json)")
            numbers += (json["records"] as? [[String: Any]] ?? []).compactMap { $0["seq"] as? Int }
            guard let next = json["next"] as? String else { return numbers.sorted() }
            cursor = "&cursor=\(next)"
        }
    }
}
#endif
