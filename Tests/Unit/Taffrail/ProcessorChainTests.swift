import Testing

@testable import Taffrail

@Suite struct ProcessorChainTests {
    /// Drops and changes records whose message requests it.
    private struct Editor: Processor {
        var word = "changed"

        mutating func inspect(_ record: borrowing RecordView) -> Inspection {
            if record.messageContains("drop") { return .drop }
            return record.messageContains("change") || record.messageContains("vanish") ? .change : .keep
        }

        mutating func process(_ record: inout LogRecord) -> Verdict {
            if record.message == "vanish" { return .drop }
            record.message = record.message.replacing("change", with: word)
            record.sequence = 999
            record.timestamp = Timestamp(nanoseconds: 1)
            return .keep
        }
    }

    private func buffer(_ messages: [String]) -> RecordBuffer {
        var buffer = RecordBuffer(run: RingID(5), start: 1024)
        for (index, message) in messages.enumerated() {
            buffer.append(
                LogRecord(
                    timestamp: Timestamp(nanoseconds: 77), sequence: UInt64(index + 1), level: .info, message: message,
                    attributes: [LogValueEntry("index", .int(Int64(index)))]))
        }
        return buffer
    }

    private func ends(_ buffer: borrowing RecordBuffer) -> [UInt64] {
        buffer.withBatch { batch in
            var ends: [UInt64] = []
            batch.forEach { ends.append($0.end) }
            return ends
        }
    }

    /// The records of a sink: messages, sequence numbers and ends.
    private func output(
        _ chain: ProcessorChain, _ buffer: borrowing RecordBuffer, countedUpTo position: UInt64 = 0
    ) -> (messages: [String], sequences: [UInt64], ends: [UInt64], count: Int, end: UInt64) {
        buffer.withBatch { lent in
            let batch = chain.process(
                RecordBatch(
                    base: lent.base, length: lent.length, run: lent.run, count: lent.count, start: lent.start,
                    checkpoint: nil), counted: CountedDrops(upTo: position), isRecovered: false)
            var messages: [String] = []
            var sequences: [UInt64] = []
            var ends: [UInt64] = []
            batch.forEach {
                messages.append($0.message)
                sequences.append($0.sequence)
                ends.append($0.end)
                #expect($0.timestamp.nanoseconds == 77)
                #expect($0["index"] == .int(Int64($0.sequence - 1)))
            }
            return (messages, sequences, ends, batch.count, batch.end)
        }
    }

    @Test func `kept, changed and dropped records keep their numbers and positions in the ring`() {
        let buffer = buffer(["a", "change b", "drop c", "d", "vanish", "change e", "f", "drop g"])
        let original = ends(buffer)
        let chain = ProcessorChain([Editor()])
        let result = output(chain, buffer)
        #expect(result.messages == ["a", "changed b", "d", "changed e", "f"])
        #expect(result.sequences == [1, 2, 4, 6, 7])
        #expect(result.ends == [0, 1, 3, 5, 6].map { original[$0] })
        #expect(result.count == 5 && result.end == original[7])
        #expect(chain.takeDropped().count == 3)
    }

    @Test func `a batch that all processors keep is the queue's own`() {
        let buffer = buffer(["a", "b"])
        let chain = ProcessorChain([Editor(), Editor()])
        buffer.withBatch { lent in
            let batch = chain.process(
                RecordBatch(
                    base: lent.base, length: lent.length, run: lent.run, count: lent.count, start: lent.start,
                    checkpoint: nil), counted: CountedDrops(upTo: 0), isRecovered: false)
            #expect(batch.base == lent.base)
        }
    }

    @Test func `a processor sees the result of the previous one`() {
        let chain = ProcessorChain([Editor(word: "drop"), Editor()])
        let result = output(chain, buffer(["change", "a", "x change"]))
        #expect(result.messages == ["a"])
        #expect(chain.takeDropped().count == 2)
    }

    @Test func `a batch that is processed again is not counted again, and may be dropped completely`() {
        let chain = ProcessorChain([Editor()])
        let all = buffer(["drop", "drop"])
        let end = ends(all)[1]
        #expect(output(chain, all).count == 0)
        #expect(output(chain, all, countedUpTo: end).messages == [])
        let part = buffer(["drop"])
        #expect(output(chain, part, countedUpTo: end).count == 0)
        #expect(output(chain, all, countedUpTo: end).end == end)
        #expect(chain.takeDropped().count == 2)
    }

    @Test func `positions after some records skip those that were dropped`() {
        let buffer = buffer(["a", "drop", "b", "drop"])
        let original = ends(buffer)
        let chain = ProcessorChain([Editor()])
        buffer.withBatch { lent in
            let batch = chain.process(
                RecordBatch(
                    base: lent.base, length: lent.length, run: lent.run, count: lent.count, start: lent.start,
                    checkpoint: nil), counted: CountedDrops(upTo: 0), isRecovered: false)
            #expect(batch.position(after: 0) == 1024)
            #expect(batch.position(after: 1) == original[0])
            #expect(batch.position(after: 2) == original[3])
        }
    }

    /// Composes characters.
    private struct Composer: Processor {
        mutating func process(_ record: inout LogRecord) -> Verdict {
            record.message = record.message == "caf\u{e9}" ? "caf\u{e9}" : record.message
            return .keep
        }
    }

    @Test func `a change that only composes characters is a change`() {
        let result = output(ProcessorChain([Composer()]), buffer(["cafe\u{301}", "a"]))
        #expect(result.messages.map { Array($0.utf8) } == [Array("caf\u{e9}".utf8), Array("a".utf8)])
    }

    /// Gets a copy of every record, and changes none.
    private struct Observer: Processor {
        mutating func process(_ record: inout LogRecord) -> Verdict { .keep }
    }

    /// The values of an attribute of each kind.
    private static let values: [LogValueEntry] = [
        LogValueEntry("text", "cafe\u{301}"), LogValueEntry("number", 1), LogValueEntry("nan", .double(.nan)),
        LogValueEntry("bytes", .bytes([1])), LogValueEntry("map", ["a": [true, 1.5]]),
    ]

    @Test func `records of which processors only get a copy are the queue's own`() {
        var buffer = RecordBuffer(run: RingID(5))
        buffer.append(
            LogRecord(
                sequence: 1, level: .info, message: "a", eventName: "event", attributes: Self.values, logger: "logger",
                source: LogRecord.SourceLocation(file: "A/a.swift", function: "a()", line: 1)))
        let chain = ProcessorChain([Observer(), Observer()])
        buffer.withBatch { lent in
            let batch = chain.process(
                RecordBatch(
                    base: lent.base, length: lent.length, run: lent.run, count: lent.count, start: lent.start,
                    checkpoint: nil), counted: CountedDrops(upTo: 0), isRecovered: false)
            #expect(batch.base == lent.base && batch.count == 1)
        }
    }

    @Test func `a change of the sign of zero is a change`() {
        let zero = LogRecord(level: .info, message: "a", attributes: [LogValueEntry("zero", 0.0)])
        var turned = zero
        turned.attributes = [LogValueEntry("zero", -0.0)]
        #expect(turned == zero && !turned.isIdentical(to: zero))
    }

    @Test func `records of a megabyte can be changed`() {
        let long = String(repeating: "x", count: 1 << 20)
        let result = output(ProcessorChain([Editor()]), buffer([long + " change", "a"]))
        #expect(result.messages == [long + " changed", "a"])
    }
}
