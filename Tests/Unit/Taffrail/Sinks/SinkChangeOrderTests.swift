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
