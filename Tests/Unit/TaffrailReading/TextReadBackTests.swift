import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Lines of text read back as the records that they were written from.
@Suite struct TextReadBackTests {
    private static let moment = Timestamp(nanoseconds: 1_767_623_400_123_000_000)

    private func line(_ record: LogRecord) -> String {
        var buffer = RecordBuffer()
        buffer.append(record)
        var encoder = TextEncoder(zone: .utc)
        var text = LineBuffer(capacity: 64)
        buffer.withBatch { batch in batch.forEach { encoder.encode($0, into: &text) } }
        return String(decoding: text.bytes.dropLast(), as: UTF8.self)
    }

    private func record(_ line: String) -> LogRecord {
        var line = line
        return line.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            var heads = LineHeadReader(zone: .utc)
            return LineParser().record(bytes, heads.read(bytes), time: 0)
        }
    }

    /// A value as text has it, without its type.
    private func text(_ value: LogValue) -> String {
        switch value {
        case .string(let text): text
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        default: "\(value)"
        }
    }

    private func check(_ record: LogRecord) {
        let line = line(record)
        let found = self.record(line)
        #expect(found.message == record.message, "\(line)")
        #expect(found.attributes.map(\.key) == record.attributes.map(\.key), "\(line)")
        #expect(found.attributes.map { text($0.value) } == record.attributes.map { text($0.value) }, "\(line)")
        #expect(found.eventName == record.eventName && found.logger == record.logger, "\(line)")
        #expect(found.trace == record.trace && found.level == record.level, "\(line)")
        #expect(self.line(found) == line)
    }

    /// Parts of text that are likely to be taken for something else.
    private static let parts = [
        "=", "=", " ", " ", " ", "\"", "\"", "\\", "\\", "[", "]", "{", "}", ",", ":", "k", "v", "rc=200", "k=\"",
        "\" ",
        "a=b", "x\\=y", "\"a b\"", "=\"", "[\"", "\"]", "é", "🚢", "\t", "/path/of/a/file.log", "0.5", "-1", "true",
        "0123456789abcdef", "https://example.org/?a=b&c=d", "AA==",
    ]

    private func strange(_ count: Int, _ numbers: inout SeededGenerator) -> String {
        (0..<count).map { _ in Self.parts.randomElement(using: &numbers) ?? "" }.joined()
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `every message and all attributes read back`(seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
        for _ in 0..<1000 {
            let longest = [2, 5, 30].randomElement(using: &numbers) ?? 2
            var record = LogRecord(
                timestamp: Self.moment, level: Level.allCases.randomElement(using: &numbers) ?? .info,
                message: strange(Int.random(in: 0...longest, using: &numbers), &numbers))
            for _ in 0..<Int.random(in: 0...3, using: &numbers) {
                let value: LogValue =
                    switch Int.random(in: 0..<8, using: &numbers) {
                    case 0: .int(.random(in: .min ... .max, using: &numbers))
                    case 1: .double(.random(in: -1...1, using: &numbers))
                    case 2: .bool(.random(using: &numbers))
                    case 3: .array([.string(strange(2, &numbers)), 1, ["a b": .string(strange(2, &numbers))]])
                    case 4: .map([LogValueEntry(strange(2, &numbers), .string(strange(3, &numbers)))])
                    default: .string(strange(Int.random(in: 0...5, using: &numbers), &numbers))
                    }
                let key = strange(Int.random(in: 0...3, using: &numbers), &numbers)
                // Of several attributes with one key a record keeps the last.
                guard !record.attributes.contains(where: { $0.key == key }) else { continue }
                record.attributes.append(LogValueEntry(key, value))
            }
            if Bool.random(using: &numbers) { record.logger = "net." + strange(1, &numbers) }
            if Bool.random(using: &numbers) { record.eventName = "e" + strange(1, &numbers) }
            if Bool.random(using: &numbers) {
                record.trace = TraceContext(
                    traceID: TraceContext.TraceID(high: numbers.next(), low: 1), spanID: TraceContext.SpanID(2))
            }
            check(record)
        }
    }

    @Test func `a message of every length that ends like an attribute reads back`() {
        for before in 0..<70 {
            for word in [
                "k=v", "key=0123456789abcdefghij", "k\\=v", "k\\\\=v", "k=\"a b\"", "k=[\"a b\",1]", "\"a b\"=v",
            ] {
                let message = String(repeating: "x", count: before) + " " + word
                for message in [message, String(message.dropFirst(before + 1)), message + " ", message + " end"] {
                    check(LogRecord(timestamp: Self.moment, level: .info, message: message))
                    check(
                        LogRecord(
                            timestamp: Self.moment, level: .info, message: message,
                            attributes: [LogValueEntry("n", 1), LogValueEntry("text", "a \"b\" c")]))
                }
            }
        }
    }

    @Test func `quotes in a message do not change where the attributes start`() {
        for message in ["say k=\"hello", "size 5\" k=", "k=[\"x", "\"", "a\\\" b=\"c", "it's k={\"a"] {
            for value in [" b=c", "\" ", "] b=c", "x\\\" y", " b=\"c d\" e=f"] {
                check(
                    LogRecord(
                        timestamp: Self.moment, level: .info, message: message,
                        attributes: [LogValueEntry("a", .string(value)), LogValueEntry("k", "v")]))
            }
        }
    }

    @Test func `characters that are escaped in a message stay escaped, and the attributes read back`() {
        let record = record(
            line(
                LogRecord(
                    timestamp: Self.moment, level: .info, message: "two\nlines=1",
                    attributes: [LogValueEntry("text", "two\nlines\u{1b}")])))
        #expect(record.message == "two\\nlines=1" && record.attributes == [LogValueEntry("text", "two\nlines\u{1b}")])
    }

    @Test func `lists and maps read back as such, and an escaped character in them as itself`() {
        let values = [
            LogValueEntry("list", [1, "a b", true, [0.5]]), LogValueEntry("map", ["k\u{85}": ["x": "\u{1b}\n"]]),
        ]
        let record = LogRecord(timestamp: Self.moment, level: .info, message: "m", attributes: values)
        #expect(self.record(line(record)).attributes == values)
    }

    @Test func `attributes with the keys of fields are kept beside the fields`() {
        let attributes = [
            LogValueEntry("logger", "a"), LogValueEntry("event", "b"), LogValueEntry("span_id", "00000000000000ab"),
        ]
        let trace = TraceContext(
            traceID: TraceContext.TraceID(high: 1, low: 2), spanID: TraceContext.SpanID(3))
        check(
            LogRecord(
                timestamp: Self.moment, level: .info, message: "m", eventName: "geo.location", attributes: attributes,
                logger: "net", trace: trace))
        #expect(record("[2026-01-05 14:30:00.123] [INFO] m span_id=00000000000000ab").attributes.count == 1)
    }

    @Test(arguments: [
        ("m k=v", "m", 1), ("k=v", "", 1), ("m k\\=v", "m k=v", 0), ("m k\\\\=v a=b", "m k\\=v", 1),
        ("C:\\temp\\=x", "C:\\temp\\=x", 0), ("m k=v ", "m k=v ", 0), ("m a=1  b=2", "m a=1 ", 1),
        ("m k=C:\\x", "m k=C:\\x", 0),
        ("m k=[0,1)", "m k=[0,1)", 0), ("m [k=v]", "m [k=v]", 0), ("m k=\"a b\"", "m", 1),
        ("m k=\"a b", "m k=\"a b", 0),
        ("m k=", "m", 1), ("m =v", "m =v", 0), ("m \\=v", "m \\=v", 0), ("", "", 0),
    ])
    func `what is an attribute and what belongs to the message`(body: String, message: String, attributes: Int) {
        let record = record("[2026-01-05 14:30:00.123] [INFO] " + body)
        #expect(record.message == message && record.attributes.count == attributes)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func `damaged lines are read without harm`(seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
        let whole = Array(
            "[2026-01-05 14:30:00.123] [INFO] a \"b\" k=[\"a b\",{\"c\":\"\\u{1b}\"}] x\\=y \"a b\"=\"c\\\\\" e=\"\""
                .utf8)
        for _ in 0..<2000 { _ = record(String(decoding: numbers.damaged(whole), as: UTF8.self)) }
    }
}
