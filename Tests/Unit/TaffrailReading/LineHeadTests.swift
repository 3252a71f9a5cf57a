import Testing

@testable import Taffrail
@testable import TaffrailReading

@Suite struct LineHeadTests {
    func head(_ line: String, zone: ZoneOffset = .utc) -> LineHead {
        var reader = LineHeadReader(zone: zone)
        var line = line
        return line.withUTF8 { reader.read(UnsafeRawBufferPointer($0)) }
    }

    static let moment: Int64 = 1_767_623_400_123_000_000  // 2026-01-05T14:30:00.123Z

    @Test(
        arguments: [
            ("[2026-01-05 14:30:00.123] [WARNING] left pier", LineHead.Shape.text, Level.warning),
            ("{\"time\":\"2026-01-05T14:30:00.123000000Z\",\"level\":\"error\",\"message\":\"x\"}", .json, .error),
            ("{\"msg\":\"x\",\"level\":\"error\",\"ts\":1767623400.123}", .json, .error),
            ("{ \"timestamp\": \"2026-01-05T15:30:00.123+01:00\", \"severity\": \"INFO\" }", .json, .info),
            ("time=2026-01-05T15:30:00.123+01:00 level=debug msg=\"a level=error\"", .logfmt, .debug),
            ("level=notice ts=2026-01-05T14:30:00.123Z msg=x", .logfmt, .notice),
            ("2026-01-05 14:30:00,123 - root - CRITICAL - python says", .foreign, .critical),
            ("[2026-01-05T14:30:00.123Z] WARN: somebody", .foreign, .warning),
            ("2026/01/05 14:30:00.123 [error] nginx has slashes", .foreign, .error),
        ] as [(String, LineHead.Shape, Level?)])
    func `a line's format, time and level are detected`(line: String, shape: LineHead.Shape, level: Level?) {
        let head = head(line)
        #expect(head.shape == shape)
        #expect(head.level == level)
        #expect(head.time.map { abs($0 - Self.moment) < 1000 } == true, "\(head.time ?? 0)")
    }

    @Test func `a time without an offset is that of the zone, one with an offset is not`() {
        let hourAhead = ZoneOffset { _ in 3600 }
        #expect(head("[2026-01-05 15:30:00.123] [INFO] x", zone: hourAhead).time == Self.moment)
        #expect(head("time=2026-01-05T14:30:00.123Z level=info msg=x", zone: hourAhead).time == Self.moment)
    }

    @Test func `times as numbers are exact, in every unit`() {
        let start = Self.moment / 1_000_000_000
        for fraction in stride(from: Int64(0), to: 1000, by: 7) {
            let milliseconds = start * 1000 + fraction
            let decimals = String(String(1000 + fraction).dropFirst())
            let microseconds = (start * 1_000_000 + fraction) * 1000
            for text in ["\(milliseconds)", "\(start).\(decimals)", "\(milliseconds).0"] {
                #expect(head("{\"time\":\(text),\"msg\":\"x\"}").time == milliseconds * 1_000_000, "\(text)")
            }
            for text in ["\(microseconds / 1000)", "\(microseconds)", "\(start).000\(decimals)"] {
                #expect(head("{\"time\":\(text),\"msg\":\"x\"}").time == microseconds, "\(text)")
            }
        }
    }

    @Test func `a line without a time has none`() {
        for line in [
            "", "x", "    at main.swift:3", "[INFO] x", "{", "{\"a\":", "[2026-13-05 14:30:00] [INFO] x", "time=soon",
            "[2026-02-31 14:30:00] [INFO] x", "time=2026-01-05T14:30:00+99:99 level=info msg=x",
            "{\"time\":\"2026-02-29T14:30:00Z\",\"level\":\"info\",\"message\":\"x\"}", "2026-01-05 14:30:00-2400 x",
        ] {
            #expect(head(line).time == nil, "\(line)")
        }
    }

    @Test func `a level is a whole word in capitals near the start`() {
        #expect(head("2026-01-05 14:30:00 ERRORS are none").level == nil)
        #expect(head("2026-01-05 14:30:00 no error here").level == nil)
        #expect(head("2026-01-05 14:30:00 main ERROR here").level == .error)
    }

