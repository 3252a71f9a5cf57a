#if HTTP && Command && Configuration
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// A receiver of JSON lines in Python, which has a record on disk before it confirms it, and can be killed.
///
/// What it gets again, with the key of a request that it has stored, it confirms without storing it; each request is a line of its
/// file: the key and the body. A request whose sender was killed in the middle of it has no such line.
final class DurableReceiver {
    let folder: TemporaryDirectory
    private let reserved: ReservedPort
    private var program: Program?

    private static let script = """
        import gzip, http.server, json, os, sys, threading
        path, port = sys.argv[1], int(sys.argv[2])
        known = set()
        with open(path, "a+b") as file:
            file.seek(0)
            whole = 0
            for line in file:
                if line.endswith(b"\\n"):
                    known.add(json.loads(line)["key"])
                    whole += len(line)
            file.truncate(whole)
        log = open(path, "ab")
        # The same request may come again on a second connection while the first one is being stored.
        lock = threading.Lock()
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_POST(self):
                length = int(self.headers["Content-Length"])
                body = self.rfile.read(length)
                # The sender was killed. Stored under its key, a part would keep out the whole that the next run
                # sends, and to gzip no bytes at all are a whole.
                if len(body) < length:
                    self.close_connection = True
                    return
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                key = self.headers["Idempotency-Key"]
                with lock:
                    if key not in known:
                        log.write(json.dumps({"key": key, "body": body.decode()}).encode() + b"\\n")
                        log.flush()
                        os.fsync(log.fileno())
                        known.add(key)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()
            def log_message(self, *arguments):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    init(in folder: TemporaryDirectory) async throws {
        self.folder = folder
        reserved = try ReservedPort()
        try await start()
    }

    /// Its port, which it keeps while it is down.
    var port: Int { reserved.number }

    /// Starts it.
    func start() async throws {
        try? FileManager.default.removeItem(atPath: folder.file("port"))
        program = try Program(
            ["-c", Self.script, folder.file("received"), "\(port)"], of: "python3", in: folder, output: "port",
            errors: "receiver-errors")
        let started = await eventually { Int(self.folder.text("port").trimmingCharacters(in: .newlines)) != nil }
        try #require(started, "\(folder.text("receiver-errors"))")
    }

    func kill() { program?.kill() }

    /// How many bytes it has on disk.
    var size: Int {
        var status = stat()
        return stat(folder.file("received"), &status) == 0 ? Int(status.st_size) : 0
    }

    /// The records that it has, in order: run, number, message.
    var records: [(run: String, sequence: Int, message: String)] {
        folder.text("received").split(separator: "\n").flatMap {
            line -> [(run: String, sequence: Int, message: String)] in
            guard let request = Self.object(line), let body = request["body"] as? String else { return [] }
            return body.split(separator: "\n").compactMap { line in
                guard let record = Self.object(line), let run = record["run"] as? String,
                    let sequence = record["seq"] as? Int, let message = record["message"] as? String
                else { return nil }
                return (run, sequence, message)
            }
        }
    }

    /// Writes the configuration of a program that logs into a file and to this receiver.
    ///
    /// - Parameter others: Further plugins, each a line.
    func configure(_ folder: TemporaryDirectory, spool: String = "spool", others: [String] = []) throws {
        let others = others.map { "  \($0)\n" }.joined()
        try folder.write(
            """
            queue: { capacity: 256KiB }
            plugins:
            \(others)  file: { path: \(folder.file("app.log")), format: json }
              http:
                url: http://127.0.0.1:\(port)/
                encoding: ndjson
                delay: 0
                drain: 0
                longest_retry: 1s
                batch: { records: 50 }
                spool: { directory: \(folder.file(spool)) }
            """, to: "taffrail.yaml")
    }

    private static func object(_ line: Substring) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
    }
}

@Suite(.heavy, .serialized) struct DeliveryKillTests {
    static let rounds = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 8 : 40

    @Test(.enabled(if: Program.areThere("python3"), "python3 is not installed"))
    func `what was logged through outages and kills of both ends has arrived, once each and in order`() async throws {
        let folder = TemporaryDirectory()
        let receiver = try await DurableReceiver(in: folder)
        try receiver.configure(folder)
        var generator = SeededGenerator(seed: 7)
        var acknowledged: [String] = []
        for round in 0..<Self.rounds {
            // In every other round the receiver is away, or is killed while it gets something.
            if round % 3 == 1 { receiver.kill() }
            var ends: [CInt] = [0, 0]
            try #require(pipe(&ends) == 0)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            let output = "echo-\(round)"
            let sender = try Program(
                ["log", "info", "--stdin", "--tee", "--config", folder.file("taffrail.yaml")], in: folder,
                output: output,
                input: ends[0])
            close(ends[0])
            let text = Array((0..<300).map { "round \(round) line \($0)\n" }.joined().utf8)
            // It fits into the pipe.
            #expect(write(ends[1], text, text.count) == text.count)
            let wanted = Int.random(in: 1...300, using: &generator)
            #expect(await eventually { folder.lineCount(output) >= wanted })
            if round % 3 == 2 { receiver.kill() }
            sender.kill()
            close(ends[1])
            acknowledged += folder.text(output).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
                String.init)
            if round % 3 != 0 { try await receiver.start() }
        }
        // The next run sends what is left; it logs nothing itself.
        let last = try await Program.run(
            ["log", "info", "the last run", "--config", folder.file("taffrail.yaml")], in: folder)
        #expect(last.code == 0, "\(last.errors)")
        #expect(folder.rings == [])
        let options = SpoolOptions(directory: folder.file("spool"))
        var http = HTTPRemoteOptions(url: "http://127.0.0.1:\(receiver.port)/")
        http.encoding = .ndjson
        http.longestRetry = .milliseconds(10)
        http.spool.directory = options.directory
        let sink = HTTPRemoteSink(
            http, instance: PluginInstance(name: "http", logDirectory: folder.path, program: "ferry"))
        sink.attach(.none)
        #expect(await eventually { (try? SpoolInspection(options.directory).summary().records) == 0 })
        try sink.close()

        let records = receiver.records
        let numbers = Set(records.map { "\($0.run) \($0.sequence)" })
        #expect(numbers.count == records.count, "\(records.count - numbers.count) arrived twice")
        var highest: [String: Int] = [:]
        for record in records {
            #expect(record.sequence > highest[record.run, default: 0])
            highest[record.run] = record.sequence
        }
        let messages = Set(records.map(\.message))
        let lost = acknowledged.filter { !messages.contains($0) }
        #expect(lost.isEmpty, "in the file: \(lost.count { folder.text("app.log").contains($0) })")
        #expect(acknowledged.count > Self.rounds)
        // The file has the same.
        let lines = folder.text("app.log").split(separator: "\n").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
        let logged = lines.compactMap { line -> String? in
            guard let run = line["run"] as? String, let sequence = line["seq"] as? Int else { return nil }
            return "\(run) \(sequence)"
        }
        #expect(Set(logged) == numbers && logged.count == records.count)
    }
}
#endif
