import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Records that processors drop, for sinks that get the others late or never.
@Suite(.mayBlock) struct DroppedRecordTests {
    private let directory = TemporaryDirectory()

    private struct Options: PluginOptions {}

    /// Drops records below a level.
    private struct Threshold: Processor {
        mutating func inspect(_ record: borrowing RecordView) -> Inspection { record.level < .warning ? .drop : .keep }
        mutating func process(_ record: inout LogRecord) -> Verdict { .keep }
    }

    private func file() throws -> FileSink { try FileSink(FileOptions(path: directory.file("app.log"))) }

    /// The counts in the ledger, by reason and sink.
    private func counts() throws -> [String: UInt64] {
        try counts(of: Ledger.read(directory: directory.path))
    }

    private func counts(of ledger: LedgerContents) -> [String: UInt64] {
        var counts: [String: UInt64] = [:]
        for drop in ledger.drops {
            counts["\(drop.reason) \(drop.sink)", default: 0] += drop.count
        }
        return counts
    }

    @Test func `dropped records count once for a sink that first gets those of a dead run`() async throws {
        let away = FailingSink(name: "away")
        away.fail()
        let first = Pipeline(sinks: [try file(), away], queue: QueueOptions(handleSignals: false))
        first.logger.warning("left")
        #expect(await eventually { directory.messages == ["left"] })
        #expect(!first.shutdown(timeout: .seconds(0.01)))
        #expect(directory.rings.count == 1)
        RecoveryRun.awaitUnlocked(directory.file(".taffrail"))
        let late = FailingSink(name: "away")
        late.fail()
        let second = Pipeline(
            processors: [Threshold()], sinks: [try file(), late], queue: QueueOptions(handleSignals: false))
        for n in 0..<10 { second.logger.info("\(n)") }
        second.logger.warning("new")
        #expect(await eventually { directory.messages == ["left", "new"] })
        let header = try #require(second.queue.control.header)
        #expect(header.filtered == 10)
        late.restore()
        #expect(await eventually { late.messages == ["left", "new"] })
        #expect(second.shutdown())
        #expect(header.filtered == 10)
        #expect(try counts() == ["\(DropReason.processor) ": 10])
    }

    @Test func `dropped records are not lost for a detached sink`() throws {
        let sink = FailingSink(name: "late")
        sink.fail()
        let pipeline = Pipeline(
            processors: [Threshold()], sinks: [try file(), sink],
            queue: QueueOptions(capacity: 64 << 10, blockLimit: .seconds(60), handleSignals: false))
        pipeline.logger.warning("refused")
        for n in 0..<3000 { pipeline.logger.info("\(n)") }
        #expect(!pipeline.flush())
        for n in 0..<3000 { pipeline.logger.info("\(n)") }
        #expect(pipeline.flush())
        let header = try #require(pipeline.queue.control.header)
        #expect(header.lost(inSlot: 1) == 1 && header.filtered == 6000)
        #expect(pipeline.shutdown())
        #expect(try counts() == ["\(DropReason.sinkLagging) late": 1, "\(DropReason.processor) ": 6000])
    }

    private func part(_ name: String, _ builder: PlannedPlugin.Builder) -> PlannedPlugin {
        PlannedPlugin(
            PluginInstance(name: name, logDirectory: "/tmp", program: "test"), plugin: "test", options: Options(),
            builder: builder)
    }

    private var threshold: PlannedPlugin { part("threshold", .processor { _ in Threshold() }) }

    /// Drops records whose message contains a text.
    private struct Exclusion: Processor {
        let text: String
        mutating func inspect(_ record: borrowing RecordView) -> Inspection {
            record.messageContains(text) ? .drop : .keep
        }
        mutating func process(_ record: inout LogRecord) -> Verdict { .keep }
    }

    /// A setup with the log and another sink.
    private func setup(_ sink: FailingSink) -> PipelineSetup {
        let path = directory.file("app.log")
        var setup = PipelineSetup()
        setup.queue = QueueOptions(handleSignals: false)
        setup.sinks = [
            part("file", .sink { _ in try FileSink(FileOptions(path: path)) }), part("other", .sink { _ in sink }),
        ]
        return setup
    }

    @Test func `records that only new processors drop count for a sink that gets them late`() async throws {
        let sink = FailingSink(name: "late")
        sink.fail()
        var setup = setup(sink)
        let pipeline = Pipeline(sinks: [], queue: setup.queue)
        try pipeline.change(to: setup)
        for n in 0..<10 { pipeline.logger.info("\(n)") }
        #expect(await eventually { directory.messages.count == 10 })
        setup.processors = [threshold]
        try pipeline.change(to: setup)
        pipeline.logger.warning("new")
        // The log's sink has moved on.
        #expect(await eventually { directory.messages.last == "new" })
        sink.restore()
        #expect(await eventually { sink.messages == ["new"] })
        #expect(pipeline.shutdown())
        #expect(try counts() == ["\(DropReason.processor) ": 10])
    }