    @Test func `times beyond the range of nanoseconds are clamped`() {
        let later = ["2262-04-11T23:47:17Z", "9999-12-31 23:59:60.999999999-23:59", "9999-12-31T00:00:00Z"]
        for text in later {
            #expect(head("[\(text)] [INFO] x").time == .max)
            #expect(head("time=\(text) level=info msg=x").time == .max)
            #expect(head("{\"msg\":\"x\",\"ts\":\"\(text)\"}").time == .max)
        }
        #expect(head("[2262-04-11 23:47:16] [INFO] x").time == 9_223_372_036_000_000_000)
        #expect(head("[0000-01-01 00:00:00] [INFO] x").time == .min)
        #expect(head("{\"ts\":99999999999}").time == .max)
        #expect(head("{\"ts\":99999999999999.5}").time == .max)
        let now = Int64.min + 7
        #expect(TimeArgument.nanoseconds("9999-12-31", now: now, zone: .utc) == .max)
        #expect(TimeArgument.nanoseconds("1h", now: now, zone: .utc) == .min)
    }

    @Test(arguments: 1...8) func `no time is too strange to be read`(seed: UInt64) {
        var state = seed
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(truncatingIfNeeded: state >> 33) % count
        }
        func digits(_ count: Int) -> String {
            let digits = (0..<count).map { _ in UInt8(ascii: "0") + UInt8(next(3) == 0 ? 9 * next(2) : next(10)) }
            return String(decoding: digits, as: UTF8.self)
        }
        let edges = ["0000-01-01", "1677-09-21", "1970-01-01", "2262-04-11", "9999-12-31", "2262-04-12"]
        let zones = [ZoneOffset.utc, .local, ZoneOffset { _ in 9_223_372_036 }, ZoneOffset { _ in -9_223_372_036 }]
        for _ in 0..<2000 {
            let date = next(2) == 0 ? edges[next(edges.count)] : "\(digits(4))-\(digits(2))-\(digits(2))"
            let offset = ["", "Z", "+\(digits(2)):\(digits(2))", "-\(digits(4))"][next(4)]
            let time =
                "\(date)\(["T", " "][next(2)])\(digits(2)):\(digits(2)):\(digits(2)).\(digits(next(12)))\(offset)"
            let number = "\(digits(1 + next(20)))\(["", ".5", "e9", "e300"][next(4)])"
            for line in [
                "[\(time)] [INFO] x", "time=\(time) level=info msg=x", "{\"time\":\"\(time)\",\"level\":\"info\"}",
                "{\"ts\":\(number)}", "{\"ts\":-\(number)}", "\(time) ERROR x", "level=info ts=\(time)",
            ] { _ = head(line, zone: zones[next(zones.count)]) }
            for now in [Int64.min, 0, .max] {
                _ = TimeArgument.nanoseconds(time, now: now, zone: zones[next(zones.count)])
                _ = TimeArgument.nanoseconds(digits(2) + ":" + digits(2), now: now, zone: .utc)
                _ = TimeArgument.nanoseconds("\(digits(9))h", now: now, zone: .utc)
                _ = TimeArgument.nanoseconds("yesterday", now: now, zone: zones[next(zones.count)])
            }
        }
    }

    @Test func `times are parsed as people write them`() {
        let now: Int64 = 1_767_623_400_000_000_000  // 14:30:00
        func seconds(_ text: String, zone: ZoneOffset = .utc) -> Int64? {
            TimeArgument.nanoseconds(text, now: now, zone: zone).map { ($0 - now) / 1_000_000_000 }
        }
        #expect(seconds("2026-01-05 14:30") == 0)
        #expect(seconds("2026-01-05 14:30:07") == 7)
        #expect(seconds("2026-01-05T14:30:07.5Z") == 7)
        #expect(seconds("2026-01-05T15:30:00+01:00") == 0)
        #expect(seconds("2026-01-05T15:30+01:00") == 0)
        #expect(seconds("2026-01-05") == -14 * 3600 - 1800)
        #expect(seconds("14:29") == -60)
        #expect(seconds("10m") == -600)
        #expect(seconds("1h30m") == -5400)
        #expect(seconds("now") == 0)
        #expect(seconds("today") == -14 * 3600 - 1800)
        #expect(seconds("yesterday") == -38 * 3600 - 1800)
        #expect(seconds("2026-01-05 15:30", zone: ZoneOffset { _ in 3600 }) == 0)
        for text in ["", "soon", "2026-01-05 14", "2026-01-05 14:30 x", "10", "25:00", "tomorrow", "2026-02-31"] {
            #expect(seconds(text) == nil, "\(text)")
        }
    }
}
