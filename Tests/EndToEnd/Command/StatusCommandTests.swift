#if Command && Configuration
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// `taffrail status` for programs and monitors.
@Suite(.mayBlock) struct StatusCommandTests: CommandTests {
    let directory = TemporaryDirectory()

    private func json(_ run: CommandRun) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    private static let configuration = """
        plugins:
          simulated: { points: [{ latitude: 55.6761, longitude: 12.5683 }], interval: 1h }
          file: { path: DIR/app.log }
        """

    @Test func `a running program and a killed one have states, and exit statuses`() async throws {
        let idle = try taffrail("status", "--json", directory.path)
        #expect(try idle.end == .exited(0) && json(idle)["state"] as? String == "idle")
        let run = try RunningCommand(Self.configuration, in: directory)
        #expect(await eventually { directory.text("app.log").contains("geo.location") })
        // From then on there is nothing that could wait for a sink.
        let isWritten = { (try? taffrail("status", directory.path).output.contains(", 0 bytes pending")) == true }
        #expect(await eventually { isWritten() })
        let now = try taffrail("status", "--json", directory.path)
        let queues = try #require(json(now)["queues"] as? [[String: Any]])
        #expect(try now.end == .exited(0) && json(now)["state"] as? String == "running")
        #expect(
            queues.count == 1 && queues[0]["process"] as? Int == Int(run.pid)
                && queues[0]["log"] as? String == "app.log")
        let sinks = try #require(queues[0]["sinks"] as? [[String: Any]])
        #expect(sinks.count == 1 && sinks[0]["name"] as? String == "file:app.log" && sinks[0]["lost"] as? Int == 0)
        // By the log itself, and by the configuration.
        let id = try #require(queues[0]["run"] as? String)
        for place in [[directory.file("app.log")], ["--config", directory.file("taffrail.yaml")]] {
            let same = try CommandRun(["status", "--json"] + place, in: directory)
            #expect(same.end == .exited(0) && same.output.contains("\"run\":\"\(id)\""))
        }
        #expect(run.end(SIGKILL) == .killed(SIGKILL))
        let dead = try taffrail("status", "--json", directory.path)
        #expect(try dead.end == .exited(69) && json(dead)["state"] as? String == "dead")
        #expect(try taffrail("status", directory.path).end == .exited(69))
    }

    @Test func `metrics are in the text format of Prometheus, and have the state`() async throws {
        let run = try RunningCommand(Self.configuration, in: directory)
        #expect(await eventually { directory.text("app.log").contains("geo.location") })
        #expect(run.end(SIGKILL) == .killed(SIGKILL))
        let metrics = try taffrail("status", "--metrics", directory.path)
        #expect(metrics.end == .exited(0))
        let lines = metrics.output.split(separator: "\n")
        #expect(lines.contains("# TYPE taffrail_records_total counter"))
        let labels = "directory=\"\(directory.path)\",log=\"app.log\",run=\""
        #expect(lines.contains { $0.hasPrefix("taffrail_run_state{\(labels)") && $0.hasSuffix("state=\"dead\"} 1") })
        #expect(
            lines.contains {
                $0.hasPrefix("taffrail_sink_written_total{\(labels)") && $0.contains("sink=\"file:app.log\"} ")
            })
        for line in lines where !line.hasPrefix("#") {
            #expect(line.contains(/^taffrail_[a-z_]+\{([a-z]+="[^"]*",?)+\} [0-9]+$/), "\(line)")
        }
    }

    @Test func `records that a sink does not take are waiting, and dropped ones are lost`() throws {
        let gate = GatedSink()
        let file = try FileSink(FileOptions(path: directory.file("app.log")))
        let pipeline = Pipeline(
            sinks: [file, gate], queue: QueueOptions(capacity: 64 << 10, whenFull: .dropNewest))
        defer {
            gate.open()
            pipeline.shutdown()
        }
        pipeline.logger.info("one")
        gate.waitForWriter()
        let waiting = try taffrail("status", directory.path)
        #expect(waiting.end == .exited(75) && waiting.output.contains(", waiting for a sink"))
        for number in 0..<5_000 { pipeline.logger.info("number \(number)") }
        let lossy = try taffrail("status", directory.path)
        #expect(lossy.end == .exited(74) && lossy.output.contains(", has lost records"))
        #expect(
            try taffrail("status", "--metrics", directory.path).output.contains(",reason=\"shed\",level=\"info\"} "))
    }

    @Test func `status and verification agree on the numbers of a run, also on those in its queue`() throws {
        let gate = GatedSink()
        let file = try FileSink(FileOptions(path: directory.file("app.log")))
        let pipeline = Pipeline(sinks: [file, gate], queue: QueueOptions(capacity: 64 << 10))
        defer {
            gate.open()
            pipeline.shutdown()
        }
        pipeline.logger.info("one")
        gate.waitForWriter()
        for number in 2...12 { pipeline.logger.info("number \(number)") }
        let queue = try #require(
            (json(taffrail("status", "--json", directory.path))["queues"] as? [[String: Any]])?.first)
        let sinks = try #require(queue["sinks"] as? [[String: Any]])
        #expect(queue["records"] as? Int == 12 && sinks.map { $0["written"] as? Int } == [1, 0])
        let run = try #require(queue["run"] as? String)
        let verified = try taffrail("tail", "--verify", directory.file("app.log"))
        #expect(
            verified.output.contains("  run \(run): 1 to 12, 1 line in 1 file\n    2 to 12 queued"),
            "\(verified.output)")
        let status = try taffrail("status", directory.path)
        #expect(status.output.contains("  records   12 written by the program\n"))
        #expect(status.output.contains("file:app.log: 1 record written, "))
    }

    @Test func `a dead queue whose sinks no running program has is reported with the command that recovers it`() throws
    {
        mkdir(directory.file(".taffrail"), 0o700)
        let ring = directory.leaveRing(
            ".taffrail", [("file:app.log", directory.file("app.log"), 3), ("older", "/old", 1)])
        // Until the program has started again, its configuration is unknown.
        #expect(try !taffrail("status", directory.path).output.contains("that no running program"))
        let pipeline = Pipeline(sinks: [try FileSink(FileOptions(path: directory.file("other.log"))), MemorySink()])
        defer { pipeline.shutdown() }
        pipeline.logger.info("one")
        pipeline.flush()
        #expect(access(ring, F_OK) == 0)
        let status = try taffrail("status", directory.path)
        #expect(status.end == .exited(69))
        #expect(
            status.output.contains(
                "\n  waiting   for sinks that no running program here has (older); \"taffrail recover \(directory.path) "
                    + "--config FILE\" with their configuration writes the records\n"), "\(status.output)")
        let queues = try #require(json(taffrail("status", "--json", directory.path))["queues"] as? [[String: Any]])
        #expect(queues.compactMap { $0["absent_sinks"] as? [String] } == [["older"]])
    }

    @Test func `conflicting flags are rejected`() throws {
        #expect(try taffrail("status", "--json", "--metrics").end == .exited(64))
        #expect(try taffrail("status", directory.path, "--config", "x.yaml").end == .exited(64))
    }
}
#endif
