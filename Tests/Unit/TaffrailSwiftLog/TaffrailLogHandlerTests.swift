#if SwiftLog
import Dispatch
import Logging
import TaffrailSwiftLog
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct TaffrailLogHandlerTests {
    private let sink = MemorySink()
    private let pipeline: Pipeline

    init() {
        pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false))
    }

    private func logger(_ label: String, provider: Logging.Logger.MetadataProvider? = nil) -> Logging.Logger {
        Logging.Logger(label: label) {
            TaffrailLogHandler(label: $0, pipeline: pipeline, metadataProvider: provider)
        }
    }

    /// The logged records, without the pipeline's own.
    private func records() -> [LogRecord] {
        pipeline.flush()
        return sink.records.filter { !$0.logger.isEmpty }
    }

    @Test func `a call becomes a record with its label, level, source and typed metadata`() throws {
        var logger = logger("net.http")
        logger[metadataKey: "host"] = "ferry"
        logger[metadataKey: "port"] = "overridden"
        logger.warning(
            "slow \(3)",
            metadata: [
                "port": .stringConvertible(8080), "ratio": .stringConvertible(0.5), "ok": .stringConvertible(true),
                "list": ["a", .stringConvertible(2)], "map": ["k": "v"],
            ], file: "Module/File.swift", function: "run()", line: 12)
        let record = try #require(records().first)
        #expect(record.level == .warning && record.message == "slow 3" && record.logger == "net.http")
        #expect(record.source == LogRecord.SourceLocation(file: "Module/File.swift", function: "run()", line: 12))
        #expect(
            record.attributes == [
                LogValueEntry("list", ["a", 2]), LogValueEntry("map", ["k": "v"]), LogValueEntry("ok", true),
                LogValueEntry("port", 8080), LogValueEntry("ratio", 0.5), LogValueEntry("host", "ferry"),
            ])
    }

    @Test func `levels and metadata behave like values`() {
        var first = logger("values")
        first.logLevel = .debug
        first[metadataKey: "only-on"] = "first"
        var second = first
        second.logLevel = .error
        second[metadataKey: "only-on"] = "second"
        #expect(first.logLevel == .debug && second.logLevel == .error)
        #expect(first[metadataKey: "only-on"] == "first" && second[metadataKey: "only-on"] == "second")
        first.debug("one")
        second.warning("two")
        second.error("three")
        #expect(records().map(\.message) == ["one", "three"])
    }

    @Test func `the pipeline's levels count until another is set, even when they change`() {
        let logger = logger("live.part")
        logger.debug("off")
        pipeline.setLevel(.debug, forLogger: "live")
        #expect(logger.logLevel == .debug)
        logger.debug("on")
        #expect(records().map(\.message) == ["on"])
    }

    @Test func `a call below the level takes no lock, evaluates nothing and asks no provider`() {
        let evaluated = Locked(0)
        @Sendable func evaluate() -> Int {
            evaluated.withLock { count in
                count += 1
                return count
            }
        }
        let logger = logger("quiet", provider: .init { ["evaluation": "\(evaluate())"] })
        // The first call may open the pipeline.
        logger.info("first")
        let calls = evaluated.withLock { $0 }
        let done = DispatchSemaphore(value: 0)
        var isOver = false
        pipeline.control.lock.withLock {
            pipeline.control.registryLock.withLock {
                let thread = OwnThread {
                    for _ in 0..<1_000 { logger.debug("\(evaluate())", metadata: ["a": "\(evaluate())"]) }
                    done.signal()
                }
                isOver = done.wait(timeout: .now() + .seconds(60)) == .success
                withExtendedLifetime(thread) {}
            }
        }
        #expect(isOver)
        #expect(evaluated.withLock { $0 } == calls)
        #expect(records().map(\.message) == ["first"])
    }

    @Test func `a metadata provider is called at the log call`() throws {
        enum Task { @TaskLocal static var user = "nobody" }
        let logger = logger("provider", provider: .init { ["user": "\(Task.user)"] })
        Task.$user.withValue("ada") { logger.info("hello") }
        logger.info("bye", metadata: ["user": "own"])
        #expect(records().map { $0["user"] } == ["ada", "own"])
    }

    @Test func `an error is kept with its type`() throws {
        struct Leak: Error {}
        logger("errors").error("sinking", error: Leak())
        let record = try #require(records().first)
        #expect(record["error"] == "Leak()" && record["error.type"] == "Leak")
    }
}
#endif
