#if Command && Configuration
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailTracks

/// `taffrail policy simulate`, as a program.
@Suite(.mayBlock) struct PolicyCommandTests {
    /// A recording of the generated day, or of its first fixes.
    private static func day(in folder: TemporaryDirectory, first count: Int = .max) throws -> [Location] {
        let fixes = Array(DayOfLegs.fixes(from: Timestamp(nanoseconds: 1_767_571_200_000_000_000)).prefix(count))
        let writer = TrackFormat.json.writer(try TextOutput(path: folder.file("day.json")))
        try writer.begin(nil, name: "")
        for fix in fixes {
            try writer.append(
                RecordedEvent(
                    timestamp: fix.timestamp,
                    relativeTime: Double(fix.timestamp.nanoseconds - fixes[0].timestamp.nanoseconds) / 1e9,
                    event: .location(fix)))
        }
        try writer.finish()
        return fixes
    }

    private static func objects(_ output: String) throws -> [[String: Any]] {
        try output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test func `a configuration is compared with another and with what is built in`() throws {
        let folder = TemporaryDirectory()
        let fixes = try Self.day(in: folder)
        try folder.write("night: { time_zone: UTC }\nwake: 0\n", to: "a.yaml")
        try folder.write(
            "plugins: { file: , pinger: { night: { time_zone: UTC }, wake: 0s, moving: { interval: 1m } } }\n",
            to: "b.yaml")
        var words = ["policy", "simulate", folder.file("day.json"), "--json", "--home", "55.6761,12.5683"]
        let names = [
            folder.file("a.yaml"), folder.file("b.yaml"), "fixed-interval:30s", "fixed-distance:250", "elastic",
            "colota",
            "owntracks",
        ]
        for name in names { words += ["--config", name] }
        let (code, output, errors) = try Program.run(words)
        #expect(code == 0 && errors == "", "\(errors)")
        let results = try Self.objects(output)
        #expect(
            results.map { $0["policy"] as? String } == ["a.yaml", "b.yaml"] + names.dropFirst(2).map { $0 })
        var settings = PingSettings()
        settings.night?.timeZone = TimeZoneRules("UTC")
        var policy = PingPolicy(settings, home: DayOfLegs.home)
        let pings = fixes.count { policy.evaluate($0).ping != nil }
        #expect(results[0]["pings"] as? Int == pings)
        let counts = results.compactMap { $0["pings"] as? Int }
        #expect(counts.count == names.count && counts[1] < counts[0])
        for result in results {
            let energy = try #require(result["energy_j"] as? Double)
            let (open, sent) = (try #require(result["gps_s"] as? Double), try #require(result["pings"] as? Int))
            #expect(abs(energy - (open * 75 + Double(sent) * 2_000) / 1_000) < 1e-6)
            #expect(try #require(result["error_mean_m"] as? Double) <= #require(result["error_max_m"] as? Double))
        }
    }

    @Test func `a sweep has a table with its best values, and a curve`() throws {
        let folder = TemporaryDirectory()
        _ = try Self.day(in: folder)
        let (code, output, errors) = try Program.run([
            "policy", "simulate", folder.file("day.json"), "--sweep", "moving.interval=5s,15s,60s,300s", "--output",
            folder.file("curve.svg"), "--gps-mw", "30",
        ])
        #expect(code == 0 && errors == "", "\(errors)")
        #expect(output.contains("positions; gps_mw 30, ping_mj 2000, fix_seconds 5, accuracy 10 m where unknown\n"))
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.contains { $0.hasPrefix("policy ") } && lines.contains { $0.hasPrefix("moving.interval ") })
        #expect(lines.contains { $0.hasPrefix("5s ") } && lines.contains { $0.hasPrefix("300s *") })
        let svg = folder.text("curve.svg")
        #expect(svg.contains("moving.interval of default") && svg.contains(">60s<") && svg.contains("<polyline"))
        if Program.path("xmllint") != nil {
            #expect(try Program.run(["--noout", folder.file("curve.svg")], of: "xmllint").code == 0)
        }
    }

    @Test(arguments: [
        (["DIR/none.json"], 66, "none.json"), ([], 64, "Missing expected argument"),
        (["DIR/day.json", "--config", "walking"], 78, "built-in policies: default"),
        (["DIR/day.json", "--config", "elastic:far"], 64, "elastic needs a distance"),
        (["DIR/day.json", "--sweep", "moving.interval"], 64, "SETTING=VALUE"),
        (["DIR/day.json", "--sweep", "speed=1"], 64, "speed is not a setting; settings: moving.interval"),
        (["DIR/day.json", "--sweep", "wake=9h"], 64, "wake must be a duration"),
        (["DIR/day.json", "--config", "colota", "--sweep", "wake=1m"], 64, "colota has none"),
        (["DIR/day.json", "--home", "100,0"], 64, "a latitude is from -90 to 90"),
        (["DIR/day.json", "--gps-mw", "-5"], 64, "--gps-mw"), (["DIR/day.json", "-o", "DIR/x.gif"], 64, ".svg"),
        (["DIR/empty.gpx"], 65, "contain no position with a time"),
    ])
    func `what cannot be done is reported with an exit status`(words: [String], code: Int, message: String) throws {
        let folder = TemporaryDirectory()
        _ = try Self.day(in: folder, first: 100)
        try folder.write("<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>", to: "empty.gpx")
        let words = words.map { $0.replacing("DIR", with: folder.path) }
        let result = try Program.run(["policy", "simulate"] + words)
        #expect(result.code == Int32(code) && result.errors.contains(message), "\(result.errors)")
    }
}
#endif
