import Glibc
import Synchronization
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// How records get the ambient attributes: by a number in the ring's table, or themselves.
@Suite(.mayBlock) struct AmbientRecordTests {
    /// Keeps which records had a number for their ambient attributes.
    private final class NumberSink: Sink {
        let found = Locked<[String: Bool]>([:])

        func write(_ batch: borrowing RecordBatch) throws(SinkError) {
            batch.forEach { view in
                let (message, isNumbered) = (view.message, view.fields.isContextNumbered)
                found.withLock { $0[message] = isNumbered }
            }
        }
    }

    private func word(_ pipeline: Pipeline) -> UInt64 { pipeline.control.context.pointee.load(ordering: .relaxed) }

    @Test func `a record has the attributes of its call, also if all slots are in use, and slots are reused`()
        throws
    {
        let sink = GatedSink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(capacity: 1 << 20, handleSignals: false))
        let context = PublishedContext()
        pipeline.add(context)
        pipeline.logger.info("first")
        sink.waitForWriter()
        func log(_ range: Range<Int64>, flushing: Bool) throws {
            for n in range {
                try context.publish(["n": .int(n)])
                pipeline.logger.info("\(n)")
                if flushing { #expect(pipeline.flush()) }
            }
        }
        try log(0..<40, flushing: false)
        #expect(word(pipeline) & ContextWord.isCopied != 0)
        sink.open()
        #expect(pipeline.flush())
        try log(40..<80, flushing: true)
        #expect(word(pipeline) & (ContextWord.isNumbered | ContextWord.isCopied) == ContextWord.isNumbered)
        try context.publish([:])
        #expect(word(pipeline) == 0)
        pipeline.logger.info("none")
        #expect(pipeline.flush())
        let records = sink.records.filter { $0.message != "first" }
        #expect(records.map(\.message) == (0..<80).map { "\($0)" } + ["none"])
        #expect(records.map { $0["n"] } == (0..<80).map { .int($0) } + [nil])
        pipeline.shutdown()
    }

