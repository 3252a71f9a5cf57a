import Glibc
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Sinks that get only some of the records.
@Suite(.mayBlock) struct SinkFilterTests {
    private let directory = TemporaryDirectory()

    private func file() throws -> FileSink { try FileSink(FileOptions(path: directory.file("app.log"))) }

    @Test func `a sink gets the levels, loggers and events that it asks for`() throws {
        let (all, errors, net, fixes) = (
            MemorySink(name: "all"), MemorySink(name: "errors"), MemorySink(name: "net"), MemorySink(name: "fixes")
        )
        let pipeline = Pipeline(
            sinks: [
                all, errors.filtered(level: .error), net.filtered(level: .info, loggers: ["net"]),
                fixes.filtered(events: ["geo.location"]),
            ], queue: QueueOptions(handleSignals: false), level: .trace)
        pipeline.logger.info("plain")
        pipeline.logger("net.http").warning("http")
        pipeline.logger("net").debug("too low")
        pipeline.logger("network").error("another logger")
        pipeline.logger.logAnyLevel(LogRecord(level: .info, message: "fix", eventName: "geo.location"))
        #expect(pipeline.flush())
        #expect(all.messages.count == 5)
        #expect(errors.messages == ["another logger"])
        #expect(net.messages == ["http"])
        #expect(fixes.messages == ["fix"])
        let header = try #require(pipeline.queue.control.header)
        #expect((0..<4).map { header.filtered(inSlot: $0) } == [0, 4, 4, 4])
        #expect((0..<4).map { header.lost(inSlot: $0) } == [0, 0, 0, 0])
        #expect(pipeline.shutdown())
    }

    @Test func `a batch without remaining records calls no sink, and its space is freed`() throws {
        let quiet = FailingSink(name: "quiet")
        quiet.fail()
        let pipeline = Pipeline(
            sinks: [quiet.filtered(level: .critical), MemorySink()],
            queue: QueueOptions(capacity: 64 << 10, blockLimit: .seconds(60), handleSignals: false))
        for n in 0..<3000 { pipeline.logger.info("\(n)") }
        #expect(pipeline.flush())
        #expect(quiet.attempts == 0)
        #expect(pipeline.queue.control.header?.filtered(inSlot: 0) == 3000)
        #expect(pipeline.shutdown())
    }

