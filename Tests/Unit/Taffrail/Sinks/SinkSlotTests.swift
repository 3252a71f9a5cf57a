import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// The counts in the ring's table of sinks when changes remove sinks and add others.
@Suite(.mayBlock) struct SinkSlotTests {
    private struct Options: PluginOptions { var number = 0 }

    private let directory = TemporaryDirectory()

    /// A configuration with a sink `all`, and these. One named `old` gets warnings only, and refuses some of them.
    private func setup(_ names: String..., number: Int = 0) -> PipelineSetup {
        var setup = PipelineSetup()
        setup.queue = QueueOptions(capacity: 64 << 10, handleSignals: false, directory: directory.path)
        setup.sinks = (["all"] + names).map { name in
            let isOld = name == "old"
            return PlannedPlugin(
                PluginInstance(name: name, logDirectory: directory.path, program: "test"), plugin: "test",
                options: Options(number: number),
                builder: .sink { _ in FailingSink(name: name, refusing: { isOld && $0.message == "refused" }) },
                filter: isOld ? SinkFilter(level: .warning) : SinkFilter())
        }
        return setup
    }

    /// A pipeline whose sink `old`, in slot 1, has written one record, lost two, and not got three.
    private func pipeline() throws -> Pipeline {
        let setup = setup("old")
        let pipeline = Pipeline(sinks: [], queue: setup.queue)
        try pipeline.change(to: setup)
        for message in ["taken", "refused", "refused"] { pipeline.logger.warning("\(message)") }
        for n in 1...3 { pipeline.logger.info("\(n)") }
        pipeline.flush()
        return pipeline
    }

    /// How many records a sink has written, lost, and not got, as its status shows.
    private func counts(_ name: String, _ pipeline: Pipeline) throws -> [UInt64] {
        let queue = QueueStatus(try #require(pipeline.openQueue))
        let sink = try #require(queue.sinks.first { $0.name == name })
        return [sink.written, sink.lost, sink.filtered]
    }

    /// Recovers a copy of queue and ledger, which a killed program would leave, and returns the counts in the ledger.
    private func recoveredCounts(_ names: String...) throws -> [String: UInt64] {
        let copy = TemporaryDirectory()
        for name in directory.names where name.hasSuffix(".ring") || name == "ledger" {
            try copy.write(directory.bytes(name), to: name)
        }
        let sinks = names.map { MemorySink(name: $0) }
        #expect(RecoveryRun(copy.path, sinks: sinks, ledger: true).isDone)
        let drops = LedgerContents(try LedgerFile(directory: copy.path).entries()).drops
        var counts: [String: UInt64] = [:]
        for drop in drops {
            counts["\(drop.sink) \(drop.reason == .filtered ? "filtered" : "lost")", default: 0] += drop.count
        }
        return counts
    }

    @Test func `a sink that gets the slot of a removed one has none of its counts`() throws {
        let pipeline = try pipeline()
        #expect(try counts("old", pipeline) == [1, 2, 3])
        try pipeline.change(to: setup("new"))
        let header = try #require(pipeline.queue.control.header)
        #expect(header.name(ofSlot: 1) == "new")
        #expect(header.written(inSlot: 1) == 0 && header.lost(inSlot: 1) == 0 && header.filtered(inSlot: 1) == 0)
        pipeline.logger.info("4")
        pipeline.flush()
        #expect(try counts("new", pipeline) == [1, 0, 0])
        #expect(pipeline.shutdown())
    }

    @Test func `after a kill the losses of a removed sink are not those of the one that has its slot`() throws {
        let pipeline = try pipeline()
        try pipeline.change(to: setup("new"))
        #expect(try recoveredCounts("all", "new") == ["old lost": 2, "old filtered": 3])
        #expect(pipeline.shutdown())
    }

    @Test func `a sink that is removed and added again continues its counts in another slot`() throws {
        let pipeline = try pipeline()
        try pipeline.change(to: setup("new"))
        try pipeline.change(to: setup("new", "old"))
        pipeline.logger.warning("refused")
        pipeline.logger.info("4")
        pipeline.flush()
        #expect(pipeline.queue.control.header?.name(ofSlot: 2) == "old")
        #expect(try counts("old", pipeline) == [1, 3, 4])
        #expect(try counts("new", pipeline) == [2, 0, 0])
        #expect(try recoveredCounts("all", "new", "old") == ["old lost": 3, "old filtered": 4])
        #expect(pipeline.shutdown())
    }

    @Test func `a sink that is replaced under its name keeps its counts`() throws {
        let pipeline = try pipeline()
        try pipeline.change(to: setup("old", number: 1))
        #expect(try counts("old", pipeline) == [1, 2, 3])
        #expect(try recoveredCounts("all", "old") == ["old lost": 2, "old filtered": 3])
        #expect(pipeline.shutdown())
    }

    @Test func `a sink that stores its position continues there when it is added again`() throws {
        let (failing, keeping) = (FailingSink(name: "all"), KeepingSink())
        failing.fail()
        func setup(_ sinks: any Sink & Sendable...) -> PipelineSetup {
            var setup = PipelineSetup()
            setup.queue = QueueOptions(capacity: 64 << 10, handleSignals: false, directory: directory.path)
            setup.sinks = sinks.map { sink in
                PlannedPlugin(
                    PluginInstance(name: sink.name, logDirectory: directory.path, program: "test"), plugin: "test",
                    options: Options(), builder: .sink { _ in sink })
            }
            return setup
        }
        let pipeline = Pipeline(sinks: [], queue: setup().queue)
        try pipeline.change(to: setup(failing, keeping))
        for n in 1...3 { pipeline.logger.info("\(n)") }
        #expect(waited { keeping.messages.count == 3 })
        try pipeline.change(to: setup(failing))
        for n in 4...5 { pipeline.logger.info("\(n)") }
        try pipeline.change(to: setup(failing, keeping))
        // The failing sink keeps all of them in the ring.
        #expect(waited { keeping.messages == ["1", "2", "3", "4", "5"] })
        #expect(keeping.counted == 5)
        failing.restore()
        #expect(pipeline.shutdown())
        #expect(failing.messages == ["1", "2", "3", "4", "5"])
    }
}

/// Keeps records and its position, also while it is not part of a pipeline.
private final class KeepingSink: Sink, Sendable {
    private struct State {
        var messages: [String] = []
        var counted = 0
        var positions: [RingID: UInt64] = [:]
    }

    let name = "keeping"
    private let state = Locked(State())

    var messages: [String] { state.withLock { $0.messages } }
    /// The number of records according to the batches.
    var counted: Int { state.withLock { $0.counted } }

    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        var messages: [String] = []
        batch.forEach { messages.append($0.message) }
        let (run, count, end) = (batch.run, batch.count, batch.end)
        state.withLock { state in
            state.messages += messages
            state.counted += count
            state.positions[run] = end
        }
    }

    func position(in ring: RingID) -> UInt64? { state.withLock { $0.positions[ring] } }
}
