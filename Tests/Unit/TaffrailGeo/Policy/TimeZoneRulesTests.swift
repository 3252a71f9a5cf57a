import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText

@Suite(
    .mayBlock,
    .enabled(
        if: FileManager.default.fileExists(atPath: TimeZoneRules.directory + "/Europe/Berlin"),
        "tzdata is not installed"))
struct TimeZoneRulesTests {
    private static let program = """
        import sys, zoneinfo, datetime
        for line in sys.stdin:
            name, time = line.split()
            zone = zoneinfo.ZoneInfo(name)
            utc = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=int(time))
            print(int(utc.astimezone(zone).utcoffset().total_seconds()))
        """

    @Test(.enabled(if: Program.path("python3") != nil, "python3 is not installed"))
    func `the offsets are those of Python's zoneinfo`() throws {
        let names = [
            "Europe/Berlin", "Europe/Dublin", "America/New_York", "America/Nuuk", "America/Santiago", "Asia/Kathmandu",
            "Asia/Gaza", "Africa/Casablanca", "Australia/Lord_Howe", "Pacific/Chatham", "Pacific/Kiritimati", "UTC",
            "Etc/GMT+12", "Africa/Cairo", "Asia/Tehran",
        ]
        var random = SeededGenerator(seed: 1)
        var input = ""
        var ours: [Int64] = []
        for name in names {
            let zone = try #require(TimeZoneRules(name))
            // From 1890 to 2099, and at the changes of each year of the rule for the future.
            var times = (0..<400).map { _ in Int64.random(in: -2_524_521_600...4_102_444_799, using: &random) }
            for year in [2026, 2036, 2037, 2038, 2050, 2096] {
                let start = CivilTime(year: Int64(year), month: 1, day: 1).secondsSince1970
                times += (0..<366 * 4).map { start + Int64($0) * 21_600 }
            }
            for time in times {
                input += "\(name) \(time)\n"
                ours.append(zone.offset(at: time))
            }
        }
        let result = try Program.run(["-c", Self.program], of: "python3", input: input)
        let theirs = result.output.split(separator: "\n").map { Int64($0) }
        #expect(result.errors == "" && theirs.count == ours.count)
        let lines = input.split(separator: "\n")
        let wrong = ours.indices.filter { ours[$0] != theirs[$0] }
        #expect(wrong.isEmpty, "\(wrong.count), the first: \(wrong.first.map { lines[$0] } ?? "")")
    }

    @Test func `changes are exact to the second`() throws {
        let zone = try #require(TimeZoneRules("Europe/Berlin"))
        for (text, before, after) in [
            ("2026-03-29T01:00:00Z", 3_600, 7_200), ("2026-10-25T01:00:00Z", 7_200, 3_600),
            ("2060-03-28T01:00:00Z", 3_600, 7_200),
        ] as [(String, Int64, Int64)] {
            let time = try #require(RFC3339.timestamp(text)).nanoseconds / 1_000_000_000
            #expect(zone.offset(at: time - 1) == before && zone.offset(at: time) == after)
        }
    }

    @Test(arguments: ["", "/etc/passwd", "../../../etc/passwd", "Europe", "Europe//Berlin", "Nowhere/City", "zone.tab"])
    func `a name that is no time zone is refused`(name: String) { #expect(TimeZoneRules(name) == nil) }

    @Test func `damaged files are refused or read, without a trap`() throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: TimeZoneRules.directory + "/Europe/Dublin")))
        var random = SeededGenerator(seed: 5)
        for _ in 0..<3_000 {
            let damaged = random.damaged(bytes)
            _ = TimeZoneRules("x", damaged)?.offset(at: .random(in: -1 << 40...1 << 40, using: &random))
        }
    }

    @Test(
        arguments: [
            ("UTC0", 0, 0), ("EST5", -18_000, -18_000), ("<+0330>-3:30", 12_600, 12_600),
            ("CET-1CEST,M3.5.0,M10.5.0/3", 3_600, 7_200),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", 0, 3_600), ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7_200, -3_600),
            ("AAA3BBB,J60,J300/1:30:15", -10_800, -7_200), ("AAA3BBB2:30,59,300", -10_800, -9_000),
        ] as [(String, Int64, Int64)])
    func `a rule of POSIX has winter and summer`(text: String, january: Int64, july: Int64) throws {
        let rule = try #require(TimeZoneRule(text.utf8))
        // 2026-01-15 and 2026-07-15, 12:00 UTC.
        #expect(rule.offset(at: 1_768_478_400) == january && rule.offset(at: 1_784_116_800) == july)
    }

    @Test(arguments: [
        "", "X", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J366", "CET-1CEST,M3.5.0,M10.5.0/3x", "<CET-1", "CET-1CEST,366,1",
        "CET-1234",
    ])
    func `what is no rule is refused`(text: String) { #expect(TimeZoneRule(text.utf8) == nil) }
}
