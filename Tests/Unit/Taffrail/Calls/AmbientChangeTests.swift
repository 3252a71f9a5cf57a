import Synchronization
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail

/// Calls during which the ambient attributes change: after a call has read how its record gets them, and before it has
/// reserved its space.
@Suite(.mayBlock) struct AmbientChangeTests {
    private func word(_ pipeline: Pipeline) -> UInt64 { pipeline.control.context.pointee.load(ordering: .relaxed) }

    /// Finishes a call that has read a word, and has encoded its record accordingly.
    private func finish(
        _ message: String, _ own: [LogValueEntry] = [], reading word: UInt64, in pipeline: Pipeline
    ) {
        let site = CallSite(#fileID, #function, #line)
        let number = pipeline.sites.number(of: site)
        #expect(number != 0)
        let scratch = Scratch.current
        guard let frame = scratch.begin() else {
            Issue.record("out of memory")
            return
        }
        defer { scratch.end(frame) }
        scratch.append(message)
        let messageEnd = scratch.cursor
        AttributeCodec.append(own, to: scratch)
        let attributesEnd = scratch.cursor
        guard scratch.ensure(LoggerState.fixedTail) else {
            Issue.record("out of memory")
            return
        }
        let record = scratch.pointer(at: frame.start)
        var encoder = RecordEncoder(record, end: scratch.pointer(at: attributesEnd), site: number)
        if word != 0 { encoder.setContext(number: word) }
        encoder.putHeader(
            message: messageEnd - frame.start - RecordLayout.headerSize, attributes: attributesEnd - messageEnd,
            line: site.line, level: .info)
        let length = record.padRecord(length: encoder.end - record)
        let isQueued = pipeline.root.submit(
            record, length: length, level: .info, timestamp: Timestamp.now.nanoseconds, context: word)
        #expect(isQueued)
    }

    @Test func `a call whose slot is used again has the attributes that are in effect then`() throws {
        let log = MemoryLog()
        let context = PublishedContext()
        log.pipeline.add(context)
        log.logger.info("first")
        #expect(log.pipeline.flush())
        try context.publish(["n": 0])
        let old = word(log.pipeline)
        var last: Int64 = 0
        repeat {
            last += 1
            try context.publish(["n": .int(last)])
        } while word(log.pipeline) & 15 != old & 15 && last < 100
        let new = word(log.pipeline)
        #expect(new & 15 == old & 15 && new != old)
        finish("overtaken", reading: old, in: log.pipeline)
        let records = log.records
        #expect(records.map(\.message) == ["first", "overtaken"])
        #expect(records.map { $0["n"] } == [nil, .int(last)])
    }

    @Test func `a call that began before there were attributes has them`() throws {
        let log = MemoryLog()
        let context = PublishedContext()
        log.pipeline.add(context)
        log.logger.info("first")
        let old = word(log.pipeline)
        #expect(old == 0)
        try context.publish(["n": 1])
        finish("overtaken", reading: old, in: log.pipeline)
        let records = log.records
        #expect(records.map(\.message) == ["first", "overtaken"])
        #expect(records.map { $0["n"] } == [nil, 1])
    }

    @Test func `a call that began before all slots were in use has the last attributes with a number`() throws {
        let sink = GatedSink()
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(capacity: 1 << 20, handleSignals: false))
        let context = PublishedContext()
        pipeline.add(context)
        pipeline.logger.info("first")
        // While the writer is at the gate, it frees nothing, and no slot is used again.
        sink.waitForWriter()
        try context.publish(["n": 0])
        let old = word(pipeline)
        let slots = Int64(ContextTable.slotCount)
        for n in 1...slots { try context.publish(["n": .int(n)]) }
        let both = ContextWord.isNumbered | ContextWord.isCopied
        #expect(word(pipeline) & both == both)
        finish("overtaken", reading: old, in: pipeline)
        pipeline.logger.info("later")
        sink.open()
        #expect(pipeline.flush())
        let records = sink.records
        #expect(records.map(\.message) == ["first", "overtaken", "later"])
        #expect(records.map { $0["n"] } == [nil, .int(slots - 1), .int(slots)])
        pipeline.shutdown()
    }

    @Test func `a call with attributes of its own that the new ones yield to does not get these`() throws {
        let log = MemoryLog()
        let context = PublishedContext(yieldsTo: "geo.location.")
        log.pipeline.add(context)
        log.logger.info("first")
        let old = word(log.pipeline)
        try context.publish(["geo.location.lat": 1, "geo.location.lon": 2])
        #expect(word(log.pipeline) & ContextWord.mayYield != 0)
        finish("place", [LogValueEntry("geo.location.lat", 3)], reading: old, in: log.pipeline)
        finish("ship", [LogValueEntry("ship", "Gudrun")], reading: old, in: log.pipeline)
        let records = log.records
        #expect(records.map(\.message) == ["first", "place", "ship"])
        #expect(records.map { $0["geo.location.lat"] } == [nil, 3, 1])
        #expect(records.map { $0["geo.location.lon"] } == [nil, nil, 2])
        #expect(records.map { $0["ship"] } == [nil, nil, "Gudrun"])
    }

    @Test func `a call whose attributes are withdrawn has none`() throws {
        let log = MemoryLog()
        let context = PublishedContext()
        log.pipeline.add(context)
        log.logger.info("first")
        try context.publish(["n": 1])
        let old = word(log.pipeline)
        try context.publish([:])
        #expect(old != 0 && word(log.pipeline) == 0)
        finish("overtaken", reading: old, in: log.pipeline)
        let records = log.records
        #expect(records.map(\.message) == ["first", "overtaken"])
        #expect(records.map { $0["n"] } == [nil, nil])
    }
}
