#if Journald
import Foundation
import Glibc
import Taffrail
import TaffrailJournald
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// journald at the end of a queue.
@Suite(
    .mayBlock, .serialized,
    .enabled(if: PrivateJournald.isPossible, "a private journald needs root and systemd-journald"))
struct JournaldPipelineTests {
    /// A pipeline into a private journald and into memory.
    private final class Setup {
        let journald: PrivateJournald
        let fallback = MemorySink()
        let memory = MemorySink(name: "beside")
        let pipeline: Pipeline
        private let identifier = "pipeline-\(UInt32.random(in: 0 ... .max))"

        init(_ name: String, capacity: Int = 8 << 20) throws {
            journald = try PrivateJournald(name)
            let fallback = fallback
            let sink = JournaldSink(
                JournaldOptions(identifier: identifier, socket: journald.socket, patience: .milliseconds(500)),
                name: "journald", program: "tests", fallbackName: "memory"
            ) { () throws(SinkError) in fallback }
            pipeline = Pipeline(
                sinks: [sink, memory],
                queue: QueueOptions(capacity: capacity, durable: false, handleSignals: false), level: .trace)
        }

        deinit { pipeline.shutdown() }

        /// The records of journald, by number; a duplicate, which is allowed, counts once.
        func stored() throws -> [UInt64: String] {
            try journald.entries(where: "SYSLOG_IDENTIFIER=\(identifier)").reduce(into: [:]) { stored, entry in
                stored[UInt64(entry.text("TAFFRAIL_SEQ") ?? "") ?? 0] = entry.text("MESSAGE") ?? ""
            }
        }
    }

    @Test func `a journald that is stopped for five seconds delays no caller, and nothing is lost`() throws {
        let setup = try Setup("pause")
        let logger = setup.pipeline.logger
        logger.info("before")
        #expect(setup.pipeline.flush())
        setup.journald.suspend()
        let end = ContinuousClock.now + .seconds(5)
        var count = 0
        // All of these calls return while journald is stopped.
        while ContinuousClock.now < end || count < 1000 {
            logger.info("paused \(count)")
            count += 1
            poll(nil, 0, 1)
        }
        #expect(waited { !setup.fallback.records.isEmpty })
        setup.journald.resume()
        let isBack = { setup.fallback.records.last?.message != "after \(count)" }
        try setup.journald.wait("it goes back to journald") {
            count += 1
            logger.info("after \(count)")
            return setup.pipeline.flush() && isBack()
        }
        let all = setup.memory.records
        let stored = try setup.stored()
        let kept = Dictionary(setup.fallback.records.map { ($0.sequence, $0.message) }) { $1 }
        #expect(all.map(\.sequence) == Array(1...UInt64(all.count)))
        #expect(all.filter { (stored[$0.sequence] ?? kept[$0.sequence]) != $0.message }.map(\.message) == [])
        #expect(stored[1] == "before" && stored[UInt64(all.count)] == "after \(count)")
    }

    @Test func `messages of one and of eight megabytes pass unchanged through a queue with space for them`() throws {
        let setup = try Setup("large", capacity: 64 << 20)
        let messages = [1 << 20, 8 << 20].map { String(repeating: "0123456789abcde\n", count: $0 / 16) }
        for message in messages { setup.pipeline.logger.info("\(message)") }
        #expect(setup.pipeline.flush())
        let stored = try setup.stored()
        #expect([1, 2].map { stored[$0]?.utf8.count } == [1 << 20, 8 << 20])
        #expect([1, 2].allSatisfy { stored[$0] == messages[Int($0) - 1] })
        #expect(setup.fallback.records.isEmpty)
    }

    @Test func `taffrail run logs into a file, the console and journald at once`() throws {
        let journald = try PrivateJournald("run")
        let folder = TemporaryDirectory()
        try folder.write(
            """
            plugins:
              simulated: { points: [{ latitude: 55.6761, longitude: 12.5683 }], interval: 10ms }
              file: { path: \(folder.file("app.log")) }
              console: { stream: stdout, color: never }
              journald: { identifier: demo, socket: \(journald.socket), patience: 1h }
            """, to: "taffrail.yaml")
        let program = try Program(["run", "--config", folder.file("taffrail.yaml")], in: folder, output: "console")
        func lines(_ name: String) -> [Substring] { folder.text(name).split(separator: "\n") }
        try journald.wait("it logs") { lines("app.log").count > 5 }
        program.send(SIGTERM)
        #expect(program.end() == .exited(0))
        #expect(lines("console") == lines("app.log"))
        let entries = try journald.entries(where: "SYSLOG_IDENTIFIER=demo")
        let messages = entries.compactMap { $0.text("MESSAGE") }
        #expect(messages.count == lines("app.log").count)
        #expect(zip(lines("app.log"), messages).allSatisfy { $0.contains("] [INFO] \($1)") })
    }
}
#endif