    @Test func `a call has a number; imported records and those of a backtrace contain the attributes`() throws {
        let sink = NumberSink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(handleSignals: false))
        let context = PublishedContext()
        pipeline.add(context)
        pipeline.logger.info("before")
        try context.publish(["n": 1])
        pipeline.logger.info("call")
        pipeline.logger.log(LogRecord(level: .info, message: "whole"))
        pipeline.logger.withBacktrace {
            pipeline.logger.trace("kept")
            pipeline.logger.error("released")
        }
        #expect(pipeline.flush())
        let found = sink.found.withLock { $0 }
        #expect(found["before"] == false && found["whole"] == false && found["kept"] == false)
        #expect(found["call"] == true && found["released"] == true)
        pipeline.shutdown()
    }

    @Test func `while threads log, each record has attributes that were in effect during its call`() {
        let sink = MemorySink()
        let pipeline = Pipeline(
            sinks: [sink], queue: QueueOptions(capacity: 64 << 10, blockLimit: .seconds(60), handleSignals: false))
        let context = PublishedContext()
        pipeline.add(context)
        pipeline.logger.info("first")
        let begun = Locked(0)
        let ended = Locked(0)
        let running = Locked(3)
        // For each record: the attributes certainly in effect when its call began, and those possibly in effect when it
        // returned.
        let found = Locked<[String: ClosedRange<Int>]>([:])
        let loggers = (0..<3).map { thread in
            OwnThread {
                var mine: [String: ClosedRange<Int>] = [:]
                for n in 0..<4000 {
                    let least = ended.withLock { $0 }
                    pipeline.logger.info("\(thread) \(n)")
                    mine["\(thread) \(n)"] = least...begun.withLock { $0 }
                }
                found.withLock { [mine] in $0.merge(mine) { $1 } }
                running.withLock { $0 -= 1 }
            }
        }
        let publisher = OwnThread {
            while running.withLock({ $0 }) > 0 {
                let n = begun.withLock { begun in
                    begun += 1
                    return begun
                }
                try? context.publish(["n": .int(Int64(n))])
                ended.withLock { $0 = n }
            }
        }
        for thread in loggers + [publisher] { thread.join() }
        #expect(pipeline.flush())
        let bounds = found.withLock { $0 }
        let records = sink.records.filter { bounds[$0.message] != nil }
        let wrong = records.filter { record in
            var found = 0
            if case .int(let n)? = record["n"] { found = Int(n) }
            return bounds[record.message]?.contains(found) != true
        }
        #expect(records.count == 12_000)
        #expect(wrong.count == 0)
        pipeline.shutdown()
    }

    @Test func `the next ring of a pipeline starts with the current attributes`() throws {
        let log = MemoryLog()
        let context = PublishedContext()
        log.pipeline.add(context)
        try context.publish(["n": 1])
        log.logger.info("one")
        #expect(log.pipeline.end(timeout: .seconds(30), closesSinks: false))
        log.logger.info("two")
        #expect(log.records.map { $0["n"] } == [1, 1])
    }

    @Test func `records in a ring's file have their ambient attributes for readers of the file`() throws {
        let directory = TemporaryDirectory()
        let sink = FailingSink()
        sink.fail()
        var queue = QueueOptions(handleSignals: false)
        queue.directory = directory.path
        let pipeline = Pipeline(sinks: [sink], queue: queue)
        let context = PublishedContext()
        pipeline.add(context)
        for n in 0..<3 {
            try context.publish(["n": .int(Int64(n))])
            pipeline.logger.info("\(n)")
        }
        let ring = try #require(Recovery.rings(in: directory.path).first)
        guard case .lines(let lines) = RingLines.read(directory.file(ring), .unknown, isRaw: false) else {
            Issue.record("the ring cannot be read")
            return
        }
        var found: [String] = []
        lines.forEach { line, _ in found.append(String(decoding: line, as: UTF8.self)) }
        for n in 0..<3 { #expect(found.contains { $0.contains("\"message\":\"\(n)\",\"attributes\":{\"n\":\(n)}") }) }
        guard case .readable(let file) = RingFile.inspect(directory.file(ring)) else {
            Issue.record("the ring's header cannot be read")
            return
        }
        #expect(file.header.program == Environment.program && !file.header.program.isEmpty)
        let host = String(decoding: RingTables(file.header.contextTable, siteLength: 0).host, as: UTF8.self)
        #expect(host == Environment.host && !host.isEmpty)
        sink.restore()
        pipeline.shutdown()
    }

    @Test func `a provider yields to attributes of a record's own, others do not`() throws {
        let log = MemoryLog()
        let (place, ship) = (PublishedContext(yieldsTo: "geo.location."), PublishedContext())
        log.pipeline.add(place)
        log.pipeline.add(ship)
        try place.publish(["geo.location.lat": 1, "geo.location.lon": 2, "geo.locality.name": "Moss"])
        try ship.publish(["ship": "Gudrun"])
        log.logger.info("plain")
        log.logger.info("other", ["geo.locality.name": "Horten"])
        log.logger.info("call", ["geo.location.lat": 3])
        log.logger.with(["geo.location.lat": 3]).info("logger")
        Logger.withAttributes(["geo.location.lat": 3]) { log.logger.info("task") }
        log.logger.log(
            LogRecord(level: .info, message: "whole", attributes: [LogValueEntry("geo.location.lat", 3)]))
        let all: [LogValue?] = [1, 2, "Moss", "Gudrun"]
        func values(_ record: LogRecord) -> [LogValue?] {
            ["geo.location.lat", "geo.location.lon", "geo.locality.name", "ship"].map { record[$0] }
        }
        let records = log.records
        #expect(values(records[0]) == all)
        #expect(values(records[1]) == [1, 2, "Horten", "Gudrun"])
        for record in records[2...] { #expect(values(record) == [3, nil, nil, "Gudrun"], "\(record.message)") }
        #expect(records.count == 6)
    }

    @Test func `records from elsewhere get none, and their loggers' names create no loggers`() throws {
        let log = MemoryLog(level: .info, levels: ["net": .error])
        let context = PublishedContext()
        log.pipeline.add(context)
        try context.publish(["n": 1])
        let time = Timestamp(nanoseconds: 1_767_623_400_123_456_789)
        for n in 0..<1000 {
            log.pipeline.log(
                received: LogRecord(
                    timestamp: time, level: .info, message: "received", eventName: "span", logger: "hostile.\(n)"))
        }
        log.pipeline.log(received: LogRecord(level: .warning, message: "below its logger's level", logger: "net.http"))
        log.pipeline.log(received: LogRecord(level: .error, message: "error", logger: "net.http"))
        log.logger.log(LogRecord(level: .info, message: "replayed"), ambient: false)
        log.logger.log(LogRecord(level: .info, message: "of here"))
        let records = log.records
        #expect(records.count == 1003)
        #expect(records[7].logger == "hostile.7" && records[7].timestamp == time && records[7].eventName == "span")
        #expect(records.filter { $0["n"] != nil }.map(\.message) == ["of here"])
        #expect(log.pipeline.control.registryLock.withLock { Array(log.pipeline.loggers.sources.keys) } == [""])
    }

    @Test func `published attributes are redacted again when redaction changes`() throws {
        let log = MemoryLog()
        let context = PublishedContext()
        log.pipeline.add(context)
        try context.publish(["password": "swordfish", "n": 1])
        log.logger.info("before")
        log.pipeline.setRedaction { log.pipeline.redaction.set(["password"]) }
        log.logger.info("after")
        log.logger.log(LogRecord(level: .info, message: "whole"))
        log.pipeline.setRedaction { log.pipeline.redaction.set([]) }
        log.logger.info("again")
        #expect(
            log.records.map { $0["password"] } == ["swordfish", "<redacted>", "<redacted>", "swordfish"])
        #expect(log.records.allSatisfy { $0["n"] == 1 })
    }

    @Test func `a removed provider leaves nothing, and its later attributes are ignored`() throws {
        let log = MemoryLog()
        let kept = PublishedContext()
        log.pipeline.add(kept)
        try kept.publish(["kept": 1])
        for _ in 0..<100 {
            let gone = PublishedContext()
            let slot = log.pipeline.attach(gone)
            try gone.publish(["gone": 1])
            log.pipeline.detach(slot)
            try gone.publish(["late": LogValue(String(repeating: "x", count: 600))])
        }
        log.logger.info("record")
        #expect(log.records.map { $0.attributes.map(\.key) } == [["kept"]])
    }

    @Test func `records in a backtrace have the attributes of their call`() throws {
        let log = MemoryLog(level: .info)
        let context = PublishedContext()
        log.pipeline.add(context)
        try log.logger.withBacktrace {
            log.logger.debug("none")
            try context.publish(["n": 1])
            log.logger.debug("one")
            try context.publish(["n": 2])
            log.logger.error("two")
        }
        #expect(log.records.map { $0["n"] } == [nil, 1, 2])
    }

    @Test func `records that processors keep next to dropped and changed ones have their ambient attributes`() throws {
        struct Picky: Processor {
            func inspect(_ record: borrowing RecordView) -> Inspection {
                record.messageContains("drop") ? .drop : record.messageContains("change") ? .change : .keep
            }

            mutating func process(_ record: inout LogRecord) -> Verdict {
                record.message += "d"
                return .keep
            }
        }
        let sink = MemorySink()
        let pipeline = Pipeline(
            processors: [Picky()], sinks: [sink], queue: QueueOptions(handleSignals: false))
        let context = PublishedContext()
        pipeline.add(context)
        for n in 0..<30 {
            try context.publish(["n": .int(Int64(n))])
            pipeline.logger.info("keep")
            pipeline.logger.info("drop")
            pipeline.logger.info("change")
        }
        #expect(pipeline.flush())
        let records = sink.records
        #expect(records.map(\.message) == (0..<30).flatMap { _ in ["keep", "changed"] })
        #expect(records.map { $0["n"] } == (0..<30).flatMap { [.int($0), .int($0)] })
        pipeline.shutdown()
    }

    /// The kernel's id of the calling thread.
    private static var threadID: UInt32 {
        var link = [UInt8](repeating: 0, count: 64)
        let count = link.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { readlink("/proc/thread-self", $0, bytes.count) } ?? 0
        }
        return String(decoding: link.prefix(max(0, count)), as: UTF8.self).split(separator: "/").last.flatMap {
            UInt32($0)
        } ?? 0
    }

    @Test func `a record knows the thread that logged it, in a ring and through processors`() {
        final class ThreadSink: Sink {
            let found = Locked<[UInt32]>([])
            func write(_ batch: borrowing RecordBatch) throws(SinkError) {
                batch.forEach { view in
                    let thread = view.threadID
                    found.withLock { $0.append(thread) }
                }
            }
        }
        let sink = ThreadSink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(handleSignals: false))
        let own = Locked<UInt32>(0)
        OwnThread {
            own.withLock { $0 = Self.threadID }
            pipeline.logger.info("call")
            pipeline.logger.log(LogRecord(level: .info, message: "whole"))
            pipeline.logger.withBacktrace {
                pipeline.logger.trace("kept")
                pipeline.logger.error("with a trace")
            }
        }.join()
        #expect(pipeline.flush())
        let thread = own.withLock { $0 }
        #expect(sink.found.withLock { $0 } == [thread, thread, thread, thread] && thread > 1)
        pipeline.shutdown()
    }
}