    @Test func `nested filters must all accept a record`() throws {
        let log = try file()
        let sink = log.filtered(loggers: ["net"]).filtered(level: .error).filtered(events: ["timeout"])
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(handleSignals: false))
        for (name, level) in [("net", Level.error), ("net", .info), ("db", .error)] {
            let record = LogRecord(level: level, message: "\(name) \(level)", eventName: "timeout")
            pipeline.logger(name).logAnyLevel(record)
        }
        pipeline.logger("net").error("without the event")
        #expect(pipeline.flush())
        #expect(directory.messages == ["net error event=timeout logger=net"])
        // The log next to the ring is recognized despite the filters.
        #expect(pipeline.queue.control.header?.destination == "app.log")
        #expect(pipeline.queue.control.header?.hasFilteredLog == true)
        #expect(pipeline.shutdown())
    }

    @Test func `a sink that fails is not taken for recovered by a batch of which it gets nothing`() throws {
        let captured = CapturedDiagnostics()
        let sink = FailingSink(name: "flaky-filtered")
        sink.fail()
        let pipeline = Pipeline(
            sinks: [sink.filtered(level: .error), MemorySink()],
            queue: QueueOptions(capacity: 64 << 10, blockLimit: .seconds(60), handleSignals: false))
        pipeline.logger.error("refused")
        // Half the ring waits for it: it is detached, and then has nothing to fail with.
        for n in 0..<3000 { pipeline.logger.info("\(n)") }
        pipeline.drain()
        pipeline.logger.info("one more")
        pipeline.shutdown(timeout: .seconds(1))
        #expect(captured.lines(with: "sink flaky-filtered ").contains { $0.contains("is detached") })
        #expect(!captured.lines(with: "sink flaky-filtered ").contains { $0.contains("is accepting records again") })
    }

    @Test func `records that the filter of a detached sink withholds are filtered, not lost`() throws {
        let sink = FailingSink(name: "errors")
        sink.fail()
        let pipeline = Pipeline(
            sinks: [try file(), sink.filtered(level: .error)],
            queue: QueueOptions(capacity: 64 << 10, blockLimit: .seconds(60), handleSignals: false))
        pipeline.logger.error("refused")
        for n in 0..<3000 { pipeline.logger.info("\(n)") }
        #expect(!pipeline.flush())
        for n in 0..<3000 { pipeline.logger.info("\(n)") }
        #expect(pipeline.flush())
        let header = try #require(pipeline.queue.control.header)
        #expect(header.lost(inSlot: 1) == 1 && header.filtered(inSlot: 1) == 6000)
        #expect(pipeline.shutdown())
        let drops = try Ledger.read(directory: directory.path).drops.filter { $0.sink == "errors" }
        #expect(drops.filter { $0.reason == .sinkLagging }.map(\.count) == [1])
        #expect(drops.filter { $0.reason == .filtered }.reduce(0) { $0 + $1.count } == 6000)
    }

    @Test func `records that the filter of a removed sink withholds are filtered, not lost`() throws {
        struct Options: PluginOptions {}
        let captured = CapturedDiagnostics()
        let sink = FailingSink(name: "gone-\(UInt64.random(in: 0 ... .max))")
        sink.fail()
        let path = directory.file("app.log")
        var setup = PipelineSetup()
        setup.queue = QueueOptions(handleSignals: false)
        func part(
            _ name: String, filter: SinkFilter = SinkFilter(),
            _ make: @escaping @Sendable (PluginInstance) throws -> sending any Sink
        ) -> PlannedPlugin {
            PlannedPlugin(
                PluginInstance(name: name, logDirectory: "/tmp", program: "test"), plugin: "test", options: Options(),
                builder: .sink(make), filter: filter)
        }
        setup.sinks = [
            part("file") { _ in try FileSink(FileOptions(path: path)) },
            part("gone", filter: SinkFilter(level: .error)) { _ in sink },
        ]
        let pipeline = Pipeline(sinks: [], queue: setup.queue)
        try pipeline.change(to: setup)
        pipeline.logger.error("refused")
        for n in 0..<10 { pipeline.logger.info("\(n)") }
        setup.sinks.removeLast()
        try pipeline.change(to: setup)
        #expect(captured.lines(with: sink.name).contains { $0.hasSuffix("was removed and missed 1 record") })
        #expect(pipeline.shutdown())
        let drops = try Ledger.read(directory: directory.path).drops.filter { $0.sink == sink.name }
        #expect(Set(drops.map(\.reason)) == [.sinkRemoved, .filtered])
        #expect(drops.filter { $0.reason == .sinkRemoved }.map(\.count) == [1])
        #expect(drops.filter { $0.reason == .filtered }.map(\.count) == [10])
    }

    @Test func `no ring waits for records that an absent sink would never get`() throws {
        _ = try file().stateDirectory
        _ = directory.leaveRing(
            ".taffrail",
            [("file:app.log", directory.file("app.log"), 0), ("file:errors.log", directory.file("errors.log"), 0)],
            filters: [1: SinkFilter(level: .error)])
        let report = try LogRecovery.recover(directory: directory.path)
        #expect(report.records == 3 && report.waiting == [] && directory.rings == [])
        let drops = try Ledger.read(directory: directory.path).drops
        #expect(drops.map(\.reason) == [.filtered] && drops.map(\.sink) == ["file:errors.log"])
        #expect(drops.map(\.count) == [3] && drops.map(\.sequences) == [1...3])
    }

    @Test func `records filtered from a sink that stores its position are counted once`() throws {
        var ring = CraftedRing(sinks: ["store"])
        for n in 1...6 { ring.append(LogRecord(level: n == 1 ? .error : .info, message: "\(n)")) }
        let (first, last) = (ring.records[1].position, ring.position)
        ring.withHeader { header in
            // The run had counted all of it; the sink itself stored its position with its last record.
            header.setPosition(ofSlot: 0, last)
            header.countFiltered(5, inSlot: 0)
        }
        ring.write(to: directory.file("\(ring.run).ring"))
        let store = TemporaryDirectory()
        try store.write("\(ring.run) \(first) 1 1\n", to: "store")
        let run = RecoveryRun(
            directory.path, sinks: [StoreSink(store.path).filtered(level: .error)], ledger: true)
        #expect(run.isDone && StoreSink.messages(in: store.path) == ["1"])
        let drops = LedgerContents(try LedgerFile(directory: directory.path).entries()).drops
        #expect(drops.map(\.reason) == [.filtered] && drops.map(\.count) == [5])
    }

    @Test func `records filtered before a position that only the sink has stored are counted, too`() throws {
        var ring = CraftedRing(sinks: ["store"])
        for n in 1...6 { ring.append(LogRecord(level: n % 3 == 0 ? .error : .info, message: "\(n)")) }
        ring.write(to: directory.file("\(ring.run).ring"))
        let store = TemporaryDirectory()
        // Killed between the sink's commit and its position in the ring.
        try store.write("\(ring.run) \(ring.records[3].position) 3 3\n", to: "store")
        let run = RecoveryRun(
            directory.path, sinks: [StoreSink(store.path).filtered(level: .error)], ledger: true)
        #expect(run.isDone && StoreSink.messages(in: store.path) == ["3", "6"])
        let drops = LedgerContents(try LedgerFile(directory: directory.path).entries()).drops
        #expect(drops.map(\.reason) == [.filtered] && drops.map(\.count) == [4])
    }

    @Test func `filtered records are in the ledger as such, once for the run`() throws {
        let pipeline = Pipeline(
            sinks: [try file(), MemorySink(name: "errors").filtered(level: .error)],
            queue: QueueOptions(handleSignals: false))
        for n in 0..<10 { pipeline.logger.log(level: n < 8 ? .info : .error, "\(n)") }
        #expect(pipeline.shutdown())
        let drops = try Ledger.read(directory: directory.path).drops
        #expect(drops.map(\.reason) == [.filtered] && drops.map(\.sink) == ["errors"])
        #expect(drops.map(\.count) == [8] && drops.map(\.sequences) == [1...8])
        #expect(drops.map(\.levels) == [[.info: 8]])
        #expect(drops.allSatisfy { $0.reason.isIntended })
    }

    @Test func `records that are offered again are counted once`() {
        let sink = FailingSink(name: "flaky")
        sink.fail(FailingSink.Failure(.temporary, taken: 2, times: 3))
        let pipeline = Pipeline(
            sinks: [sink.filtered(level: .error)], queue: QueueOptions(handleSignals: false))
        for n in 0..<100 { pipeline.logger.log(level: n % 3 == 0 ? .error : .info, "\(n)") }
        #expect(pipeline.flush())
        #expect(sink.messages == (0..<100).filter { $0 % 3 == 0 }.map { "\($0)" })
        #expect(pipeline.queue.control.header?.filtered(inSlot: 0) == 66)
        pipeline.shutdown()
    }

    @Test func `recovery filters as the live path does`() throws {
        var ring = CraftedRing(sinks: ["errors"])
        for n in 1...6 { ring.append(LogRecord(level: n % 2 == 0 ? .error : .info, message: "\(n)")) }
        ring.write(to: directory.file("\(ring.run).ring"))
        let sink = MemorySink(name: "errors")
        let run = RecoveryRun(directory.path, sinks: [sink.filtered(level: .error)], ledger: true)
        #expect(run.isDone && sink.messages == ["2", "4", "6"])
        let drops = LedgerContents(try LedgerFile(directory: directory.path).entries()).drops
        #expect(drops.map(\.reason) == [.filtered] && drops.map(\.count) == [3])
        #expect(drops.map(\.sequences) == [1...5])
    }

    @Test func `a file with a filter has each accepted record exactly once`() throws {
        var positions: [UInt64] = []
        let ring = Locked<[UInt64]>([])
        let checkpoint = SinkCheckpoint(ringPath: nil, run: RingID(7), slot: 0) { position in
            ring.withLock { $0.append(position) }
            return true
        }
        var buffer = RecordBuffer(run: RingID(7), start: 4096)
        for n in 0..<20 {
            buffer.append(LogRecord(level: n % 4 == 0 ? .error : .info, message: String(repeating: "x", count: n * 30)))
        }
        let sink = try file()
        let sieve = SinkSieve(SinkFilter(level: .error))
        var ends: [UInt64] = []
        try buffer.withBatch { batch throws(SinkError) in
            batch.forEach { if $0.level == .error { ends.append($0.end) } }
            let all = RecordBatch(
                base: batch.base, length: batch.length, run: batch.run, count: batch.count, start: batch.start,
                checkpoint: checkpoint)
            if let passed = sieve.pass(all) { try sink.write(passed) }
        }
        positions = ring.withLock { $0 }
        // The checkpoint counts in the ring's positions, not in those of the copies.
        #expect(positions.last == ends.last)
        #expect(directory.lines("app.log").count == 5)
    }

    @Test func `outside a pipeline a filtered sink filters too, and reports the exact count`() throws {
        let base = FailingSink(name: "base")
        base.fail(FailingSink.Failure(.temporary, taken: 1, times: 1))
        let sink = base.filtered(level: .error)
        var buffer = RecordBuffer()
        for n in 0..<6 { buffer.append(LogRecord(level: n % 2 == 0 ? .info : .error, message: "\(n)")) }
        try buffer.withBatch { batch throws(SinkError) in
            var taken = -1
            do throws(SinkError) { try sink.write(batch) } catch { taken = error.taken }
            #expect(taken == 2)
        }
        #expect(base.messages == ["1"])
    }
}
