#if HTTP && Store && Command && Configuration
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// A log file, a store of records, a recorder and a collector in one program that is killed again and again: the next run
/// recovers, or `taffrail recover` does.
@Suite(.heavy) struct EverySinkKillTests {
    static let rounds = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 6 : 60

    /// The messages of the store, by SQLite in another program.
    private static func stored(_ path: String) throws -> [String] {
        let script = """
            import json, sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            assert database.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            for row in database.execute("SELECT message FROM record"):
                print(row[0])
            """
        let result = try Program.run(["-c", script, path], of: "python3")
        try #require(result.code == 0, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    /// The messages of the recordings, each of which must be complete JSON.
    private static func recorded(_ directory: String) throws -> [String] {
        var messages: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) where name.hasSuffix(".json") {
            let data = try Data(contentsOf: URL(filePath: directory + "/" + name))
            let whole = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any], "\(name)")
            for event in whole["events"] as? [[String: Any]] ?? [] {
                guard let message = (event["data"] as? [String: Any])?["message"] as? String else { continue }
                messages.append(message)
            }
        }
        return messages
    }

    @Test(.enabled(if: Program.areThere("python3"), "python3 is not installed"))
    func `four sinks have the same records, once each, whichever process recovers what a kill has left`() async throws {
        let folder = TemporaryDirectory()
        let receiver = try await DurableReceiver(in: folder)
        try receiver.configure(
            folder, spool: ".taffrail/http.spool",
            others: [
                "log-store: { path: \(folder.file("logs.sqlite")) }",
                "geo-recorder: { directory: \(folder.file("drives")), include: [logs] }",
            ])
        let config = folder.file("taffrail.yaml")
        var generator = SeededGenerator(seed: 23)
        var acknowledged: [String] = []
        for round in 0..<Self.rounds {
            var ends: [CInt] = [0, 0]
            try #require(pipe(&ends) == 0)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            let output = "echo-\(round)"
            let program = try Program(
                ["log", "info", "--stdin", "--tee", "--config", config], in: folder, output: output, input: ends[0])
            close(ends[0])
            let text = Array((0..<300).map { "round \(round) line \($0)\n" }.joined().utf8)
            // It fits into the pipe.
            #expect(write(ends[1], text, text.count) == text.count)
            let wanted = Int.random(in: 1...300, using: &generator)
            #expect(await eventually { folder.lineCount(output) >= wanted })
            program.kill()
            close(ends[1])
            acknowledged += folder.text(output).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
                String.init)
            // In the other rounds the next run does it.
            guard round % 2 == 1 else { continue }
            let recovered = try await Program.run(["recover", folder.path, "--config", config], in: folder)
            #expect(recovered.code == 0, "\(recovered.errors)")
            #expect(folder.rings == [])
        }
        let last = try await Program.run(["log", "info", "the last run", "--config", config], in: folder)
        #expect(last.code == 0, "\(last.errors)")
        #expect(folder.rings == [])
        // What is left in the spool.
        var options = HTTPRemoteOptions(url: "http://127.0.0.1:\(receiver.port)/")
        options.encoding = .ndjson
        options.longestRetry = .milliseconds(10)
        let sink = HTTPRemoteSink(
            options, instance: PluginInstance(name: "http", logDirectory: folder.path, program: "taffrail"))
        sink.attach(.none)
        #expect(await eventually { (try? SpoolInspection(sink.destinations[0]).summary().records) == 0 })
        try sink.close()

        let lines = folder.text("app.log").split(separator: "\n").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
        let logged = lines.compactMap { $0["message"] as? String }.sorted()
        #expect(Set(logged).count == logged.count && logged.count > Self.rounds)
        #expect(acknowledged.filter { !Set(logged).contains($0) } == [])
        #expect(try Self.stored(folder.file("logs.sqlite")).sorted() == logged)
        #expect(try Self.recorded(folder.file("drives")).sorted() == logged)
        let received = receiver.records
        #expect(received.map(\.message).sorted() == logged)
        var highest: [String: Int] = [:]
        for record in received {
            #expect(record.sequence > highest[record.run, default: 0])
            highest[record.run] = record.sequence
        }
        let entries = try LedgerFile(directory: folder.file(".taffrail")).entries()
        #expect(!entries.contains { if case .drop? = $0 { true } else { false } })
    }
}
#endif
