import Glibc
import Testing

@testable import Taffrail

@Suite struct TextEncoderTests {
    /// 2026-01-05 14:30:00.123 UTC.
    static let moment = Timestamp(nanoseconds: 1_767_623_400_123_456_789)

    func line(_ record: LogRecord, zone: ZoneOffset = .utc) -> String {
        var buffer = RecordBuffer()
        buffer.append(record)
        var encoder = TextEncoder(zone: zone)
        var text = LineBuffer(capacity: 64)
        buffer.withBatch { batch in batch.forEach { encoder.encode($0, into: &text) } }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    func message(_ message: String) -> String {
        let line = line(LogRecord(timestamp: Self.moment, level: .info, message: message))
        #expect(line.hasPrefix("[2026-01-05 14:30:00.123] [INFO] "))
        #expect(line.hasSuffix("\n"))
        return String(line.dropFirst(33).dropLast())
    }

    func attribute(_ value: LogValue, key: String = "key") -> String {
        let record = LogRecord(
            timestamp: Self.moment, level: .info, message: "m", attributes: [LogValueEntry(key, value)])
        return String(line(record).dropFirst(35).dropLast())
    }

    @Test func `a line is the time, the level and the message`() {
        for level in Level.allCases {
            let record = LogRecord(timestamp: Self.moment, level: level, message: "left pier 3")
            #expect(line(record) == "[2026-01-05 14:30:00.123] [\(level.name.uppercased())] left pier 3\n")
        }
    }

    @Test func `attributes, event, trace and logger follow the message`() {
        let record = LogRecord(
            timestamp: Self.moment, level: .notice, message: "fix",
            eventName: "geo.location", attributes: [LogValueEntry("user", 7), LogValueEntry("ok", true)],
            logger: "net.http",
            trace: TraceContext(
                traceID: TraceContext.TraceID(high: 0x4bf9, low: 0xf), spanID: TraceContext.SpanID(0xab)))
        #expect(
            line(record) == """
                [2026-01-05 14:30:00.123] [NOTICE] fix user=7 ok=true event=geo.location \
                trace_id=0000000000004bf9000000000000000f span_id=00000000000000ab logger=net.http

                """)
    }

    @Test(arguments: [
        (Int64.min, "1677-09-21 00:12:43.145"), (.max, "2262-04-11 23:47:16.854"), (0, "1970-01-01 00:00:00.000"),
    ])
    func `the first record may have any time`(time: Int64, text: String) {
        let record = LogRecord(timestamp: Timestamp(nanoseconds: time), level: .info, message: "m")
        #expect(line(record) == "[\(text)] [INFO] m\n")
    }

    @Test func `an empty message leaves no second blank`() {
        #expect(message("") == "")
        let record = LogRecord(
            timestamp: Self.moment, level: .info, message: "", attributes: [LogValueEntry("a", 1)])
        #expect(line(record) == "[2026-01-05 14:30:00.123] [INFO] a=1\n")
    }

    @Test func `text of every length is kept unchanged`() {
        for length in 0..<40 {
            let text = String("abcdefghijklmnopqrstuvwxyz0123456789ABCD".prefix(length))
            #expect(message(text) == text)
        }
    }

    @Test func `characters that would break the line are escaped everywhere`() {
        let escapes: [(String, String)] = [
            ("\n", "\\n"), ("\r", "\\r"), ("\u{1b}", "\\u{1b}"), ("\0", "\\u{0}"), ("\u{7f}", "\\u{7f}"),
            ("\u{85}", "\\u{85}"), ("\u{9b}", "\\u{9b}"), ("\u{2028}", "\\u{2028}"), ("\u{2029}", "\\u{2029}"),
            ("\u{202a}", "\\u{202a}"), ("\u{202e}", "\\u{202e}"), ("\u{2066}", "\\u{2066}"),
            ("\u{2069}", "\\u{2069}"), ("\u{200e}", "\\u{200e}"), ("\u{200f}", "\\u{200f}"), ("\u{61c}", "\\u{61c}"),
        ]
        for (raw, escaped) in escapes {
            for before in 0..<18 {
                for after in [0, 1, 5, 9] {
                    let (head, tail) = (String(repeating: "x", count: before), String(repeating: "y", count: after))
                    #expect(message(head + raw + tail) == head + escaped + tail)
                }
            }
        }
    }

