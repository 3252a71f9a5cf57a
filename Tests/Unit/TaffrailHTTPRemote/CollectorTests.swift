#if HTTP
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// Collectors that are not ours, as `.ci/otlp-tools` installs them.
@Suite(.mayBlock) struct CollectorTests {
    private static let environment = Repository.root.appending(path: ".build-otlp").path

    private static let oteltap: String? = {
        let path = environment + "/bin/oteltap"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    private static let rotel: String? = {
        let libraries = (try? FileManager.default.contentsOfDirectory(atPath: environment + "/lib")) ?? []
        let paths = libraries.map { environment + "/lib/\($0)/site-packages/rotel/rotel-agent" }
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    private static func sink(_ folder: TemporaryDirectory, port: UInt16, _ encoding: HTTPRemoteOptions.Encoding)
        -> HTTPRemoteSink
    {
        var options = HTTPRemoteOptions(url: "http://127.0.0.1:\(port)/v1/logs")
        options.encoding = encoding
        options.delay = .zero
        options.drain = .zero
        options.longestRetry = .milliseconds(50)
        let sink = HTTPRemoteSink(
            options, instance: PluginInstance(name: "http", logDirectory: folder.path, program: "ferry"))
        sink.attach(.none)
        return sink
    }

    private static func write(_ numbers: ClosedRange<Int>, to sink: HTTPRemoteSink) throws {
        var buffer = RecordBuffer(run: RingID(0xABCD), start: UInt64(numbers.lowerBound) << 16)
        for number in numbers {
            var record = OTLPTests.record
            record.sequence = UInt64(number)
            record.message = "record \(number)"
            buffer.append(record)
        }
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
    }

    @Test(.enabled(if: CollectorTests.oteltap != nil, "run .ci/otlp-tools, which needs PyPI"))
    func `oteltap gets every record once, though it is started late and ended in between`() async throws {
        let path = try #require(Self.oteltap)
        let folder = TemporaryDirectory()
        let port = UInt16(try freePort())
        let sink = Self.sink(folder, port: port, .otlp)
        try Self.write(1...100, to: sink)
        func messages() -> [String] {
            folder.text("output").split(separator: "\n").compactMap { line in
                let record = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
                return (record?["body"] as? [String: Any])?["stringValue"] as? String
            }
        }
        for round in 0..<2 {
            let program = try Program(
                ["--port", "\(port)"], of: path, in: folder, environment: ["PYTHONUNBUFFERED": "1"])
            #expect(await eventually { messages().count >= 100 * (round + 1) }, "\(folder.text("errors"))")
            program.kill()
            if round == 0 { try Self.write(101...200, to: sink) }
        }
        #expect(messages() == (1...200).map { "record \($0)" })
        let first = folder.text("output").split(separator: "\n").first { $0.hasPrefix("{") }.map(String.init) ?? ""
        for part in [
            #""eventName":"geo.location""#, #""severityNumber":10"#, #""severityText":"notice""#,
            #""timeUnixNano":"1767623400123456789""#, #"{"key":"taffrail.seq","value":{"intValue":"1"}}"#,
            #"{"key":"event.name","value":{"stringValue":"geo.location"}}"#,
        ] { #expect(first.contains(part), "\(first)") }
        try sink.close()
    }

    #if Command && Configuration
    @Test(.enabled(if: CollectorTests.oteltap != nil, "run .ci/otlp-tools, which needs PyPI"))
    func `a program that is killed during an outage of a collector loses and repeats nothing`() async throws {
        let path = try #require(Self.oteltap)
        let folder = TemporaryDirectory()
        let port = UInt16(try freePort())
        try folder.write(
            """
            plugins:
              file: { path: \(folder.file("app.log")) }
              http: { url: "http://127.0.0.1:\(port)/v1/logs", delay: 0, drain: 0, longest_retry: 1s, batch: { records: 50 } }
            """, to: "taffrail.yaml")
        let config = folder.file("taffrail.yaml")
        var (ends, texts): ([CInt], [String]) = ([0, 0], (0..<300).map { "line \($0)" })
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let sender = try Program(
            ["log", "info", "--stdin", "--tee", "--config", config], in: folder, output: "echo", input: ends[0])
        close(ends[0])
        let text = Array(texts.map { $0 + "\n" }.joined().utf8)
        #expect(Glibc.write(ends[1], text, text.count) == text.count)
        let spool = folder.file(".taffrail/app.log.http.spool")
        // A request has failed, so that a batch is in flight.
        #expect(await eventually { SpoolCursorFile.read(directory: spool)?.flying != nil })
        #expect(await eventually { folder.lines("echo").count == texts.count })
        sender.kill()
        close(ends[1])
        let collector = try Program(
            ["--port", "\(port)"], of: path, in: folder, environment: ["PYTHONUNBUFFERED": "1"], output: "collected")
        let last = try await Program.run(["log", "info", "the last run", "--config", config], in: folder)
        #expect(last.code == 0, "\(last.errors)")
        texts.append("the last run")
        var options = HTTPRemoteOptions(url: "http://127.0.0.1:\(port)/v1/logs")
        options.spool.directory = spool
        options.longestRetry = .milliseconds(50)
        let sink = HTTPRemoteSink(
            options, instance: PluginInstance(name: "http", logDirectory: folder.path, program: "taffrail"))
        sink.attach(.none)
        #expect(await eventually { (try? SpoolInspection(spool).summary().records) == 0 })
        try sink.close()
        #expect(await eventually { folder.lines("collected").count { $0.hasPrefix("{") } >= texts.count })
        collector.kill()
        let records = folder.lines("collected").compactMap { line -> (identity: String, message: String)? in
            guard let record = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any],
                let attributes = record["attributes"] as? [[String: Any]]
            else { return nil }
            let identity = attributes.filter { ["taffrail.run", "taffrail.seq"].contains($0["key"] as? String) }
                .map { "\($0["value"] ?? "")" }
            let message = (record["body"] as? [String: Any])?["stringValue"] as? String
            return (identity.joined(separator: " "), message ?? "")
        }
        #expect(Set(records.map(\.identity)).count == texts.count)
        #expect(records.map(\.message) == texts)
    }
    #endif

    /// rotel, which prints each record with its fields and drops it.
    private static func startRotel(port: UInt16, in folder: TemporaryDirectory) throws -> Program {
        try Program(
            [
                "start", "--otlp-grpc-endpoint", "127.0.0.1:\(try freePort())",
                "--otlp-http-endpoint", "127.0.0.1:\(port)", "--exporter", "blackhole",
                "--debug-log", "logs", "--debug-log-verbosity", "detailed", "--pid-file", folder.file("pid"),
            ], of: #require(Self.rotel), in: folder)
    }

    @Test(.enabled(if: CollectorTests.rotel != nil, "run .ci/otlp-tools, which needs PyPI"))
    func `rotel gets every record once and in order, though it is started late and ended in between`() async throws {
        let folder = TemporaryDirectory()
        let port = UInt16(try freePort())
        let sink = Self.sink(folder, port: port, .otlp)
        var texts: [String] = []
        var refused = 0
        for round in 0..<3 {
            // During the outage.
            let numbers = (100 * round + 1)...(100 * round + 50)
            try Self.write(numbers, to: sink)
            func output() -> String { folder.text("output") + folder.text("errors") }
            func sequences() -> [String] { output().matches(of: /taffrail\.seq: Int\((\d+)\)/).map { String($0.1) } }
            let isComplete = { sequences().count >= 100 * round + 50 }
            var program = try Self.startRotel(port: port, in: folder)
            #expect(
                try await eventually {
                    // Another test may have one of the ports for a while.
                    let refusals = output().components(separatedBy: "Address already in use").count - 1
                    if refusals > refused {
                        refused = refusals
                        program.kill()
                        program = try Self.startRotel(port: port, in: folder)
                    }
                    return isComplete()
                }, "\(output())")
            // And while it runs.
            try Self.write((numbers.upperBound + 1)...(numbers.upperBound + 50), to: sink)
            #expect(await eventually { sequences().count >= 100 * (round + 1) }, "\(output())")
            program.kill()
            texts = sequences()
        }
        #expect(texts == (1...300).map(String.init))
        try sink.close()
    }

    @Test(
        .enabled(if: CollectorTests.rotel != nil, "run .ci/otlp-tools, which needs PyPI"),
        arguments: [HTTPRemoteOptions.Encoding.otlp, .otlpJSON])
    func `rotel accepts both encodings with every field`(encoding: HTTPRemoteOptions.Encoding) async throws {
        // Another test may take a port before rotel does.
        for round in 1...3 {
            let folder = TemporaryDirectory()
            let port = UInt16(try freePort())
            let program = try Self.startRotel(port: port, in: folder)
            let sink = Self.sink(folder, port: port, encoding)
            defer {
                try? sink.close()
                program.kill()
            }
            try Self.write(1...50, to: sink)
            func output() -> String { folder.text("output") + folder.text("errors") }
            let isTaken = { output().contains("Address already in use") }
            let isComplete = { output().components(separatedBy: "Body: Str(record ").count == 51 }
            #expect(await eventually { isComplete() || isTaken() }, "\(output())")
            if isTaken() && round < 3 { continue }
            for part in [
                "service.name: Str(ferry)", "service.instance.id: Str(000000000000abcd)",
                "InstrumentationScope net.http",
                "SeverityText: notice", "EventName: geo.location", "taffrail.seq: Int(50)", "code.line.number: Int(7)",
                "0102030405060708090a0b0c0d0e0f10", "1112131415161718",
            ] { #expect(output().contains(part), "\(part)") }
            return
        }
    }
}
#endif
