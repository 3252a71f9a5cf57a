import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Of what waits for a log, only what its sink's `level` and `only` let through is shown: the rest will not be in it.
@Suite(.mayBlock) struct FilteredRingTests {
    private let directory = TemporaryDirectory()
    private var log: String { directory.file("app.log") }
    private var errors: String { directory.file("errors.log") }

    /// Leaves four records in a ring for two logs, of which one is filtered.
    private func leaveRing(_ filter: SinkFilter) throws {
        mkdir(directory.file(".taffrail"), 0o700)
        for name in ["app.log", "errors.log"] { try directory.log(["before"], to: name) }
        var ring = CraftedRing(sinks: ["file:app.log", "file:errors.log"])
        for (number, level) in [Level.info, .error, .warning, .critical].enumerated() {
            var record = LogRecord(
                timestamp: Timestamp(nanoseconds: (1_767_623_500 + Int64(number)) * 1_000_000_000), level: level,
                message: "left \(number)")
            record.logger = number < 2 ? "net.http" : "engine"
            if level == .critical { record.eventName = "engine.fire" }
            ring.append(record)
        }
        let middle = ring.records[2].position
        ring.withHeader { header in
            for (slot, path) in [log, errors].enumerated() {
                header.setSink(
                    slot, name: header.name(ofSlot: slot),
                    destination: SinkNames.destinationID(of: [DestinationPath.resolved(path)]))
            }
            // Without a filter, the second log is ahead of the first one.
            header.setPosition(ofSlot: 1, filter.isEmpty ? middle : 0)
            header.setLog(slot: 0, encoder: "text", destination: "app.log")
            RingFilters.store([(0, SinkFilter()), (1, filter)], in: header)
        }
        ring.write(to: directory.file(".taffrail/\(ring.run).ring"))
    }

    /// The numbers of the records that wait for some logs.
    private func waiting(_ paths: String..., isRaw: Bool = false) throws -> [Int] {
        let output = try TailOutput(paths) { $0.isRaw = isRaw }
        #expect(output.problems == [])
        return output.messages.filter { $0.contains("taffrail.unrecovered=true") }.compactMap { message in
            message.firstMatch(of: /left ([0-9])/).flatMap { Int($0.1) }
        }
    }

    @Test func `a log with a minimum level is shown with what has that level`() throws {
        try leaveRing(SinkFilter(level: .error))
        #expect(try waiting(errors) == [1, 3])
        #expect(try waiting(log) == [0, 1, 2, 3])
        #expect(try waiting(errors, isRaw: true) == [0, 1, 2, 3])
    }

    @Test func `a log of some loggers and events is shown with those`() throws {
        try leaveRing(SinkFilter(loggers: ["net"]))
        #expect(try waiting(errors) == [0, 1])
        try leaveRing(SinkFilter(loggers: ["fuel", "engine"], events: ["engine.fire", "engine.smoke"]))
        #expect(try waiting(errors) == [3])
        // A filter around a filtered sink.
        try leaveRing(SinkFilter(level: .error).with(SinkFilter(loggers: ["net"])))
        #expect(try waiting(errors) == [1])
    }

    @Test func `with several logs each record is shown once, whichever log comes first`() throws {
        try leaveRing(SinkFilter(level: .error))
        #expect(try waiting(errors, log) == [0, 1, 2, 3])
        #expect(try waiting(log, errors) == [0, 1, 2, 3])
        #expect(try waiting(directory.path) == [0, 1, 2, 3])
        try leaveRing(SinkFilter())
        #expect(try waiting(errors) == [2, 3])
        #expect(try waiting(errors, log) == [0, 1, 2, 3])
    }

    @Test func `filters around each other are read as they were stored`() {
        var ring = CraftedRing()
        let offset = RingHeader.length + ContextTable.slotsLength
        let two = SinkFilter(level: .error).with(SinkFilter(level: .info, loggers: ["net"]))
        let three = SinkFilter(events: ["fire"]).with(two)
        ring.withHeader { RingFilters.store([(0, two), (1, SinkFilter(level: .debug)), (2, three)], in: $0) }
        let stored = Array(ring.bytes[offset..<offset + RingFilters.room])
        let filters = (0..<4).map { RingFilters.filter(ofSlot: $0, in: stored) }
        #expect(filters == [two, SinkFilter(level: .debug), three, SinkFilter()])
    }

    @Test func `filters that are damaged or do not fit hide nothing`() throws {
        let filter = SinkFilter(level: .error)
        var ring = CraftedRing()
        let offset = RingHeader.length + ContextTable.slotsLength
        func stored(_ filters: [(slot: Int, filter: SinkFilter)], slot: Int) -> SinkFilter {
            ring.withHeader { RingFilters.store(filters, in: $0) }
            return RingFilters.filter(ofSlot: slot, in: Array(ring.bytes[offset..<offset + RingFilters.room]))
        }
        #expect(stored([(3, filter)], slot: 3) == filter)
        #expect(stored([(3, filter)], slot: 2).isEmpty)
        #expect(stored([(3, SinkFilter())], slot: 3).isEmpty)
        let long = SinkFilter(loggers: [String(repeating: "x", count: RingFilters.room)])
        #expect(stored([(1, long), (2, filter)], slot: 1).isEmpty)
        #expect(stored([(1, long), (2, filter)], slot: 2) == filter)
        #expect(stored([(1, SinkFilter(events: ["a\nb"]))], slot: 1).isEmpty)
        _ = stored([(3, filter)], slot: 3)
        for index in 0..<20 {
            var bytes = Array(ring.bytes[offset..<offset + RingFilters.room])
            bytes[index] ^= 0x41
            _ = RingFilters.filter(ofSlot: 3, in: bytes)
            #expect(RingFilters.filter(ofSlot: 3, in: bytes).isEmpty)
        }
        #expect(RingFilters.filter(ofSlot: 3, in: []).isEmpty)
    }

    @Test func `a running program's queue is shown by the filter that it has now`() async throws {
        let gate = GatedSink()
        let pipeline = Pipeline(
            sinks: [gate, try FileSink(FileOptions(path: log)).filtered(level: .warning)],
            queue: QueueOptions(capacity: 64 << 10, handleSignals: false, directory: directory.file("queue")))
        mkdir(directory.file("queue"), 0o700)
        pipeline.logger.info("left 0")
        pipeline.logger.error("left 1")
        try await blocking { gate.waitForWriter() }
        #expect(try waiting(log) == [1])
        #expect(try waiting(log, isRaw: true) == [0, 1])
        gate.open()
        #expect(try await blocking { pipeline.shutdown() })
        #expect(directory.messages == ["left 1"])
    }
}
