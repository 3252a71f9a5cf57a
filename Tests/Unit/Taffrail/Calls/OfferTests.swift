import CTaffrail
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail

/// Records that are offered: never waited for, never counted as dropped.
@Suite(.mayBlock) struct OfferTests {
    private func record(_ message: String, _ level: Level = .info) -> LogRecord {
        LogRecord(level: level, message: message, logger: "far")
    }

    @Test func `an offered record ignores levels, keeps its own names, and creates no logger`() throws {
        let log = MemoryLog(level: .error, levels: ["far": .critical])
        let context = PublishedContext()
        log.pipeline.add(context)
        try context.publish(["place": "here"])
        let time = Timestamp(nanoseconds: 1_767_623_400_123_456_789)
        var offered = record("from afar", .debug)
        offered.timestamp = time
        offered.eventName = "span"
        #expect(log.logger.offer(offered))
        let found = try #require(log.records.first)
        #expect(found.level == .debug && found.logger == "far" && found.eventName == "span" && found.timestamp == time)
        #expect(found.attributes.isEmpty)
        #expect(log.pipeline.control.registryLock.withLock { Array(log.pipeline.loggers.sources.keys) } == [""])
    }

    @Test(arguments: [QueueOptions.WhenFull.block, .dropNewest, .dropBelow(.critical)])
    func `a full queue refuses at once, counts nothing, and takes the record later`(
        whenFull: QueueOptions.WhenFull
    ) async {
        let sink = GatedSink()
        let pipeline = Pipeline(
            sinks: [sink],
            queue: QueueOptions(
                capacity: 64 << 10, whenFull: whenFull, blockLimit: .seconds(3600), handleSignals: false)
        )
        pipeline.logger.info("first")
        sink.waitForWriter()
        var taken = 0
        while pipeline.logger.offer(record("offered \(taken)")) { taken += 1 }
        #expect(taken > 100)
        #expect(!pipeline.logger.offer(record("again")))
        #expect(Level.allCases.allSatisfy { pipeline.queue.control.header?.dropped($0) == 0 })
        sink.open()
        #expect(await eventually { pipeline.logger.offer(record("again")) })
        #expect(pipeline.flush())
        #expect(sink.messages == ["first"] + (0..<taken).map { "offered \($0)" } + ["again"])
        pipeline.shutdown()
    }

    @Test func `after the end nothing is taken or counted`() {
        let log = MemoryLog()
        log.logger.info("first")
        log.pipeline.shutdown()
        #expect(!log.logger.offer(record("late")))
        #expect(log.pipeline.queue.control.header?.dropped(.info) == 0)
        #expect(!log.pipeline.queue.control.hasNewLosses)
    }

    @Test func `a record that is too long is taken, truncated`() {
        let log = MemoryLog(capacity: 64 << 10)
        let long = record(String(repeating: "x", count: 40 << 10))
        #expect(log.logger.admit(offered: record("short")) == .queued)
        #expect(log.logger.admit(offered: long) == .truncated)
        #expect(log.logger.offer(long))
        #expect(log.records.count == 3)
    }

    /// Drops records of home, and moves others.
    private struct HomeGuard: AttributeGuard {
        var watchedNames: Set<String> { ["lat"] }
        func review(_ attributes: inout GuardedAttributes) -> Verdict {
            guard attributes.attributes.first?.value != .int(55) else { return .drop }
            attributes.attributes = [LogValueEntry("lat", .int(0))]
            return .keep
        }
    }

    @Test func `what a guard keeps out counts as taken, and is reviewed as the queue would get it`() {
        let log = MemoryLog()
        log.pipeline.setRedaction { log.pipeline.redaction.set(["token"], guards: [HomeGuard()]) }
        var home = record("home")
        home.attributes = [LogValueEntry("lat", .int(55))]
        var away = record("away")
        away.attributes = [LogValueEntry("lat", .int(56))]
        var other = record("other")
        other.attributes = [LogValueEntry("token", "swordfish"), LogValueEntry("n", 1)]
        #expect(log.logger.admit(offered: home) == .withheld && log.logger.offer(home))
        #expect(log.logger.offer(away) && log.logger.offer(other))
        #expect(log.pipeline.reviewed(home) == nil)
        #expect(log.pipeline.reviewed(away)?.attributes == [LogValueEntry("lat", .int(0))])
        #expect(log.pipeline.reviewed(away)?.message == "away")
        let records = log.records
        #expect(records.map(\.message) == ["away", "other"])
        #expect(records.map(\.attributes) == [away, other].map { log.pipeline.reviewed($0)?.attributes })
        #expect(records[1]["token"] == .string(KeyRedaction.replacement))
    }

    @Test func `an offered record is not part of the task that offers it`() throws {
        let log = MemoryLog(level: .error)
        let taken = Logger.withAttributes(["request": 7]) {
            log.logger.withBacktrace { log.logger.offer(record("from afar", .debug)) }
        }
        #expect(taken)
        let found = try #require(log.records.first)
        #expect(found.message == "from afar" && found.attributes.isEmpty && found.trace == nil)
    }

    @Test func `a record for which there is no memory is refused, and not counted`() async throws {
        let log = MemoryLog()
        log.logger.info("first")
        let offered = record("offered")
        let logger = log.logger
        let isTaken = try await blocking { () -> Bool in
            taffrail_scratch_refuse(1)
            defer { taffrail_scratch_refuse(0) }
            return logger.offer(offered)
        }
        #expect(!isTaken)
        #expect(log.pipeline.queue.control.header?.dropped(.info) == 0)
        #expect(!log.pipeline.queue.control.hasNewLosses)
        #expect(log.logger.offer(offered) && log.pipeline.flush())
    }

    @Test func `the number of a durable ring changes with the ring`() throws {
        let folder = TemporaryDirectory()
        let pipeline = try Pipeline(sinks: [.file(folder.file("app.log"))], queue: QueueOptions(handleSignals: false))
        pipeline.begin()
        let first = try #require(pipeline.durableRing)
        pipeline.logger.info("first")
        #expect(pipeline.durableRing == first)
        pipeline.end(timeout: .seconds(30), closesSinks: false)
        #expect(pipeline.durableRing == nil)
        pipeline.logger.info("second")
        let second = try #require(pipeline.durableRing)
        #expect(second != first)
        pipeline.shutdown()
        #expect(pipeline.durableRing == nil)
    }

    @Test func `a queue is durable while its ring is a file`() throws {
        let folder = TemporaryDirectory()
        let file = try Pipeline(sinks: [.file(folder.file("app.log"))], queue: QueueOptions(handleSignals: false))
        #expect(!file.isDurable)
        file.logger.info("first")
        #expect(file.isDurable)
        file.shutdown()
        #expect(!file.isDurable)
        let memory = MemoryLog()
        memory.logger.info("first")
        #expect(!memory.pipeline.isDurable)
    }
}
