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
    private func leaveRing(_ change: (RingHeader) -> Void) {
        var ring = CraftedRing(sinks: ["memory", "gone"])
        for n in 1...5 { ring.append(LogRecord(level: .info, message: "\(n)")) }
        ring.withHeader(change)
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
        leaveRing { $0.setHasProcessors() }
        let outcome = try recoverWithoutSink()
        #expect(outcome.counts == ["\(DropReason.processor) ": 5] && outcome.waiting == [])
    }

    @Test func `an absent sink has missed the records of a run without processors`() throws {
        leaveRing { _ in }
        let outcome = try recoverWithoutSink()
        #expect(outcome.counts == ["\(DropReason.sinkRemoved) gone": 5, "\(DropReason.processor) ": 5])
    }

    @Test(arguments: [false, true])
    func `records that another program owes a sink are kept, whatever the processors here drop`(
        hadProcessors: Bool
    ) throws {
        leaveRing { header in
            header.setText(RingTables.program, RingTables.nameLength, "another")
            if hadProcessors { header.setHasProcessors() }
        }
        #expect(try recoverWithoutSink().waiting == [5])
        #expect(Recovery.rings(in: directory.path).count == 1)
        let gone = MemorySink(name: "gone")
        #expect(RecoveryRun(directory.path, sinks: [MemorySink(name: "memory"), gone]).isDone)
        #expect(gone.messages == (1...5).map { "\($0)" } && Recovery.rings(in: directory.path) == [])
    }
}
