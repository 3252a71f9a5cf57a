import Foundation
import Glibc
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Pipelines that are set up in code, and their inputs. The shared pipeline of a process can be set up once, so each of its
/// tests has a process.
@Suite(.mayBlock) struct PipelineStartTests {
    @Test func `the shared pipeline is set up after loggers were created`() async {
        await #expect(processExitsWith: .success) {
            let early = Logger("net.http")
            let sink = MemorySink()
            try Pipeline.start(
                sinks: [sink], queue: QueueOptions(capacity: 64 << 10, durable: false), level: .warning,
                levels: ["net": .debug])
            early.debug("early")
            Logger.shared.info("too low")
            Logger.shared.warning("shared")
            early.info("\(String(repeating: "x", count: 40_000))")
            #expect(Pipeline.shared.flush())
            #expect(sink.records.map(\.message).prefix(2) == ["early", "shared"])
            // The queue's own limit: a quarter of it.
            #expect((sink.records.last?.message.utf8.count ?? 0) < 16 << 10)
            #expect(sink.records.last?["taffrail.truncated"] == true)
        }
    }

    @Test func `the shared pipeline is set up once, and not after its first record`() async {
        await #expect(processExitsWith: .success) {
            let sink = MemorySink()
            try Pipeline.start(sinks: [sink], queue: QueueOptions(durable: false), level: .trace)
            let error = #expect(throws: Pipeline.StartError.self) { try Pipeline.start(sinks: [MemorySink()]) }
            #expect(error?.description == "the pipeline has already logged or been set up")
            Logger.shared.trace("first")
            #expect(throws: Pipeline.StartError.self) { try Pipeline.start(sinks: []) }
            #expect(Pipeline.shared.shutdown())
            let end = #expect(throws: Pipeline.StartError.self) { try Pipeline.start(sinks: []) }
            #expect(end?.description == "the pipeline has ended")
            #expect(sink.records.map(\.message) == ["first"])
        }
        await #expect(processExitsWith: .success) {
            setenv("TAFFRAIL_FILE", "/proc/nowhere/app.log", 1)
            Logger.shared.info("to stderr")
            #expect(throws: Pipeline.StartError.self) { try Pipeline.start(sinks: [MemorySink()]) }
        }
    }

    @Test func `without set-up the log has a line before the first one, and none of its times is later`() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryDirectory()
            defer { withExtendedLifetime(folder) {} }
            let directory = folder.path
            setenv("TAFFRAIL_FILE", directory + "/app.log", 1)
            setenv("TAFFRAIL_LEVEL", "info", 1)
            // A bridge's record exists before the log is opened for it.
            let record = LogRecord(level: .info, message: "first")
            Logger.shared.log(record)
            Logger.shared.info("second")
            // Another ring has no other such line.
            #expect(Pipeline.shared.end(timeout: .seconds(30), closesSinks: false))
            Logger.shared.info("third")
            #expect(Pipeline.shared.shutdown())
            let log = try String(contentsOfFile: directory + "/app.log", encoding: .utf8)
            let lines = log.split(separator: "\n")
            #expect(lines.map { $0.dropFirst(33) } == ["Logger initialized", "first", "second", "third"])
            #expect(lines.map { $0.prefix(25) } == lines.map { $0.prefix(25) }.sorted())
        }
    }

    @Test func `the environment has levels by name`() async {
        await #expect(processExitsWith: .success) {
            setenv("TAFFRAIL_LEVEL", "warning,net.http=trace", 1)
            #expect(Logger.shared.level == .warning)
            #expect(Logger("net.http.client").level == .trace)
            #expect(Logger("net").level == .warning)
        }
    }

    /// Logs until it is cancelled, and then once more.
    private struct Talker: Input {
        func run(into pipeline: Pipeline) async throws {
            pipeline.logger("talker").info("begun")
            let (endless, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in endless {}
            pipeline.logger("talker").info("cancelled")
        }
    }

    private final class Place: ContextProvider {
        let isStopped = Locked(false)
        func publish(into slot: Pipeline.ContextSlot) { try? slot.publish(["place": "pier"]) }
        func stop() { isStopped.withLock { $0 = true } }
    }

    @Test func `shutdown stops inputs and contexts before the sinks are closed`() async throws {
        let log = MemoryLog()
        let (pipeline, place) = (log.pipeline, Place())
        let running = pipeline.run(inputs: [Talker(), Talker()], contexts: [place])
        // Their tasks share their threads with those of all other tests.
        running.patience.withLock { $0 = .seconds(600) }
        #expect(await eventually { log.messages.count == 2 })
        #expect(try await blocking { pipeline.shutdown(timeout: .seconds(600)) })
        #expect(log.sink.messages == ["begun", "begun", "cancelled", "cancelled"])
        #expect(log.sink.records.last?["place"] == "pier")
        #expect(place.isStopped.withLock { $0 })
    }

    @Test func `a handle stops inputs and contexts, and the pipeline continues`() async {
        let log = MemoryLog()
        let running = log.pipeline.run(inputs: [Talker()], contexts: [Place()])
        #expect(await eventually { log.messages == ["begun"] })
        await running.stop()
        log.logger.info("after")
        #expect(log.messages == ["begun", "cancelled", "after"])
        #expect(log.records.map { $0["place"] } == ["pier", "pier", nil])
        await running.stop()
    }

    @Test func `an input that does not return delays the end by a second at most`() async throws {
        final class Held: Sendable {
            let continuation = Locked<CheckedContinuation<Void, Never>?>(nil)
        }
        struct Deaf: Input {
            let held: Held
            func run(into pipeline: Pipeline) async throws {
                await withCheckedContinuation { continuation in held.continuation.withLock { $0 = continuation } }
            }
        }
        let (log, held) = (MemoryLog(), Held())
        let pipeline = log.pipeline
        pipeline.run(inputs: [Deaf(held: held)])
        #expect(await eventually { held.continuation.withLock { $0 != nil } })
        log.logger.info("m")
        #expect(try await blocking { pipeline.shutdown() })
        held.continuation.withLock { $0 }?.resume()
    }

    // MARK: Levels

    @Test func `a logger's level can be set`() {
        let log = MemoryLog(level: .info)
        let (http, client) = (log.pipeline.logger("net.http"), log.pipeline.logger("net.http.client"))
        http.level = .debug
        client.debug("yes 1")
        #expect(client.level == .debug)
        log.logger.level = .error
        log.logger.warning("no")
        http.debug("yes 2")
        #expect(log.pipeline.level == .error)
        #expect(log.messages == ["yes 1", "yes 2"])
    }

    @Test(arguments: [
        ("loud", "loud"), ("info,net=loud", "loud"), ("=info", "=info"), ("net=", ""), ("", ""), ("info,,debug", ""),
    ])
    func `an invalid level changes nothing`(_ text: String, _ wrong: String) {
        var levels = LevelTable(root: .info, byName: ["net": .debug])
        #expect(levels.read(text) == wrong)
        #expect(levels.root == .info && levels.byName == ["net": .debug])
    }

    @Test func `a text names the level of all loggers, and levels by name`() {
        var levels = LevelTable(root: .info, byName: ["net": .debug, "db": .error])
        #expect(levels.read("WARN,net=trace,net.http=crit") == nil)
        #expect(levels.root == .warning)
        #expect(levels.byName == ["net": .trace, "db": .error, "net.http": .critical])
        #expect(levels.read("ui=notice") == nil)
        #expect(levels.root == .warning)
    }
}
