import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct LineEncodersTests {
    static let moment = Timestamp(nanoseconds: 1_767_623_400_123_456_789)

    static let full = LogRecord(
        timestamp: moment, sequence: 42, run: RingID(0xAB), level: .warning, message: "left \"pier\"\n\u{1b}[31m",
        eventName: "geo.location",
        attributes: [
            LogValueEntry("user", 7), LogValueEntry("name", "Anna K=\\"), LogValueEntry("ok", true),
            LogValueEntry("speed", 7.5), LogValueEntry("bad", .double(.infinity)),
            LogValueEntry("raw", .bytes([1, 2])),
            LogValueEntry("at", .date(moment)), LogValueEntry("list", [1, "a b"]),
            LogValueEntry("map", ["k\u{85}": []]),
        ],
        logger: "net.http", source: LogRecord.SourceLocation(file: "App/Main.swift", function: "run()", line: 12),
        trace: TraceContext(traceID: TraceContext.TraceID(high: 1, low: 2), spanID: TraceContext.SpanID(3)))

    func line(_ record: LogRecord, _ options: FileOptions, zone: ZoneOffset = .utc) throws -> String {
        var buffer = RecordBuffer(run: record.run)
        buffer.append(record)
        var text = LineBuffer(capacity: 64)
        func encode(_ encoder: some LineEncoding) {
            var encoder = encoder
            buffer.withBatch { batch in batch.forEach { encoder.encode($0, into: &text) } }
        }
        switch try LineEncoder(options, zone: zone) {
        case .text(let encoder): encode(encoder)
        case .json(let encoder): encode(encoder)
        case .logfmt(let encoder): encode(encoder)
        case .pattern(let encoder): encode(encoder)
        case .format(let encoder): encode(encoder)
        }
        let line = String(decoding: text.bytes, as: UTF8.self)
        #expect(line.hasSuffix("\n") && !line.dropLast().contains("\n"))
        return String(line.dropLast())
    }

    func line(_ record: LogRecord, _ format: FileOptions.Format, zone: ZoneOffset = .utc) throws -> String {
        try line(record, FileOptions(path: "/x", format: format), zone: zone)
    }

    @Test func `a JSON line has all that a record has`() throws {
        #expect(
            try line(Self.full, .json) == """
                {"time":"2026-01-05T14:30:00.123456789Z","level":"warning","message":"left \\"pier\\"\\n\\u001b[31m",\
                "logger":"net.http","event":"geo.location","attributes":{"user":7,"name":"Anna K=\\\\","ok":true,\
                "speed":7.5,"bad":"inf","raw":"AQI=","at":"2026-01-05T14:30:00.123456789Z","list":[1,"a b"],\
                "map":{"k\\u0085":[]}},"trace_id":"00000000000000010000000000000002","span_id":"0000000000000003",\
                "file":"App/Main.swift","line":12,"function":"run()","seq":42,"run":"00000000000000ab"}
                """)
    }

    @Test func `a bare record is a short JSON line`() throws {
        let record = LogRecord(timestamp: Self.moment, level: .info, message: "")
        #expect(
            try line(record, .json) == #"{"time":"2026-01-05T14:30:00.123456789Z","level":"info","message":""}"#)
    }

    @Test func `JSON lines that follow each other have the numbers and runs of their records`() {
        let counted = (1...1_201).map { (UInt64($0), RingID(0xAB)) }
        let jumps: [(UInt64, RingID)] = [
            (8, RingID(0xAB)), (9, RingID(0xAB)), (10, RingID(0xAC)), (0, RingID(0xAC)), (0, RingID(0xAC)),
            (1, .none), (2, .none), (0, .none), (0, RingID(0xAC)), (999_999_999, RingID(1)),
            (1_000_000_000, RingID(1)), (1_000_000_000, RingID(1)), (UInt64.max - 1, RingID(1)),
            (UInt64.max, RingID(1)), (0, RingID(1)), (1, RingID(1)),
        ]
        var ending = JSONLineEnding()
        for (sequence, run) in counted + jumps {
            var line = LineBuffer(capacity: 64)
            ending.append(sequence, run, to: &line)
            let expected =
                (sequence == 0 ? "" : ",\"seq\":\(sequence)") + (run == .none ? "" : ",\"run\":\"\(run)\"") + "}\n"
            #expect(String(decoding: line.bytes, as: UTF8.self) == expected)
        }
    }

    @Test func `any string is read back unchanged from a JSON line`() throws {
        var random = SeededGenerator(seed: 4711)
        let alphabet: [Unicode.Scalar] =
            Array(
                "abcdefgh \"\\\n\r\t\u{8}\u{c}\u{0}\u{1b}\u{7f}\u{85}\u{9b}é€😀\u{2028}\u{202e}\u{2066}\u{fffd}"
                    .unicodeScalars)
        for _ in 0..<2000 {
            var message = String.UnicodeScalarView()
            for _ in 0..<(random.next() % 60) {
                // Long plain stretches and crowded ones.
                let range = random.next() % 2 == 0 ? 9 : UInt64(alphabet.count)
                message.append(alphabet[Int(random.next() % range)])
            }
            let text = String(message)
            let record = LogRecord(
                timestamp: Self.moment, level: .info, message: text, attributes: [LogValueEntry(text, .string(text))])
            let line = try line(record, .json)
            #expect(!line.unicodeScalars.contains { EscapedText.mustBeEscaped($0.value) })
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect((object["message"] as? String)?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
            let attributes = try #require(object["attributes"] as? [String: String])
            #expect(attributes.values.first?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
        }
    }

    @Test func `a logfmt line quotes values that are not one word`() throws {
        #expect(
            try line(Self.full, .logfmt) == """
                time=2026-01-05T14:30:00.123Z level=warning msg="left \\"pier\\"\\n\\u001b[31m" user=7 \
                name="Anna K=\\\\" ok=true speed=7.5 bad=inf raw=AQI= at=2026-01-05T14:30:00.123456789Z \
                list="[1,\\"a b\\"]" map="{\\"k\\\\u0085\\":[]}" event=geo.location \
                trace_id=00000000000000010000000000000002 span_id=0000000000000003 logger=net.http
                """)
        let record = LogRecord(
            timestamp: Self.moment, level: .error, message: "plain", attributes: [LogValueEntry("a b=\n\u{202e}", 1)])
        #expect(try line(record, .logfmt) == "time=2026-01-05T14:30:00.123Z level=error msg=plain a_b___=1")
    }

    @Test func `local time in logfmt contains its offset`() throws {
        let record = LogRecord(timestamp: Self.moment, level: .info, message: "m")
        #expect(
            try line(record, .logfmt, zone: ZoneOffset { _ in 3600 })
                == "time=2026-01-05T15:30:00.123+01:00 level=info msg=m")
        #expect(
            try line(record, .logfmt, zone: ZoneOffset { _ in -12_600 })
                == "time=2026-01-05T11:00:00.123-03:30 level=info msg=m")
    }

    @Test func `a pattern lays the line out`() throws {
        func pattern(_ text: String) throws -> String {
            try line(Self.full, FileOptions(path: "/x", format: .pattern, pattern: text))
        }
        #expect(try pattern("%{time} %{level} %{logger}") == "2026-01-05 14:30:00.123 WARNING net.http")
        #expect(try pattern("%{time:rfc3339}|%{time:unix}") == "2026-01-05T14:30:00.123Z|1767623400.123")
        #expect(try pattern("100%% [%{level:padded}] %{level:lower}") == "100% [WARNING ] warning")
        #expect(try pattern("%{message}") == "left \"pier\"\\n\\u{1b}[31m")
        #expect(
            try pattern("%{file}:%{line} %{function} %{seq} %{run}") == "App/Main.swift:12 run() 42 00000000000000ab")
        #expect(try pattern("<%{attribute:name}><%{attribute:none}>%{event}") == "<\"Anna K=\\\\\"><>geo.location")
        #expect(try pattern("x%{attributes}").hasPrefix("x user=7 name=\"Anna K=\\\\\" ok=true"))
        #expect(try pattern("%{trace_id}-%{span_id}") == "00000000000000010000000000000002-0000000000000003")
    }

    @Test func `a pattern has the offset of its clock from UTC`() throws {
        func pattern(_ text: String, ahead seconds: Int64) throws -> String {
            try line(
                Self.full, FileOptions(path: "/x", format: .pattern, pattern: text), zone: ZoneOffset { _ in seconds })
        }
        #expect(try pattern("%{time}%{offset}", ahead: 0) == "2026-01-05 14:30:00.123+00:00")
        #expect(try pattern("%{time}%{offset}", ahead: 3600) == "2026-01-05 15:30:00.123+01:00")
        #expect(try pattern("%{offset} %{time:rfc3339}", ahead: -12_600) == "-03:30 2026-01-05T11:00:00.123-03:30")
    }

    @Test func `fields that a record without a queue lacks are omitted from a pattern`() throws {
        let options = FileOptions(path: "/x", format: .pattern, pattern: "<%{pid}%{thread}%{program}%{host}>")
        #expect(try line(Self.full, options) == "<>")
    }

    @Test func `a pattern that makes no sense is refused`() {
        func refused(_ text: String) -> String {
            do throws(OptionError) { _ = try PatternEncoder(text) } catch { return error.description }
            return ""
        }
        #expect(
            refused("%{tiem}").hasPrefix("pattern: unknown field \"tiem\"; known fields: attribute:NAME, attributes"))
        #expect(refused("%{tiem}").hasSuffix(", span_id, thread, time, time:rfc3339, time:unix, trace_id"))
        #expect(refused("%{time").contains("without a closing }"))
        #expect(refused("%{message}%").contains("must be followed by") && refused("%{attribute:}").contains("unknown"))
        #expect(refused("%d %{time}").contains("must be followed by"))
        #expect(refused("%{message} 100%").contains("must be followed by"))
        #expect(refused("%{message}\n").contains("line breaks"))
        #expect(refused("just text").contains("needs a field"))
        #expect(refused("").contains("needs a field"))
        let options = [
            FileOptions(path: "/x", format: .pattern), FileOptions(path: "/x", pattern: "%{message}"),
        ]
        for options in options {
            let error = #expect(throws: OptionError.self) { try options.validate() }
            #expect(error?.option == "pattern")
        }
    }

    @Test func `time has the requested precision`() throws {
        let record = LogRecord(timestamp: Self.moment, level: .info, message: "m")
        func fine(_ format: FileOptions.Format, _ precision: FileOptions.Precision) throws -> String {
            try line(record, FileOptions(path: "/x", format: format, precision: precision))
        }
        #expect(try fine(.text, .milliseconds) == "[2026-01-05 14:30:00.123] [INFO] m")
        #expect(try fine(.text, .microseconds) == "[2026-01-05 14:30:00.123456] [INFO] m")
        #expect(try fine(.text, .nanoseconds) == "[2026-01-05 14:30:00.123456789] [INFO] m")
        #expect(try fine(.json, .milliseconds).contains("14:30:00.123Z"))
        #expect(try fine(.logfmt, .microseconds).contains("14:30:00.123456Z"))
    }

    @Test func `a file is written in each format`() throws {
        let directory = TemporaryDirectory()
        for format in FileOptions.Format.allCases {
            let sink = try FileSink(
                FileOptions(
                    path: directory.file("\(format).log"), format: format,
                    pattern: format == .pattern ? "%{message}" : nil))
            try sink.write((0..<1000).map { "message \($0)" })
            #expect(directory.lines("\(format).log").count == 1000)
            #expect(directory.lines("\(format).log").last?.contains("message 999") == true)
        }
    }
}
