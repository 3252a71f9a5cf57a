import Glibc
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// What the ring shows of its sinks while a change replaces them, which is what a kill at that time would leave.
@Suite(.mayBlock) struct SinkChangeOrderTests {
    private struct Options: PluginOptions {}

    /// Looks at the ring while it is attached to it: its name is stored, and the change is not finished.
    private final class Witness: Sink, Sendable {
        let name: String
        let seen = Locked<[String: SinkFilter]>([:])
        private let directory: TemporaryDirectory

        init(name: String, in directory: TemporaryDirectory) {
            self.name = name
            self.directory = directory
        }

        func attach(_ book: SinkBook) {
            let filters = directory.storedFilters
            seen.withLock { $0 = filters }
        }

        func write(_ batch: borrowing RecordBatch) {}
    }

    private let directory = TemporaryDirectory()

    private func part(
        _ name: String, _ filter: SinkFilter = SinkFilter(),
        make: @escaping @Sendable (PluginInstance) throws -> sending any Sink
    ) -> PlannedPlugin {
        PlannedPlugin(
            PluginInstance(name: name, logDirectory: directory.path, program: "test"), plugin: "test",
            options: Options(), builder: .sink(make), filter: filter)
    }

    private func memory(_ name: String, _ filter: SinkFilter = SinkFilter()) -> PlannedPlugin {
        part(name, filter) { _ in MemorySink(name: name) }
    }

    /// The log `app.log`, next to which the ring is.
    private var log: PlannedPlugin {
        let path = directory.file("app.log")
        return part("log") { _ in try FileSink(FileOptions(path: path), name: "log") }
    }

    /// A pipeline with these sinks, which have written one record.
    private func pipeline(_ parts: PlannedPlugin...) throws -> Pipeline {
        let pipeline = Pipeline(sinks: [], queue: setup().queue)
        try pipeline.change(to: setup(parts))
        pipeline.logger.info("first")
        #expect(pipeline.flush())
        return pipeline
    }

    private func setup(_ parts: [PlannedPlugin] = []) -> PipelineSetup {
        var setup = PipelineSetup()
        setup.queue = QueueOptions(capacity: 64 << 10, handleSignals: false)
        setup.sinks = parts
        return setup
    }

    @Test func `a sink never has the filter of a removed one whose slot it gets`() throws {
        let kept = memory("kept", SinkFilter(level: .warning))
        let pipeline = try pipeline(log, kept, memory("old", SinkFilter(level: .error)))
        #expect(
            directory.storedFilters == [
                "log": SinkFilter(), "kept": SinkFilter(level: .warning), "old": SinkFilter(level: .error),
            ])
        let witness = Witness(name: "new", in: directory)
        let new = part("new", SinkFilter(level: .notice)) { _ in witness }
        try pipeline.change(to: setup([log, kept, new]))
        #expect(pipeline.queue.control.header?.name(ofSlot: 2) == "new")
        // Its own is not known yet, that of a sink that stays is.
        let seen = witness.seen.withLock { $0 }
        #expect(seen == ["log": SinkFilter(), "kept": SinkFilter(level: .warning), "new": SinkFilter()])
        #expect(directory.storedFilters["new"] == SinkFilter(level: .notice))
        #expect(pipeline.shutdown())
    }

    @Test func `a sink that gets the slot of the only log, after its removal, does not pass for the log's`() throws {
        let all = memory("all")
        let pipeline = try pipeline(log, all)
        let header = try #require(pipeline.queue.control.header)
        #expect(header.logSlot == 0)
        try pipeline.change(to: setup([all]))
        #expect(header.logSlot == nil)
        let failing = FailingSink(name: "new")
        failing.fail()
        try pipeline.change(to: setup([all, part("new") { _ in failing }]))
        #expect(header.name(ofSlot: 0) == "new" && header.logSlot == nil)
        pipeline.logger.info("waits")
        // As if the program were killed, and the next one had the log again.
        let copy = TemporaryDirectory()
        mkdir(copy.file(".taffrail"), 0o700)
        for name in directory.rings { try copy.write(directory.bytes(".taffrail/" + name), to: ".taffrail/" + name) }
        let again = MemorySink(name: "new")
        let file = try FileSink(FileOptions(path: copy.file("app.log")))
        #expect(RecoveryRun(copy.file(".taffrail"), sinks: [file, MemorySink(name: "all"), again]).isDone)
        #expect(again.messages == ["waits"] && copy.messages == [])
        failing.restore()
        #expect(pipeline.shutdown())
    }

    @Test func `a log that stays after the first one was removed is the ring's log`() throws {
        let path = directory.file("second.log")
        let second = part("second") { _ in try FileSink(FileOptions(path: path), name: "second") }
        let pipeline = try pipeline(log, second)
        let header = try #require(pipeline.queue.control.header)
        #expect(header.logSink == "log")
        try pipeline.change(to: setup([second]))
        #expect(header.logSink == "second" && header.destination == "second.log")
        #expect(pipeline.shutdown())
    }
}

extension TemporaryDirectory {
    /// The filters in the ring of this directory, by the names of their sinks.
    fileprivate var storedFilters: [String: SinkFilter] {
        var filters: [String: SinkFilter] = [:]
        for name in rings {
            guard case .readable(let ring) = RingFile.inspect(file(".taffrail/" + name)) else { continue }
            for slot in 0..<RingHeader.sinkSlots where ring.header.hasSink(inSlot: slot) {
                filters[ring.header.name(ofSlot: slot)] = ring.filter(ofSlot: slot)
            }
        }
        return filters
    }
}
