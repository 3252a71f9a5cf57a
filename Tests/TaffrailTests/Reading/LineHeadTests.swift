import Testing

@testable import Taffrail

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
            ("2026/01/05 14:30:00.123 [error] nginx has slashes", .foreign, nil),
        ] as [(String, LineHead.Shape, Level?)])
    func `a line's form, time and level are told`(line: String, shape: LineHead.Shape, level: Level?) {
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

    @Test func `what has no time has none`() {
        for line in [
            "", "x", "    at main.swift:3", "[INFO] x", "{", "{\"a\":", "[2026-13-05 14:30:00] [INFO] x", "time=soon",
        ] {
            #expect(head(line).time == nil, "\(line)")
        }
    }

    @Test func `a level is a whole word in capitals near the start`() {
        #expect(head("2026-01-05 14:30:00 ERRORS are none").level == nil)
        #expect(head("2026-01-05 14:30:00 no error here").level == nil)
        #expect(head("2026-01-05 14:30:00 main ERROR here").level == .error)
    }

    @Test func `moments are read as people write them`() {
        let now: Int64 = 1_767_623_400_000_000_000  // 14:30:00
        func seconds(_ text: String, zone: ZoneOffset = .utc) -> Int64? {
            MomentArgument.nanoseconds(text, now: now, zone: zone).map { ($0 - now) / 1_000_000_000 }
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
        for text in ["", "soon", "2026-01-05 14", "2026-01-05 14:30 x", "10", "25:00", "tomorrow"] {
            #expect(seconds(text) == nil, "\(text)")
        }
    }
}