    @Test func `each ASCII character is escaped or kept wherever it is in a long text`() {
        func escaped<Rule: EscapeRule>(_ text: String, by rule: Rule.Type) -> String {
            var buffer = LineBuffer(capacity: 64)
            Array(text.utf8).withUnsafeBytes { buffer.append($0, by: rule) }
            return String(decoding: buffer.bytes, as: UTF8.self)
        }
        for code in UInt8(0)..<0x80 {
            let character = String(Unicode.Scalar(code))
            let inMessage =
                switch code {
                case 0x0A: "\\n"
                case 0x0D: "\\r"
                case 0x09, 0x20..<0x7F: character
                default: "\\u{\(String(code, radix: 16))}"
                }
            let inQuotes = code == 0x09 ? "\\t" : code == 0x22 || code == 0x5C ? "\\" + character : inMessage
            for offset in 0..<70 {
                let (head, tail) = (String(repeating: "x", count: offset), String(repeating: "~", count: 69 - offset))
                #expect(escaped(head + character + tail, by: LineEscape.self) == head + inMessage + tail)
                #expect(escaped(head + character + tail, by: QuoteEscape.self) == head + inQuotes + tail)
            }
        }
    }

    @Test func `tabs, backslashes, accents and emoji stay as they are`() {
        for text in [
            "a\tb", "C:\\temp\\new", "Zürich – Genève", "🚢 at 港", "\u{a0}x", "⁧\u{200b}".replacing("⁧", with: ""),
        ] {
            #expect(message(text) == text)
            #expect(message("0123456789" + text + "0123456789") == "0123456789" + text + "0123456789")
        }
    }

    @Test func `bytes that are not UTF-8 become the replacement character`() {
        func escaped(_ bytes: [UInt8]) -> String {
            var buffer = LineBuffer(capacity: 64)
            bytes.withUnsafeBytes { buffer.append($0, by: LineEscape.self) }
            return String(decoding: buffer.bytes, as: UTF8.self)
        }
        let start = Array("0123456789".utf8)
        #expect(escaped(start + [0x9b, 0x41]) == "0123456789\u{FFFD}A")
        #expect(escaped(start + [0xc0, 0x8a]) == "0123456789\u{FFFD}\u{FFFD}")
        #expect(escaped(start + [0xed, 0xa0, 0x80]) == "0123456789\u{FFFD}\u{FFFD}\u{FFFD}")
        #expect(escaped(start + [0xe2, 0x80]) == "0123456789\u{FFFD}\u{FFFD}")
        #expect(escaped(start + [0xf5, 0x80, 0x80, 0x80]) == "0123456789" + String(repeating: "\u{FFFD}", count: 4))
    }

    @Test func `a value is quoted when it would not read as one word`() {
        #expect(attribute("pier") == "key=pier")
        #expect(attribute("") == "key=\"\"")
        #expect(attribute("two words") == "key=\"two words\"")
        #expect(attribute("a=b") == "key=\"a=b\"")
        #expect(attribute("say \"hi\"\\") == "key=\"say \\\"hi\\\"\\\\\"")
        #expect(attribute("a\nb") == "key=\"a\\nb\"")
        #expect(attribute("a\tb") == "key=\"a\\tb\"")
        #expect(attribute("x\u{202e}y") == "key=\"x\\u{202e}y\"")
        #expect(attribute("[1]") == "key=\"[1]\"")
        #expect(attribute("Zürich") == "key=Zürich")
        #expect(attribute(1, key: "a b\n=") == "\"a b\\n=\"=1")
    }

