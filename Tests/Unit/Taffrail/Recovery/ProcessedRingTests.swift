import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail

/// Rings that only their own program can deliver, which another pipeline with their log finds.
@Suite(.mayBlock) struct ProcessedRingTests {
    private let directory = TemporaryDirectory()

    /// Replaces the message.
    private struct Cover: Processor {
        mutating func process(_ record: inout LogRecord) -> Verdict {
            record.message = record.message.hasPrefix("token") ? "<covered>" : record.message
            return .keep
        }
    }

    private func file() throws -> FileSink { try FileSink(FileOptions(path: directory.file("app.log"))) }

    /// Leaves a ring with three records of a program, `left 1` to `left 3`.
    private func leaveRing(
        program: String? = nil, filter: SinkFilter? = nil, encoder: String = "text",
        _ change: (RingHeader) -> Void = { _ in }
    ) throws {
        _ = try file().stateDirectory
        let log = (name: "file:app.log", path: directory.file("app.log"), written: 0)
        let path = directory.leaveRing(".taffrail", [log], filters: filter.map { [0: $0] } ?? [:])
        var bytes = try directory.bytes(String(path.dropFirst(directory.path.count + 1)))
        bytes.withUnsafeMutableBytes {
            guard let base = $0.baseAddress else { return }
            let header = RingHeader(base: base)
            header.setLog(slot: 0, encoder: encoder, destination: "app.log")
            if let program { header.setText(RingTables.program, RingTables.nameLength, program) }
            change(header)
        }
        try directory.write(bytes, to: String(path.dropFirst(directory.path.count + 1)))
    }

    /// Runs a pipeline with the log.
    ///
    /// - Parameters:
    ///   - innerLevel: The level of a filter inside that of `level`.
    ///   - isCommand: Whether it writes to the log of another program.
    private func run(
        _ processors: sending [any Processor] = [], guards: [any AttributeGuard] = [], level: Level = .trace,
        innerLevel: Level = .trace, isCommand: Bool = false
    ) throws {
        let pipeline = Pipeline(
            guards: guards, processors: processors,
            sinks: [try file().filtered(level: innerLevel).filtered(level: level)],
            queue: QueueOptions(handleSignals: false))
        pipeline.keepsAbsentSinks = isCommand
        RecoveryRun.awaitUnlocked(directory.file(".taffrail"))
        pipeline.logger.info("new")
        #expect(pipeline.shutdown())
    }

    private static let left = ["left 1", "left 2", "left 3"]

    @Test func `a ring of a program with processors is kept until there are processors`() throws {
        let captured = CapturedDiagnostics()
        try leaveRing { $0.setHasProcessors() }
        try run()
        #expect(directory.messages == ["new"] && directory.rings.count == 1)
        #expect(captured.lines(with: directory.path).contains { $0.contains("is kept: its program has processors") })
        try run([Cover()])
        #expect(directory.messages == ["new"] + Self.left + ["new"] && directory.rings == [])
    }

    @Test func `records that a killed program's processors would change are not written without these`() async throws {
        let away = FailingSink(name: "away")
        away.fail()
        let first = Pipeline(
            processors: [Cover()], sinks: [try file(), away], queue: QueueOptions(handleSignals: false))
        first.logger.info("token=abc")
        #expect(await eventually { directory.messages == ["<covered>"] })
        #expect(!first.shutdown(timeout: .seconds(0.01)))
        #expect(directory.rings.count == 1)
        let plain = MemorySink(name: "away")
        let second = Pipeline(sinks: [try file(), plain], queue: QueueOptions(handleSignals: false))
        second.logger.info("new")
        #expect(second.shutdown() && plain.messages == ["new"] && directory.rings.count == 1)
        RecoveryRun.awaitUnlocked(directory.file(".taffrail"))
        let covered = MemorySink(name: "away")
        let third = Pipeline(
            processors: [Cover()], sinks: [try file(), covered], queue: QueueOptions(handleSignals: false))
        third.logger.info("newer")
        #expect(third.shutdown() && covered.messages == ["<covered>", "newer"] && directory.rings == [])
    }

