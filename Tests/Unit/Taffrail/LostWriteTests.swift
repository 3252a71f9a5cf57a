import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Data of a sink that the system could not write to the disk, when the sink is replaced or the program starts again.
@Suite(.mayBlock) struct LostWriteTests {
    private struct Options: PluginOptions {
        var loses: Bool
        var number: Int
    }

    /// A sink that flushes, or cannot any longer.
    private final class LossySink: Sink, Sendable {
        let name = "lossy"
        private let loses: Bool

        init(loses: Bool) { self.loses = loses }

        func write(_ batch: borrowing RecordBatch) {}

        func flush() throws(SinkError) { if loses { throw .permanent("a part was not written to the disk") } }
    }

    let directory = TemporaryDirectory()

    private func setup(loses: Bool, number: Int = 1) -> PipelineSetup {
        var setup = PipelineSetup()
        setup.queue = QueueOptions(handleSignals: false, directory: directory.path)
        setup.sinks = [
            PlannedPlugin(
                PluginInstance(name: "lossy", logDirectory: directory.path, program: "test"), plugin: "test",
                options: Options(loses: loses, number: number), builder: .sink { _ in LossySink(loses: loses) })
        ]
        return setup
    }

    /// The only ring.
    private func ring() throws -> RingFile {
        let names = Recovery.rings(in: directory.path)
        let name = try #require(names.count == 1 ? names.first : nil)
        guard case .readable(let ring) = RingFile.inspect(directory.file(name)) else { throw SystemError(name) }
        return ring
    }

    @Test(arguments: [true, false])
    func `after a change flush is false, and the ring stays, only if the old sink has lost writes`(loses: Bool) throws {
        let pipeline = Pipeline(sinks: [], queue: setup(loses: loses).queue)
        try pipeline.change(to: setup(loses: loses))
        pipeline.logger.info("one")
        #expect(pipeline.drain())
        try pipeline.change(to: setup(loses: false, number: 2))
        pipeline.logger.info("two")
        #expect(pipeline.flush() == !loses && pipeline.flush() == !loses)
        #expect(pipeline.shutdown() == !loses)
        #expect(Recovery.rings(in: directory.path).count == (loses ? 1 : 0))
        if loses { #expect(try ring().header.hasLostWrites) }
    }

    @Test func `a change that also moves the queue does not hide that the old sink has lost writes`() throws {
        func moved(to log: String, loses: Bool, number: Int) -> PipelineSetup {
            var setup = setup(loses: loses, number: number)
            setup.queue.directory = nil
            let options = FileOptions(path: directory.file(log))
            let place = PluginInstance(name: "file", logDirectory: directory.path, program: "test")
            setup.sinks.append(
                PlannedPlugin(place, plugin: "file", options: options, builder: .sink { _ in try FileSink(options) }))
            return setup
        }
        let first = moved(to: "a/app.log", loses: true, number: 1)
        let pipeline = Pipeline(sinks: [], queue: first.queue)
        try pipeline.change(to: first)
        pipeline.logger.info("one")
        #expect(pipeline.drain())
        try pipeline.change(to: moved(to: "b/app.log", loses: false, number: 2))
        let state = directory.file("b/.taffrail")
        #expect(pipeline.ringPath?.hasPrefix(state) == true)
        pipeline.logger.info("two")
        #expect(!pipeline.flush() && !pipeline.flush())
        #expect(!pipeline.shutdown())
        #expect(directory.lines("b/app.log").count == 1)
        let name = try #require(Recovery.rings(in: state).first)
        guard case .readable(let ring) = RingFile.inspect("\(state)/\(name)") else { throw SystemError(name) }
        #expect(ring.header.hasLostWrites)
    }

    @Test func `what a recovery could not write to the disk is reported by the next one`() throws {
        let captured = CapturedDiagnostics()
        var left = CraftedRing(run: RingID(0x1057), sinks: ["lossy"])
        left.append(LogRecord(level: .info, message: "left"))
        left.write(to: directory.file("\(left.run).ring"))
        #expect(RecoveryRun(directory.path, sinks: [LossySink(loses: true)]).isDone)
        #expect(try ring().header.hasLostWrites)
        #expect(try ring().header.processID == ThisProcess.id)
        #expect(RecoveryRun(directory.path, sinks: [LossySink(loses: false)]).isDone)
        #expect(captured.lines(with: "the system could not write all that run \(left.run) logged").count == 1)
        #expect(Recovery.rings(in: directory.path) == [])
    }
}