    @Test(arguments: [false, true], [false, true])
    func `records that only new processors drop count after a kill before a late sink gets them`(
        hadProcessors: Bool, dropsMore: Bool
    ) async throws {
        // A sink that first gets the record of a dead run.
        let away = FailingSink(name: "other")
        away.fail()
        let first = Pipeline(sinks: [try file(), away], queue: QueueOptions(handleSignals: false))
        first.logger.warning("left")
        #expect(await eventually { directory.messages == ["left"] })
        #expect(!first.shutdown(timeout: .seconds(0.01)))
        RecoveryRun.awaitUnlocked(directory.file(".taffrail"))
        let late = FailingSink(name: "other")
        late.fail()
        var setup = setup(late)
        if hadProcessors { setup.processors = [part("exclusion", .processor { _ in Exclusion(text: "excluded") })] }
        let second = Pipeline(sinks: [], queue: setup.queue)
        try second.change(to: setup)
        for n in 0..<9 { second.logger.info("\(n)") }
        second.logger.info("excluded")
        let count = hadProcessors ? 10 : 11
        #expect(await eventually { directory.messages.count == count })
        setup.processors = [threshold]
        try second.change(to: setup)
        // The log's sink moves on.
        if dropsMore { second.logger.info("dropped") }
        let header = try #require(second.queue.control.header)
        let counted: UInt64 = (hadProcessors ? 1 : 0) + (dropsMore ? 1 : 0)
        #expect(await eventually { header.filtered == counted })
        #expect(!second.shutdown(timeout: .seconds(0.01)))
        RecoveryRun.awaitUnlocked(directory.file(".taffrail"))
        let sink = MemorySink(name: "other")
        let third = Pipeline(
            processors: [Threshold()], sinks: [try file(), sink], queue: QueueOptions(handleSignals: false))
        third.logger.warning("new")
        #expect(third.shutdown() && sink.messages == ["left", "new"])
        // All ten or eleven, and again those that had been counted.
        #expect(try counts() == ["\(DropReason.processor) ": (dropsMore ? 11 : 10) + counted])
    }

