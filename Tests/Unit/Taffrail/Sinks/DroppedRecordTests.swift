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
        var counts: [String: UInt64] = [:]
        for drop in try Ledger.read(directory: directory.path).drops {
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

    @Test func `dropped records are not missed by a removed sink`() throws {
        let captured = CapturedDiagnostics()
        let sink = FailingSink(name: "gone-\(UInt64.random(in: 0 ... .max))")
        sink.fail()
        let path = directory.file("app.log")
        var setup = PipelineSetup()
        setup.queue = QueueOptions(handleSignals: false)
        func part(_ name: String, _ builder: PlannedPlugin.Builder) -> PlannedPlugin {
            PlannedPlugin(
                PluginInstance(name: name, logDirectory: "/tmp", program: "test"), plugin: "test", options: Options(),
                builder: builder)
        }
        setup.sinks = [
            part("file", .sink { _ in try FileSink(FileOptions(path: path)) }), part("gone", .sink { _ in sink }),
        ]
        setup.processors = [part("threshold", .processor { _ in Threshold() })]
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

    @Test func `no ring waits for dropped records that an absent sink lacks`() throws {
        var ring = CraftedRing(sinks: ["memory", "gone"])
        for n in 1...5 { ring.append(LogRecord(level: .info, message: "\(n)")) }
        ring.write(to: directory.file("\(ring.run).ring"))
        let sink = MemorySink(name: "memory")
        let run = RecoveryRun(directory.path, sinks: [sink], processors: [Threshold()], ledger: true)
        #expect(run.isDone && sink.messages == [] && directory.rings == [])
        let drops = LedgerContents(try LedgerFile(directory: directory.path).entries()).drops
        #expect(drops.map(\.reason) == [.processor] && drops.map(\.count) == [5])
    }
}
