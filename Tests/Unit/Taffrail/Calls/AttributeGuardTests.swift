import TaffrailTestSupport
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Guards of attributes: at the call, in the ambient context, and when records are recovered.
@Suite(.mayBlock) struct AttributeGuardTests {
    /// Watches `berth`: berth 1 is secret and is removed, 2 becomes 0, of 3 nothing is logged.
    private struct BerthGuard: AttributeGuard {
        var watchedNames: Set<String> { ["berth"] }

        func review(_ attributes: inout GuardedAttributes) -> Verdict {
            for index in attributes.attributes.indices.reversed() where attributes.attributes[index].key == "berth" {
                switch attributes.attributes[index].value {
                case .int(1): attributes.attributes.remove(at: index)
                case .int(2):
                    attributes.attributes[index].value = .int(0)
                    if attributes.eventName == "moored" { attributes.message = "moored somewhere" }
                case .int(3): return .drop
                default: continue
                }
            }
            return .keep
        }
    }

    private final class Provider: ContextProvider {
        private let slot = Locked<Pipeline.ContextSlot?>(nil)
        func publish(into slot: Pipeline.ContextSlot) { self.slot.withLock { $0 = slot } }
        func publish(_ attributes: LogAttributes) throws { try slot.withLock { $0 }?.publish(attributes) }
    }

    private struct Options: PluginOptions {}

    /// The records of the sink, without the pipeline's own.
    private func records(_ sink: MemorySink) -> [LogRecord] {
        sink.records.filter { !$0.message.hasSuffix("initialized") }
    }