    @Test func `dropped records are not missed by a removed sink`() throws {
        let captured = CapturedDiagnostics()
        let sink = FailingSink(name: "gone-\(UInt64.random(in: 0 ... .max))")
        sink.fail()
        var setup = setup(sink)
        setup.processors = [threshold]
        let pipeline = Pipeline(sinks: [], queue: setup.queue)
        try pipeline.change(to: setup)
        pipeline.logger.warning("refused")
        for n in 0..<10 { pipeline.logger.info("\(n)") }
        setup.sinks.removeLast()
        // Without processors, too: those of the time of the call count.
        setup.processors = []
        try pipeline.change(to: setup)
        #expect(captured.lines(with: sink.name).contains { $0.hasSuffix("was removed and missed 1 record") })
        #expect(pipeline.shutdown())
        #expect(
            try counts() == ["\(DropReason.sinkRemoved) \(sink.name)": 1, "\(DropReason.processor) ": 10])
    }

    /// Leaves a ring with five records that the sinks `memory` and `gone` lack.
    ///
    /// - Parameter change: Changes the header, given the positions of the records.
    private func leaveRing(_ change: (RingHeader, _ positions: [UInt64]) -> Void) {
        var ring = CraftedRing(sinks: ["memory", "gone"])
        for n in 1...5 { ring.append(LogRecord(level: .info, message: "\(n)")) }
        let positions = ring.records.map(\.position)
        ring.withHeader { change($0, positions) }
        ring.write(to: directory.file("\(ring.run).ring"))
    }

    /// Recovers the ring without the sink `gone`, with a processor that drops all records.
    ///
    /// - Returns: The waiting records, and the counts in the ledger.
    private func recoverWithoutSink() throws -> (waiting: [UInt64], counts: [String: UInt64]) {
        let sink = MemorySink(name: "memory")
        let run = RecoveryRun(directory.path, sinks: [sink], processors: [Threshold()], ledger: true)
        #expect(run.isDone && sink.messages == [])
        let ledger = LedgerContents(try LedgerFile(directory: directory.path).entries())
        return (run.recovery.waiting.map(\.records), counts(of: ledger))
    }

    @Test func `an absent sink has not missed records that processors drop`() throws {
        leaveRing { header, _ in header.setHasProcessors() }
        let outcome = try recoverWithoutSink()
        #expect(outcome.counts == ["\(DropReason.processor) ": 5] && outcome.waiting == [])
    }

    @Test(arguments: [false, true])
    func `an absent sink has missed the records of a run without processors`(hadGuards: Bool) throws {
        leaveRing { header, _ in if hadGuards { header.setHasProcessors(onlyGuards: true) } }
        let outcome = try recoverWithoutSink()
        #expect(outcome.counts == ["\(DropReason.sinkRemoved) gone": 5, "\(DropReason.processor) ": 5])
    }

    @Test(arguments: [false, true])
    func `records that another program owes a sink are kept, whatever the processors here drop`(
        hadProcessors: Bool
    ) throws {
        leaveRing { header, _ in
            header.setText(RingTables.program, RingTables.nameLength, "another")
            if hadProcessors { header.setHasProcessors() }
        }
        #expect(try recoverWithoutSink().waiting == [5])
        #expect(Recovery.rings(in: directory.path).count == 1)
        let gone = MemorySink(name: "gone")
        #expect(RecoveryRun(directory.path, sinks: [MemorySink(name: "memory"), gone]).isDone)
        #expect(gone.messages == (1...5).map { "\($0)" } && Recovery.rings(in: directory.path) == [])
    }

    @Test func `records that a killed run owes only one sink count, even if another one gets later ones first`() throws
    {
        // The first sink lacks the last record.
        leaveRing { header, positions in header.setPosition(ofSlot: 0, positions.last ?? 0) }
        let sinks = [MemorySink(name: "memory"), MemorySink(name: "gone")]
        let run = RecoveryRun(directory.path, sinks: sinks, processors: [Threshold()], ledger: true)
        #expect(run.isDone && sinks.allSatisfy { $0.messages == [] })
        #expect(
            try counts(of: LedgerContents(LedgerFile(directory: directory.path).entries()))
                == ["\(DropReason.processor) ": 5])
    }

    /// Attempts a recovery until a change of the processors, and after it.
    ///
    /// - Returns: The counts in the ledger.
    private func recover(
        to sinks: [FailingSink], through processors: [Exclusion], attempts: Int, then others: [any Processor]
    ) throws -> [String: UInt64] {
        var scope = Recovery.Scope(directories: [directory.path])
        scope.ledgers = [LedgerFile(directory: directory.path)]
        let recovery = Recovery(scope)
        var states = sinks.map { SinkState(FilteredSink($0), name: $0.name) }
        var now = SystemClock.monotonicNanoseconds()
        func attempt(_ processors: ProcessorChain) {
            RecoveryRun.awaitUnlocked(directory.path)
            recovery.advance(sinks: &states, processors: processors, now: now)
            // The delay after a failure is over.
            now += 10 * SinkState.longestDelay
        }
        let chain = ProcessorChain(processors)
        for _ in 0..<attempts { attempt(chain) }
        #expect(!recovery.isDone)
        for sink in sinks { sink.restore() }
        if !others.isEmpty { recovery.noteNewProcessors() }
        attempt(others.isEmpty ? chain : ProcessorChain(others))
        #expect(recovery.isDone)
        return try counts(of: LedgerContents(LedgerFile(directory: directory.path).entries()))
    }

    @Test func `new processors count what they drop of a dead run's records that a sink lacks`() throws {
        leaveRing { _, _ in }
        let sinks = [FailingSink(name: "memory"), FailingSink(name: "gone")]
        for sink in sinks.dropFirst() { sink.fail() }
        let counts = try recover(to: sinks, through: [Exclusion(text: "5")], attempts: 1, then: [Threshold()])
        #expect(sinks.map(\.messages) == [["1", "2", "3", "4"], []])
        // The last record counts for both.
        #expect(counts == ["\(DropReason.processor) ": 6])
    }

    @Test func `dropped records of a dead run count once, however often its recovery fails`() throws {
        // While the second sink lacks a record of an older run, it gets none of this one.
        var older = CraftedRing(run: RingID(0xF11D), sinks: ["gone"])
        older.append(LogRecord(level: .info, message: "0"))
        older.write(to: directory.file("\(older.run).ring"))
        // The first sink lacks the last two records, and one of them is dropped.
        leaveRing { header, positions in header.setPosition(ofSlot: 0, positions.dropLast().last ?? 0) }
        let sinks = [FailingSink(name: "memory"), FailingSink(name: "gone")]
        for sink in sinks { sink.fail() }
        let counts = try recover(to: sinks, through: [Exclusion(text: "4")], attempts: 3, then: [])
        #expect(sinks.map(\.messages) == [["5"], ["0", "1", "2", "3", "5"]])
        #expect(counts == ["\(DropReason.processor) ": 1])
    }
}
