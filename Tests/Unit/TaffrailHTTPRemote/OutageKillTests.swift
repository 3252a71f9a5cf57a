#if HTTP && Command && Configuration
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// A program that logs a thousand records a second, for 20 seconds, and for ten minutes in `make soak`; it and the receiver are killed
/// twenty times.
@Suite(.heavy, .serialized) struct OutageKillTests {
    private static let kills = 20
    private static let linesOfRound =
        ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 1_000 : 30_000

    /// Writes lines in Python, ten each hundredth of a second.
    private static let feeder = """
        import sys, time
        path, prefix, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
        start = time.monotonic()
        with open(path, "w") as file:
            for number in range(0, count, 10):
                time.sleep(max(0, start + number / 1000 - time.monotonic()))
                file.write("".join(f"{prefix} line {line}\\n" for line in range(number, min(count, number + 10))))
                file.flush()
        """

    private let folder = TemporaryDirectory()
    private var config: String { folder.file("taffrail.yaml") }

    /// The run of the sender that a kill ends: what has been confirmed on its output is logged.
    private func run(_ round: Int, killing receiver: DurableReceiver) async throws -> [String] {
        // Opened for both directions, it waits for no one.
        let path = folder.file("lines-\(round)")
        try #require(mkfifo(path, 0o600) == 0)
        let lines = open(path, O_RDWR | O_CLOEXEC)
        try #require(lines >= 0)
        let output = "echo-\(round)"
        let sender = try Program(
            ["log", "info", "--stdin", "--tee", "--config", config], in: folder, output: output, input: lines)
        let feeder = try Program(
            ["-c", Self.feeder, path, "round \(round)", "\(Self.linesOfRound)"], of: "python3", in: folder,
            output: "feeder", errors: "feeder-errors")
        func count() -> Int { folder.lineCount(output) }
        // The receiver is away for the first half, and is killed while it gets what has waited.
        #expect(await eventually { count() >= Self.linesOfRound / 2 })
        let before = receiver.size
        try await receiver.start()
        #expect(await eventually { receiver.size > before }, "round \(round)")
        receiver.kill()
        #expect(await eventually { count() >= Self.linesOfRound * 19 / 20 })
        sender.kill()
        close(lines)
        feeder.kill()
        return folder.text(output).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test(.enabled(if: Program.areThere("python3"), "python3 is not installed"))
    func `a thousand records a second arrive once each and in order, though both ends are killed twenty times`()
        async throws
    {
        let receiver = try await DurableReceiver(in: folder)
        receiver.kill()
        try folder.write(
            """
            plugins:
              file: { path: \(folder.file("app.log")), format: json, rotate: { size: 1TiB } }
              http:
                url: http://127.0.0.1:\(receiver.port)/
                encoding: ndjson
                delay: 0
                drain: 0
                longest_retry: 1s
                batch: { records: 200 }
            """, to: "taffrail.yaml")
        var acknowledged: Set<String> = []
        for round in 0..<Self.kills { acknowledged.formUnion(try await run(round, killing: receiver)) }
        // The last run sends what is left, and logs one record.
        try await receiver.start()
        let last = try await Program.run(["log", "info", "the last run", "--config", config], in: folder)
        #expect(last.code == 0, "\(last.errors)")
        var options = HTTPRemoteOptions(url: "http://127.0.0.1:\(receiver.port)/")
        options.encoding = .ndjson
        options.longestRetry = .milliseconds(10)
        var instance = PluginInstance(name: "http", logDirectory: folder.path, program: "taffrail")
        instance.log = "app.log"
        let sink = HTTPRemoteSink(options, instance: instance)
        sink.attach(.none)
        #expect(await eventually { (try? SpoolInspection(sink.destinations[0]).summary().records) == 0 })
        try sink.close()
        receiver.kill()

        let records = receiver.records
        var highest: [String: Int] = [:]
        for record in records {
            #expect(record.sequence > highest[record.run, default: 0])
            highest[record.run] = record.sequence
        }
        let numbers = Set(records.map { "\($0.run) \($0.sequence)" })
        #expect(numbers.count == records.count, "\(records.count - numbers.count) arrived twice")
        let missing = acknowledged.subtracting(records.map(\.message)).count
        #expect(missing == 0, "\(missing) are lost")
        #expect(acknowledged.count >= Self.kills * Self.linesOfRound * 19 / 20)
        let logged = folder.text("app.log").split(separator: "\n").compactMap { line -> String? in
            let fields = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
            guard let run = fields?["run"] as? String, let sequence = fields?["seq"] as? Int else { return nil }
            return "\(run) \(sequence)"
        }
        #expect(logged.count == records.count && Set(logged) == numbers)
    }
}
#endif