    @Test func `every kind of value has its text`() {
        #expect(attribute(-42) == "key=-42")
        #expect(attribute(.int(.min)) == "key=-9223372036854775808")
        #expect(attribute(59.25) == "key=59.25")
        #expect(attribute(.double(.nan)) == "key=nan")
        #expect(attribute(false) == "key=false")
        #expect(attribute(.bytes([0xfb, 0xff, 0x00, 0x10])) == "key=+/8AEA==")
        #expect(attribute(.bytes(Array("Man".utf8))) == "key=TWFu")
        #expect(attribute(.date(Self.moment)) == "key=2026-01-05T14:30:00.123456789Z")
        #expect(attribute([1, "a b", true, ["x": nested]]) == "key=[1,\"a b\",true,{\"x\":[0.5]}]")
        #expect(attribute([:]) == "key={}")
        #expect(
            attribute(.map([LogValueEntry("when", .date(Self.moment)), LogValueEntry("b", .bytes([0]))]))
                == "key={\"when\":\"2026-01-05T14:30:00.123456789Z\",\"b\":\"AA==\"}")
    }
    private var nested: LogValue { [0.5] }

    @Test(arguments: [
        ("rc=200", "rc\\=200"), ("served by pool=main rc=200", "served by pool=main rc\\=200"),
        (
            "request id=1000000 served for user=member-6839 by pool=main rc=200",
            "request id=1000000 served for user=member-6839 by pool=main rc\\=200"
        ),
        ("GET /pier?a=b", "GET /pier?a\\=b"), ("k=", "k\\="), ("set a==b", "set a\\==b"), ("k=\"a b\"", "k\\=\"a b\""),
        ("\"a b\"=c", "\"a b\"\\=c"), ("k={\"a b\":\"c d\"}", "k\\={\"a b\":\"c d\"}"), ("x\\=y", "x\\\\=y"),
        ("sum=0123456789abcdef0123456789abcdef", "sum\\=0123456789abcdef0123456789abcdef"), ("größe=5", "größe\\=5"),
        ("two\nlines key=1", "two\\nlines key\\=1"),
    ])
    func `the last word of a message is escaped if it reads as an attribute`(text: String, escaped: String) {
        #expect(message(text) == escaped)
        let record = LogRecord(
            timestamp: Self.moment, level: .info, message: text, attributes: [LogValueEntry("n", 1)], logger: "net")
        #expect(line(record) == "[2026-01-05 14:30:00.123] [INFO] \(escaped) n=1 logger=net\n")
    }

    @Test(arguments: [
        "left pier 3", "", " ", "rc=200 in the middle", "rc=200, and more", "a=b c=d e", "rc=200 ", "x = y", "=v",
        "y =",
        "say \"hi\"", "say k=\"hi", "k=v\"", "size [3]", "set {a=1}", "[core=3]", "range=[0,1)", "C:\\temp\\new",
        "path=C:\\new", "x\\y=z", "\\=z", "https://example.org/a/very/long/path/without/any/space", "🚢 at 港",
        "request id=1000000 served for user=member-6839 by pool=main rc 200", "k=v\tw=x y", "\"", "k=\"a b\"c", "]",
        "}",
        "2026-01-05T14:30:00Z [INFO] nested", "100% = all", "a\\\"b\"",
    ])
    func `every other message is written byte for byte`(text: String) {
        #expect(message(text) == text)
        let record = LogRecord(
            timestamp: Self.moment, level: .info, message: text, attributes: [LogValueEntry("n", 1)], logger: "net")
        let space = text.isEmpty ? "" : " "
        #expect(line(record) == "[2026-01-05 14:30:00.123] [INFO] \(text)\(space)n=1 logger=net\n")
    }

    @Test func `a fine precision changes nothing in the escaping of messages`() {
        var encoder = TextEncoder(zone: .utc, precision: .microseconds)
        var buffer = RecordBuffer()
        for text in ["", "k=v", "0123456789 key=value", "plain"] {
            buffer.append(LogRecord(timestamp: Self.moment, level: .info, message: text))
        }
        var text = LineBuffer(capacity: 64)
        buffer.withBatch { batch in batch.forEach { encoder.encode($0, into: &text) } }
        #expect(
            String(decoding: text.bytes, as: UTF8.self) == """
                [2026-01-05 14:30:00.123456] [INFO]\u{20}
                [2026-01-05 14:30:00.123456] [INFO] k\\=v
                [2026-01-05 14:30:00.123456] [INFO] 0123456789 key\\=value
                [2026-01-05 14:30:00.123456] [INFO] plain

                """)
    }

    @Test func `a message cannot forge a second line`() {
        let forged = message("ok\n[2026-01-05 14:30:00.124] [CRITICAL] reactor open")
        #expect(!forged.contains("\n"))
    }

    @Test func `civil time agrees with the C library from 1677 to 2262`() {
        var seconds: Int64 = -9_223_372_036
        while seconds < 9_223_372_036 {
            var time = time_t(seconds)
            var parts = tm()
            gmtime_r(&time, &parts)
            let civil = CivilTime(secondsSince1970: seconds)
            #expect(
                civil
                    == CivilTime(
                        year: Int64(parts.tm_year) + 1900, month: Int64(parts.tm_mon) + 1, day: Int64(parts.tm_mday),
                        secondOfDay: Int64(parts.tm_hour) * 3600 + Int64(parts.tm_min) * 60 + Int64(parts.tm_sec)))
            #expect(civil.secondsSince1970 == seconds)
            seconds += 9_123_457
        }
    }

    @Test func `local time follows the zone over a change of its offset`() {
        // Central European Summer Time began at 2026-03-29T01:00:00Z.
        let change: Int64 = 1_774_746_000
        let zone = ZoneOffset { $0 < change ? 3600 : 7200 }
        var encoder = TextEncoder(zone: zone)
        var text = LineBuffer()
        var buffer = RecordBuffer()
        for (seconds, message) in [(change - 1, "a"), (change, "b"), (change + 60, "c"), (change - 1, "d")] {
            buffer.append(
                LogRecord(timestamp: Timestamp(nanoseconds: seconds * 1_000_000_000), level: .info, message: message))
        }
        buffer.withBatch { batch in batch.forEach { encoder.encode($0, into: &text) } }
        #expect(
            String(decoding: text.bytes, as: UTF8.self) == """
                [2026-03-29 01:59:59.000] [INFO] a
                [2026-03-29 03:00:00.000] [INFO] b
                [2026-03-29 03:01:00.000] [INFO] c
                [2026-03-29 01:59:59.000] [INFO] d

                """)
    }

    @Test func `times before 1970 and between seconds are right`() {
        let record = LogRecord(timestamp: Timestamp(nanoseconds: -1), level: .info, message: "m")
        #expect(line(record) == "[1969-12-31 23:59:59.999] [INFO] m\n")
    }
}
