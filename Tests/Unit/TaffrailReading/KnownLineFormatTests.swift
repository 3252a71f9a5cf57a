import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Lines of other programs.
@Suite struct KnownLineFormatTests {
    private func head(_ line: String, zone: ZoneOffset = .utc) -> LineHead {
        var reader = LineHeadReader(zone: zone)
        var line = line
        return line.withUTF8 { reader.read(UnsafeRawBufferPointer($0)) }
    }

    private func second(_ head: LineHead) -> Int64? { head.time.map { $0 / 1_000_000_000 } }

    /// 2026-01-05T14:30:00Z.
    private static let moment: Int64 = 1_767_623_400

    @Test func `each format of the table reads its own example`() {
        for format in KnownLineFormat.all {
            var example = format.example
            let found = example.withUTF8 { format.read(UnsafeRawBufferPointer($0), .utc) }
            #expect(found != nil, "\(format.name)")
            let time = second(head(format.example))
            // Without a year it is the last such day; the access log is an hour ahead of UTC.
            let day = time.map { CivilTime(secondsSince1970: $0) }
            #expect(day?.month == 1 && day?.day == 5, "\(format.name): \(time ?? 0)")
        }
    }

    @Test(
        arguments: [
            (#"192.0.2.1 - - [05/Jan/2026:15:30:00 +0100] "GET / HTTP/1.1" 200 512"#, Level?.none),
            ("[Mon Jan 05 14:30:00.123456 2026] [core:error] [pid 7] AH00126: x", .error),
            ("2026/01/05 14:30:00 [warn] 7#7: x", .warning), ("<11>1 2026-01-05T14:30:00Z pier3 ferry 7 - - x", .error),
            ("7:M 05 Jan 2026 14:30:00.123 # x", .warning), ("05-Jan-2026 14:30:00.123 SEVERE [main] x", .error),
            ("05-Jan-2026 14:30:00.123 WARNING [main] x", .warning), ("1767623400.123 TCP_MISS/200 512 GET /", nil),
        ] as [(String, Level?)])
    func `times and levels of others are read`(line: String, level: Level?) {
        let head = head(line)
        #expect(second(head) == Self.moment && head.level == level && head.shape == .foreign)
    }

    @Test func `a level letter, a priority and a missing year are understood`() {
        #expect(head("E0105 14:30:00.123456       7 main.go:12] x").level == .error)
        #expect(head("I0105 14:30:00.123456       7 main.go:12] x").level == .info)
        #expect(head("<12>Jan  5 14:30:00 pier3 ferry[7]: x").level == .warning)
        #expect(head("Jan  5 14:30:00 pier3 ferry[7]: x").time != nil)
        let leapDay = second(head("Feb 29 14:30:00 pier3 ferry[7]: x")).map { CivilTime(secondsSince1970: $0) }
        #expect(leapDay?.month == 2 && leapDay?.day == 29)
        #expect(head("<999>x").level == nil && head("<>x").level == nil && head("<3").level == nil)
        #expect(head("<3>x").level == .error)
    }

    @Test(arguments: [
        "I0105", "192.0.2.1 [05/Foo/2026:15:30:00 +0100]", "[Mon Jan 05 14:30", "7:M 05 Jan", "05-Jan-2026",
        "1767623400", "1767623400.", "1 [", "[", "<13>Jan", "E9905 14:30:00.1 x",
        #"192.0.2.1 - - [05/Jan/2026:15:30:00 +2460] "GET / HTTP/1.1" 200 512"#, "Feb 30 14:30:00 pier3 ferry[7]: x",
        "<11>1 2026-02-29T14:30:00Z pier3 ferry 7 - - x", "31-Apr-2026 14:30:00.123 SEVERE [main] x",
    ]) func `a string that only looks like a time has none`(line: String) {
        #expect(head(line).time == nil)
    }

    @Test(arguments: [
        #"{"time":"2026-01-05T14:30:00Z","level":"WARN","msg":"ice","pier":3}"#,
        #"{"level":40,"time":1767623400000,"msg":"ice","pier":3}"#,
        #"{"@t":"2026-01-05T14:30:00Z","@l":"Warning","@m":"ice","pier":3}"#,
        #"{"asctime":"2026-01-05 14:30:00,000","levelname":"WARNING","message":"ice","pier":3}"#,
        #"{"@timestamp":"2026-01-05T14:30:00Z","log.level":"warn","message":"ice","pier":3}"#,
        #"{"severity":"WARNING","timestamp":"2026-01-05T14:30:00Z","message":"ice","pier":3}"#,
    ]) func `JSON of others is mapped to our keys`(line: String) throws {
        let output = LineOutput(.json, isForTerminal: false)
        var text = LineBuffer()
        var line = line
        line.withUTF8 { bytes in
            var reader = LineHeadReader(zone: .utc)
            let bytes = UnsafeRawBufferPointer(bytes)
            output.append(bytes, reader.read(bytes), time: 0, marks: [], to: &text)
        }
        let shown = String(decoding: text.bytes, as: UTF8.self)
        let start =
            #"{"time":"2026-01-05T14:30:00.000000000Z","level":"warning","message":"ice","attributes":{"pier":3}"#
        #expect(shown.hasPrefix(start), "\(shown)")
    }

    @Test func `our own JSON is shown as it is`() {
        let line =
            #"{"time":"2026-01-05T14:30:00.123Z","level":"info","message":"x","seq":7,"run":"00000000000000aa"}"#
        #expect(!head(line).hasOtherKeys)
        #expect(
            head(line.replacing("message", with: "msg").replacing(#","run":"00000000000000aa""#, with: "")).hasOtherKeys
        )
    }

    @Test(arguments: [
        ("-10m", -600), ("10m ago", -600), ("10 minutes ago", -600), ("1 hour ago", -3600),
        ("1 day 2 hours ago", -93_600),
        ("@1767623400", 0), ("1767623399", -1), ("1767623399.5", -1),
    ]) func `times are accepted as in other programs`(text: String, seconds: Int64) throws {
        let now = Self.moment * 1_000_000_000
        let moment = try #require(TimeArgument.nanoseconds(text, now: now, zone: .utc))
        #expect(CivilTime.floorDivide(moment - now, by: 1_000_000_000) == seconds)
    }

    @Test(arguments: ["ago", "10 ago", "ten minutes ago", "12345678", "99999999999", "@", "@-1", "1767623400.", "-"])
    func `a string that is not a time is rejected`(text: String) {
        #expect(TimeArgument.nanoseconds(text, now: Self.moment * 1_000_000_000, zone: .utc) == nil)
    }

    @Test func `the state of the logs in the root directory lies in it`() {
        #expect(QueueStatus.stateDirectory(of: "/") == "/.taffrail")
        #expect(QueueStatus.stateDirectory(of: "/var/log/") == "/var/log/.taffrail")
        #expect(QueueStatus.stateDirectory(of: "/var/log/.taffrail") == "/var/log/.taffrail")
    }

    @Test func `a line of a program's output becomes a record`() {
        func record(_ line: String) -> LogRecord {
            var line = line
            return line.withUTF8 { InputLine().record(UnsafeRawBufferPointer($0), level: .notice) }
        }
        let json = record(#"{"level":"error","msg":"x","time":"2026-01-05T14:30:00Z","user":"a"}"#)
        #expect(
            json.level == .error && json.message == "x" && json.timestamp.nanoseconds == Self.moment * 1_000_000_000)
        #expect(json.attributes == [LogValueEntry("user", "a")])
        #expect(record("<4>ice").level == .warning && record("<4>ice").message == "ice")
        #expect(record("plain {").level == .notice && record("plain {").message == "plain {")
        #expect(record(#"{"broken"#).message == #"{"broken"#)
    }
}