    private func pipeline(_ sink: MemorySink) -> Pipeline {
        Pipeline(
            guards: [BerthGuard()], sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false),
            level: .trace)
    }

    @Test func `attributes are kept, changed, removed and dropped at the call`() {
        let sink = MemorySink()
        let pipeline = pipeline(sink)
        let logger = pipeline.logger
        logger.info("none", ["pier": 1])
        logger.info("kept", ["berth": 9, "pier": 1])
        logger.info("removed", ["berth": 1, "pier": 1])
        logger.info("changed", ["berth": 2, "pier": 1])
        logger.info("dropped", ["berth": 3])
        logger.with(["berth": 2]).info("bound", ["pier": 1])
        logger.with(["berth": 3]).info("bound and dropped")
        logger.log(level: .info, event: "moored", "moored at 2", ["berth": 2])
        logger.log(LogRecord(level: .info, message: "record", attributes: [LogValueEntry("berth", 2)]))
        logger.log(LogRecord(level: .info, message: "record dropped", attributes: [LogValueEntry("berth", 3)]))
        logger.log(
            LogRecord(
                level: .info, message: "moored at 2", eventName: "moored", attributes: [LogValueEntry("berth", 2)]))
        logger.info("end")
        pipeline.shutdown()
        let records = records(sink)
        #expect(
            records.map(\.message) == [
                "none", "kept", "removed", "changed", "bound", "moored somewhere", "record", "moored somewhere", "end",
            ])
        let berths = records.map { $0["berth"] }
        #expect(berths == [nil, 9, nil, 0, 0, 0, 0, 0, nil])
        #expect(records.prefix(5).allSatisfy { $0["pier"] == 1 })
        #expect(records.map(\.sequence) == Array(records[0].sequence..<(records[0].sequence + 9)))
    }

    @Test func `maps are looked at by themselves, however deep they lie`() {
        let sink = MemorySink()
        let pipeline = pipeline(sink)
        pipeline.logger.info("a", ["at": ["berth": 1, "pier": 1], "list": [["berth": 3], ["berth": 2], 7]])
        pipeline.logger.info("b", ["at": ["in": ["berth": 3]], "pier": 1])
        pipeline.shutdown()
        let records = records(sink)
        #expect(records.first?["at"] == ["pier": 1] && records.first?["list"] == [["berth": 0], 7])
        #expect(records.last?["at"] == .map([]) && records.last?["pier"] == 1)
    }

    @Test func `a guard added by a change reviews the attributes of providers`() throws {
        let made = Locked<MemorySink?>(nil)
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(durable: false, handleSignals: false))
        func part(_ name: String, _ builder: PlannedPlugin.Builder) -> PlannedPlugin {
            PlannedPlugin(
                PluginInstance(name: name, logDirectory: "/tmp", program: "test"), plugin: name, options: Options(),
                builder: builder)
        }
        var setup = PipelineSetup()
        setup.queue = QueueOptions(durable: false, handleSignals: false)
        setup.sinks = [
            part(
                "sink",
                .sink { _ in
                    let sink = MemorySink()
                    made.withLock { $0 = sink }
                    return sink
                })
        ]
        try pipeline.change(to: setup)
        let provider = Provider()
        pipeline.add(provider)
        try provider.publish(["berth": 1, "pier": 1])
        pipeline.logger.info("before")
        var guarded = setup
        guarded.guards = [part("guard", .attributeGuard { _ in BerthGuard() })]
        try pipeline.change(to: guarded)
        pipeline.logger.info("guarded")
        try provider.publish(["berth": 3, "pier": 1])
        pipeline.logger.info("emptied")
        try pipeline.change(to: setup)
        pipeline.logger.info("after")
        pipeline.shutdown()
        let records = records(try #require(made.withLock { $0 }))
        #expect(records.map { $0["berth"] } == [1, nil, nil, 3])
        #expect(records.map { $0["pier"] } == [1, 1, nil, 1])
    }

    @Test func `keys added by a change redact the attributes of providers`() throws {
        struct Secrets: Processor {
            var redactedKeys: Set<String> { ["berth"] }
            mutating func inspect(_ record: borrowing RecordView) -> Inspection { .keep }
            mutating func process(_ record: inout LogRecord) -> Verdict { .keep }
        }
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false))
        let provider = Provider()
        pipeline.add(provider)
        try provider.publish(["berth": 1])
        pipeline.setRedaction { pipeline.redaction.set(Secrets().redactedKeys) }
        pipeline.logger.info("cleaned")
        pipeline.shutdown()
        #expect(records(sink).map { $0["berth"] } == ["<redacted>"])
    }

    /// Logs attributes, and returns their values in the queue.
    private func values(of attributes: LogAttributes, redacting names: Set<String>) -> [LogValue] {
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false))
        pipeline.setRedaction { pipeline.redaction.set(names) }
        pipeline.logger.info("all", attributes)
        pipeline.shutdown()
        return records(sink).flatMap { $0.attributes.map(\.value) }
    }

    @Test func `keys with other letters than Latin ones are redacted regardless of case`() {
        let found = values(
            of: ["Пароль": "1", "пароль": "2", "clé": "3", "Clé": "4", "cle": "5"], redacting: ["Пароль", "CLÉ"])
        #expect(found == ["<redacted>", "<redacted>", "<redacted>", "<redacted>", "5"])
    }

    @Test func `a name in ASCII also redacts a key that becomes it in lower case`() {
        // The Kelvin sign.
        let found = values(of: ["to\u{212A}en": "1", "TOKEN": "2", "tök": "3"], redacting: ["token"])
        #expect(found == ["<redacted>", "<redacted>", "3"])
    }

    @Test func `a name in ASCII also redacts a canonically equivalent key`() {
        // The Greek question mark and the grave accent.
        let found = values(
            of: ["a\u{37E}b": "1", "a\u{1FEF}b": "2", "a;B": "3", "a`b": "4", "a:b": "5"], redacting: ["a;b", "A`B"])
        #expect(found == ["<redacted>", "<redacted>", "<redacted>", "<redacted>", "5"])
    }

    @Test func `attributes nested deeper than any encoding are left to decoding`() {
        let count = 200_000
        var bytes: [UInt8] = []
        for level in 1...count {
            bytes += [AttributeCodec.Kind.array.rawValue, 0]
            withUnsafeBytes(of: UInt32(6 * (count - level)).littleEndian) { bytes += $0 }
        }
        #expect(bytes.withUnsafeBytes(GuardList([BerthGuard()]).watches))
    }

    @Test func `keys and guards added by a change review the records that a backtrace has buffered`() {
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false))
        let logger = pipeline.logger("harbour")
        logger.withBacktrace {
            logger.debug("removed", ["berth": 1, "pier": 1])
            logger.debug("changed", ["berth": 2, "token": "abc"])
            logger.debug("dropped", ["berth": 3])
            logger.log(level: .debug, event: "moored", "at 2", ["berth": 2])
            logger.log(LogRecord(level: .debug, message: "record", attributes: [LogValueEntry("berth", 2)]))
            logger.debug("plain", ["pier": 2])
            pipeline.setRedaction { pipeline.redaction.set(["token"], guards: [BerthGuard()]) }
            logger.error("end", ["berth": 2])
        }
        pipeline.shutdown()
        let records = records(sink)
        #expect(records.map(\.message) == ["removed", "changed", "moored somewhere", "record", "plain", "end"])
        #expect(records.map { $0["berth"] } == [nil, 0, 0, 0, nil, 0])
        #expect(records.map { $0["token"] } == [nil, "<redacted>", nil, nil, nil, nil])
        #expect(records.map { $0["pier"] } == [1, nil, nil, nil, 2, nil])
        // The rest is unchanged.
        #expect(records.allSatisfy { $0.logger == "harbour" })
        #expect(records.map(\.eventName) == [nil, nil, "moored", nil, nil, nil])
        let file = #fileID
        #expect(records.map { $0.source?.file } == [file, file, file, nil, file, file])
    }

    @Test func `buffered records lose ambient attributes that a guard added by a change drops`() throws {
        let sink = MemorySink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(durable: false, handleSignals: false))
        let provider = Provider()
        pipeline.add(provider)
        try provider.publish(["berth": 3, "quay": 1])
        let logger = pipeline.logger
        logger.withBacktrace {
            logger.debug("before", ["pier": 1])
            pipeline.setRedaction { pipeline.redaction.set([], guards: [BerthGuard()]) }
            logger.error("end")
        }
        pipeline.shutdown()
        let records = records(sink)
        #expect(records.map(\.message) == ["before", "end"])
        #expect(records.map { $0["pier"] } == [1, nil])
        #expect(records.allSatisfy { $0["berth"] == nil && $0["quay"] == nil })
    }

    @Test
    func `records of a run without the guard are reviewed when they are recovered, those of a run with it are not`() {
        let directory = TemporaryDirectory()
        var file = CraftedRing()
        for berth in 0..<4 {
            file.append(
                LogRecord(level: .info, message: "\(berth)", attributes: [LogValueEntry("berth", .int(Int64(berth)))]))
        }
        file.write(to: directory.file("\(file.run).ring"))
        let sink = MemorySink(name: "memory")
        let run = RecoveryRun(
            directory.path, sinks: [sink], chain: ProcessorChain([], guarding: GuardProcessor([BerthGuard()])))
        #expect(run.isDone && run.recovery.recovered == 3, "the guard drops one of four")
        #expect(sink.records.map(\.message) == ["0", "1", "2"])
        #expect(sink.records.map { $0["berth"] } == [0, nil, 0])
        // Records logged with a guard no longer need it: the ring may be recovered without it.
        #expect(ProcessorChain([], guarding: GuardProcessor([BerthGuard()])).isEmpty)
        let ofAll = ProcessorChain([], guarding: GuardProcessor([BerthGuard()]))
        ofAll.guardsAll = true
        #expect(!ofAll.isEmpty)
    }
}