    private struct Keep: AttributeGuard {
        var watchedNames: Set<String> { ["place"] }
        func review(_ attributes: inout GuardedAttributes) -> Verdict { .keep }
    }

    @Test func `guards suffice for a ring whose program had only guards`() throws {
        try leaveRing { $0.setHasProcessors(onlyGuards: true) }
        try run()
        #expect(directory.messages == ["new"] && directory.rings.count == 1)
        try run(guards: [Keep()])
        #expect(directory.messages == ["new"] + Self.left + ["new"] && directory.rings == [])
    }

    @Test func `a ring that is kept is written once the program has set up its processors`() async throws {
        try leaveRing { $0.setHasProcessors() }
        let pipeline = Pipeline(sinks: [try file()], queue: QueueOptions(handleSignals: false))
        pipeline.logger.info("early")
        #expect(await eventually { directory.messages == ["early"] })
        #expect(directory.rings.count == 2)
        var setup = PipelineSetup()
        setup.queue = QueueOptions(handleSignals: false)
        let place = PluginInstance(name: "file", logDirectory: directory.path, program: "test")
        let options = FileOptions(path: directory.file("app.log"))
        setup.sinks = [
            PlannedPlugin(place, plugin: "file", options: options, builder: .sink { _ in try FileSink(options) })
        ]
        setup.processors = [
            PlannedPlugin(place, plugin: "cover", options: FileOptions(path: "x"), builder: .processor { _ in Cover() })
        ]
        RecoveryRun.awaitUnlocked(directory.file(".taffrail"), except: pipeline.ringPath)
        try pipeline.change(to: setup)
        pipeline.logger.info("later")
        #expect(pipeline.shutdown())
        #expect(Set(directory.messages) == Set(["early", "later"] + Self.left) && directory.messages.count == 5)
        #expect(directory.rings == [])
    }

    @Test func `guards do not take the place of processors`() throws {
        try leaveRing { $0.setHasProcessors() }
        try run(guards: [Keep()])
        #expect(directory.messages == ["new"] && directory.rings.count == 1)
    }

    @Test func `a command does not write the records of a log that its program filters or formats in another way`()
        throws
    {
        let captured = CapturedDiagnostics()
        try leaveRing(filter: SinkFilter(level: .error))
        try run(isCommand: true)
        try leaveRing { $0.setHasFilteredLog() }
        try run(isCommand: true)
        try leaveRing(encoder: "json")
        try run(isCommand: true)
        #expect(directory.messages == ["new", "new", "new"] && directory.rings.count == 1)
        #expect(captured.lines(with: directory.path).contains { $0.contains("writes file:app.log in json") })
        try leaveRing()
        try run(isCommand: true)
        #expect(directory.messages == ["new", "new", "new"] + Self.left + ["new"] && directory.rings == [])
    }

    @Test func `another program with the log writes its records only by the same filter`() throws {
        try leaveRing(program: "another", filter: SinkFilter(level: .error))
        try run()
        #expect(directory.messages == ["new"] && directory.rings.count == 1)
        try run(level: .error)
        #expect(directory.messages == ["new"] && directory.rings == [])
        // The program itself may have changed its configuration.
        try leaveRing(filter: SinkFilter(level: .error))
        try run()
        #expect(directory.messages == ["new"] + Self.left + ["new"] && directory.rings == [])
    }

    @Test func `another program with the log writes its records also if both filter more than once`() throws {
        try leaveRing(program: "another", filter: SinkFilter(level: .info).with(SinkFilter(level: .debug)))
        try run(level: .info)
        #expect(directory.messages == ["new"] && directory.rings.count == 1)
        try run(level: .info, innerLevel: .debug)
        #expect(directory.messages == ["new"] + Self.left + ["new"] && directory.rings == [])
    }
}
