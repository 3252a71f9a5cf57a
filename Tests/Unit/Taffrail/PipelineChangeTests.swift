import Glibc
import Synchronization
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct PipelineChangeTests {
    private struct Options: PluginOptions {
        var number = 0
        var fails = false
    }

    /// How many changes have been made, and whether that was the last.
    private final class Progress: Sendable {
        private let count = Atomic(1)
        private let end = Atomic(false)
        var changes: Int { count.load(ordering: .relaxed) }
        var isAtEnd: Bool { end.load(ordering: .relaxed) }
        func advance() { count.add(1, ordering: .relaxed) }
        func finish() { end.store(true, ordering: .relaxed) }
    }

    private struct Refusal: Error, CustomStringConvertible { let description = "refuses" }

    /// Every sink that was made for a test, by the number of its options.
    private final class Made: Sendable {
        let sinks = Locked<[(number: Int, sink: MemorySink)]>([])
        let fails = Locked(false)

        func all(_ number: Int) -> [MemorySink] {
            sinks.withLock { $0.filter { $0.number == number }.map(\.sink) }
        }

        func part(
            _ name: String, _ number: Int, fails: Bool = false, filter: SinkFilter = SinkFilter()
        ) -> PlannedPlugin {
            let options = Options(number: number, fails: fails)
            return PlannedPlugin(
                PluginInstance(name: name, logDirectory: "/tmp", program: "test"), plugin: "test", options: options,
                builder: .sink { place in
                    if fails { throw Refusal() }
                    let sink = MemorySink(name: place.name)
                    self.sinks.withLock { $0.append((number, sink)) }
                    return sink
                }, filter: filter)
        }
    }

    private struct Prefix: Processor {
        let text: String
        var redactedKeys: Set<String> { ["secret"] }

        mutating func process(_ record: inout LogRecord) -> Verdict {
            record.message = text + record.message
            return record.message.contains("drop") ? .drop : .keep
        }
    }

    private func processor(_ text: String) -> PlannedPlugin {
        PlannedPlugin(
            PluginInstance(name: text, logDirectory: "/tmp", program: "test"), plugin: "prefix",
            options: Options(number: text.utf8.count), builder: .processor { _ in Prefix(text: text) })
    }

    private func setup(
        _ sinks: [PlannedPlugin], _ processors: [PlannedPlugin] = [], level: Level = .info,
        levels: [String: Level] = [:]
    ) -> PipelineSetup {
        var setup = PipelineSetup()
        setup.queue = QueueOptions(durable: false, handleSignals: false)
        setup.sinks = sinks
        setup.processors = processors
        setup.level = level
        setup.levels = levels
        return setup
    }

    private func pipeline(_ setup: PipelineSetup) throws -> Pipeline {
        let pipeline = Pipeline(sinks: [], queue: setup.queue)
        try pipeline.change(to: setup)
        return pipeline
    }

    private func messages(_ sink: MemorySink?) -> [String] { sink?.messages ?? [] }

    @Test func `a sink with the same options keeps its instance, others are closed and created`() throws {
        let made = Made()
        let pipeline = try pipeline(setup([made.part("a", 1), made.part("b", 2)]))
        pipeline.logger.info("one")
        try pipeline.change(to: setup([made.part("c", 4), made.part("a", 1), made.part("b", 3)]))
        pipeline.logger.info("two")
        pipeline.flush()
        #expect(made.all(1).count == 1)
        #expect(messages(made.all(1).first) == ["one", "two"] && made.all(1).first?.isClosed == false)
        #expect(messages(made.all(2).first) == ["one"] && made.all(2).first?.isClosed == true)
        #expect(messages(made.all(3).first) == ["two"])
        #expect(messages(made.all(4).first) == ["two"])
        try pipeline.change(to: setup([made.part("c", 4)]))
        pipeline.logger.info("three")
        pipeline.shutdown()
        #expect(made.all(1).first?.isClosed == true && made.all(3).first?.isClosed == true)
        #expect(messages(made.all(4).first) == ["two", "three"])
    }

    @Test func `a change of the filter alone keeps the instance, and counts from there on`() throws {
        let made = Made()
        let pipeline = try pipeline(setup([made.part("a", 1), made.part("b", 2)]))
        pipeline.logger.info("one")
        try pipeline.change(to: setup([made.part("a", 1, filter: SinkFilter(level: .error)), made.part("b", 2)]))
        pipeline.logger.info("two")
        pipeline.logger.error("three")
        try pipeline.change(to: setup([made.part("a", 1), made.part("b", 2)]))
        pipeline.logger.info("four")
        #expect(pipeline.drain())
        #expect(made.all(1).count == 1 && made.all(1).first?.isClosed == false)
        #expect(messages(made.all(1).first) == ["one", "three", "four"])
        #expect(messages(made.all(2).first) == ["one", "two", "three", "four"])
        #expect(pipeline.queue.control.header?.filtered(inSlot: 0) == 1)
        pipeline.shutdown()
    }

    @Test func `a sink keeps the filter that its factory has given it`() throws {
        let sink = MemorySink()
        func part(_ filter: SinkFilter) -> PlannedPlugin {
            PlannedPlugin(
                PluginInstance(name: "a", logDirectory: "/tmp", program: "test"), plugin: "test",
                options: Options(number: 1, fails: false),
                builder: .sink { _ in sink.filtered(loggers: ["net"]) }, filter: filter)
        }
        let pipeline = try pipeline(setup([part(SinkFilter())]))
        for level in [Level.error, .trace] {
            try pipeline.change(to: setup([part(SinkFilter(level: level))]))
            pipeline.logger("net").info("\(level), info")
            pipeline.logger("net").error("\(level), error")
            pipeline.logger("other").error("\(level), other")
        }
        #expect(pipeline.drain())
        #expect(sink.messages == ["error, error", "trace, info", "trace, error"])
        pipeline.shutdown()
    }

    @Test(arguments: [false, true]) func `a change that fails leaves everything as it was`(isRunning: Bool) throws {
        let made = Made()
        let pipeline = try pipeline(setup([made.part("a", 1), made.part("b", 2)], level: .info))
        if isRunning { pipeline.logger.info("one") }
        let failing = [
            // A new one fails: nothing was closed.
            setup([made.part("a", 5), made.part("n", 6, fails: true)], level: .debug),
            // A changed one fails after another was changed: both are made again.
            setup([made.part("a", 5), made.part("b", 6, fails: true), made.part("n", 7)], level: .debug),
        ]
        for change in failing {
            let error = #expect(throws: PipelineChangeError.self) { try pipeline.change(to: change) }
            #expect(error?.description == "\(error?.part ?? ""): refuses")
        }
        #expect(pipeline.level == .info)
        pipeline.logger.info("two")
        pipeline.flush()
        let all = isRunning ? ["one", "two"] : ["two"]
        #expect(made.all(1).flatMap { messages($0) } == all)
        #expect(made.all(2).flatMap { messages($0) } == all)
        #expect((made.all(5) + made.all(7)).allSatisfy { messages($0).isEmpty && $0.isClosed })
    }

    @Test func `more sinks than a ring has slots are refused, and the old ones stay`() throws {
        let made = Made()
        let most = (1...16).map { made.part("sink \($0)", $0) }
        let pipeline = try pipeline(setup(most))
        pipeline.logger.info("one")
        let error = #expect(throws: PipelineChangeError.self) {
            try pipeline.change(to: setup([made.part("new", 17)] + most))
        }
        #expect(error?.description == "17 sinks exceed the maximum of 16")
        pipeline.logger.info("two")
        #expect(pipeline.flush())
        #expect((1...16).allSatisfy { messages(made.all($0).first) == ["one", "two"] })
        #expect(made.all(17).isEmpty)
        pipeline.shutdown()
    }

    @Test func `two sinks of one name are refused`() throws {
        let made = Made()
        let twin = PlannedPlugin(
            PluginInstance(name: "twin", logDirectory: "/tmp", program: "test"), plugin: "twin", options: Options(),
            builder: .sink { _ in MemorySink(name: "a") })
        let error = #expect(throws: PipelineChangeError.self) { try pipeline(setup([made.part("a", 1), twin])) }
        #expect(error?.description == "twin: has the same destination as a")
    }

    @Test func `levels and processors change with the sinks`() throws {
        let made = Made()
        let pipeline = try pipeline(setup([made.part("a", 1)], [processor("1:")]))
        pipeline.logger.info("x", ["secret": 1, "map": ["SECRET": 2, "k": 3], "open": 4])
        pipeline.logger.debug("off")
        pipeline.logger.info("drop")
        try pipeline.change(
            to: setup([made.part("a", 1)], [processor("1:"), processor("22:")], level: .debug, levels: ["net": .error]))
        pipeline.logger.debug("y")
        pipeline.logger("net.http").warning("off")
        try pipeline.change(to: setup([made.part("a", 1)]))
        pipeline.logger.info("z", ["secret": 5])
        pipeline.flush()
        let records = made.all(1).first?.records.filter { !$0.message.hasSuffix("initialized") } ?? []
        #expect(records.map(\.message) == ["1:x", "22:1:y", "z"])
        #expect(
            records.first?.attributes == [
                LogValueEntry("secret", "<redacted>"), LogValueEntry("map", ["SECRET": "<redacted>", "k": 3]),
                LogValueEntry("open", 4),
            ])
        #expect(records.last?["secret"] == 5)
    }

    @Test func `records logged before a change pass through the old processors to the old sinks`() throws {
        let made = Made()
        let gate = GatedSink()
        let gated = PlannedPlugin(
            PluginInstance(name: "gate", logDirectory: "/tmp", program: "test"), plugin: "gate", options: Options(),
            builder: .sink { _ in gate })
        let pipeline = try pipeline(setup([made.part("a", 1), gated], [processor("1:")]))
        pipeline.logger.info("one")
        gate.waitForWriter()
        // The writer has its batch; these are still in the queue when the change is requested.
        for number in 0..<10_000 { pipeline.logger.info("\(number)") }
        let next = setup([made.part("b", 2), gated], [processor("22:")])
        let change = OwnThread { #expect(throws: Never.self) { try pipeline.change(to: next) } }
        while !pipeline.mailbox.isWaiting { sched_yield() }
        gate.open()
        change.join()
        pipeline.logger.info("last")
        pipeline.shutdown()
        let before = ["1:one"] + (0..<10_000).map { "1:\($0)" }
        #expect(messages(made.all(1).first) == before)
        #expect(messages(made.all(2).first) == ["22:last"])
        #expect(gate.records.map(\.message).filter { !$0.hasSuffix("initialized") } == before + ["22:last"])
    }

    /// A factory that hangs until it is let go.
    private final class HangingFactory: Sendable {
        let isEntered = Atomic(false)
        let isFree = Atomic(false)

        func part(_ name: String, _ made: Made, number: Int) -> PlannedPlugin {
            PlannedPlugin(
                PluginInstance(name: name, logDirectory: "/tmp", program: "test"), plugin: "hanging",
                options: Options(number: number),
                builder: .sink { place in
                    self.isEntered.store(true, ordering: .releasing)
                    while !self.isFree.load(ordering: .acquiring) { poll(nil, 0, 5) }
                    let sink = MemorySink(name: place.name)
                    made.sinks.withLock { $0.append((number, sink)) }
                    return sink
                })
        }

        func waitUntilEntered() { while !isEntered.load(ordering: .acquiring) { sched_yield() } }
    }

    @Test(arguments: [false, true]) func `a sink that hangs while it is opened does not delay the end`(
        isRunning: Bool
    ) throws {
        let made = Made()
        let factory = HangingFactory()
        let pipeline = try pipeline(setup([made.part("a", 1)]))
        if isRunning { pipeline.logger.info("one") }
        let next = setup([made.part("a", 1), factory.part("b", made, number: 2)])
        let change = OwnThread { try? pipeline.change(to: next) }
        factory.waitUntilEntered()
        #expect(!pipeline.shutdown(timeout: .seconds(0.2)))
        factory.isFree.store(true, ordering: .releasing)
        change.join()
        pipeline.shutdown()
    }

    @Test func `a change whose sink hangs while it is opened is abandoned, and undone when it returns`() throws {
        let made = Made()
        let factory = HangingFactory()
        let pipeline = try pipeline(setup([made.part("a", 1), made.part("b", 2)]))
        pipeline.logger.info("one")
        let next = setup([factory.part("b", made, number: 3)], level: .debug)
        // On a busy machine the time may be over before the writer begins: then nothing has changed.
        var error: PipelineChangeError?
        for _ in 0..<600 where error?.part == nil {
            error = #expect(throws: PipelineChangeError.self) { try pipeline.change(to: next, timeout: .seconds(0.1)) }
        }
        #expect(error?.part == "b")
        let second = #expect(throws: PipelineChangeError.self) {
            try pipeline.change(to: setup([made.part("c", 4)]), timeout: .seconds(0.1))
        }
        #expect(second?.part == "b" && made.all(4).isEmpty && pipeline.level == .info)
        pipeline.logger.info("two")
        factory.isFree.store(true, ordering: .releasing)
        pipeline.flush()
        try pipeline.change(to: setup([made.part("a", 1), made.part("b", 2), made.part("c", 4)]))
        pipeline.logger.info("three")
        pipeline.shutdown()
        #expect(made.all(1).flatMap { messages($0) } == ["one", "two", "three"])
        #expect(made.all(2).flatMap { messages($0) } == ["one", "two", "three"])
        #expect(made.all(3).allSatisfy { messages($0).isEmpty && $0.isClosed })
        #expect(messages(made.all(4).first) == ["three"])
    }

    @Test func `changes lose and duplicate nothing while four threads log`() async throws {
        let made = Made()
        let pipeline = try pipeline(setup([made.part("kept", 0), made.part("other", 1)]))
        let progress = Progress()
        let counts = await withTaskGroup(of: Int.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    let logger = pipeline.logger("t\(thread)")
                    var count = 0
                    while !progress.isAtEnd || count < 1000 {
                        logger.info("\(count)")
                        count += 1
                        // Paced by the changes, each of which first delivers the queue: the sinks keep everything.
                        while count >= 64 * progress.changes, !progress.isAtEnd {
                            try? await Task.sleep(for: .milliseconds(1))
                        }
                    }
                    return count
                }
            }
            for number in 2..<1002 {
                let fails = number % 2 == 0
                let next = setup([made.part("kept", 0), made.part("other", number, fails: fails)])
                do { try pipeline.change(to: next) } catch { #expect(fails) }
                progress.advance()
            }
            progress.finish()
            return await group.reduce(into: []) { $0.append($1) }
        }
        pipeline.shutdown()
        let kept = try #require(made.all(0).first).records.filter { !$0.logger.isEmpty }
        #expect(kept.count == counts.reduce(0, +))
        // The sinks that took turns have all of them too, each record once.
        let others = made.sinks.withLock { $0.filter { $0.number > 0 }.flatMap(\.sink.records) }
        let sequences = others.map(\.sequence).sorted()
        #expect(sequences == Array(1...UInt64(sequences.count)))
        #expect(sequences.count == made.all(0).first?.records.count)
        for thread in 0..<4 {
            let messages = kept.filter { $0.logger == "t\(thread)" }.map(\.message)
            #expect(messages == (0..<messages.count).map(String.init))
        }
    }
}
