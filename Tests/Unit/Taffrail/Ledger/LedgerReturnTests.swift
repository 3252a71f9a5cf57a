import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// The ledgers of log directories that leave the configuration of a running program and return.
@Suite(.mayBlock) struct LedgerReturnTests {
    private struct Options: PluginOptions {}

    private let directory = TemporaryDirectory()

    /// A configuration with these logs.
    private func setup(_ names: String...) -> PipelineSetup { setup(names) }

    private func setup(_ names: [String]) -> PipelineSetup {
        var setup = PipelineSetup()
        setup.queue = QueueOptions(handleSignals: false)
        setup.sinks = names.map { name in
            let path = directory.file(name)
            return PlannedPlugin(
                PluginInstance(name: name, logDirectory: directory.path, program: "test"), plugin: "file",
                options: Options(), builder: .sink { _ in try FileSink(FileOptions(path: path)) })
        }
        return setup
    }

    @Test func `a log that a change adds is in the ledger when the change returns`() throws {
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(handleSignals: false))
        try pipeline.change(to: setup("app.log"))
        pipeline.logger.info("1")
        #expect(pipeline.flush())
        for names in [["app.log", "other.log"], ["app.log"]] {
            try pipeline.change(to: setup(names))
            // A kill now would leave this.
            let change = try #require(try Ledger.read(directory: directory.path).logChanges.last)
            #expect(change.log == "other.log" && change.isWritten == (names.count == 2))
        }
        #expect(pipeline.shutdown())
    }

    @Test func `drops of callers are recorded once in a ledger that leaves the configuration and returns`() throws {
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(handleSignals: false))
        let both = setup("a/app.log", "b/other.log")
        try pipeline.change(to: both)
        pipeline.logger.info("1")
        #expect(pipeline.flush())
        let header = try #require(pipeline.queue.control.header)
        header.countDrop(.info, for: .degraded, 3)
        try pipeline.change(to: setup("a/app.log"))
        // The ledger that is away gets these when it returns.
        header.countDrop(.info, for: .degraded, 2)
        try pipeline.change(to: both)
        header.countDrop(.info, for: .degraded, 1)
        #expect(pipeline.shutdown())
        for name in ["a", "b"] {
            let drops = try Ledger.read(directory: directory.file(name)).drops
            #expect(drops.allSatisfy { $0.reason == .degraded && $0.sink == "" }, "\(drops)")
            #expect(drops.reduce(0) { $0 + $1.count } == 6, "\(name): \(drops)")
        }
    }
}
