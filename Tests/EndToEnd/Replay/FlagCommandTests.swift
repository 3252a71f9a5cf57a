#if Command
import Foundation
import TaffrailTestSupport
import Testing

@testable import TaffrailCommand

/// Flags and variables that change what a track looks like.
@Suite(.mayBlock) struct FlagCommandTests {
    /// Four kilometres to the north in 400 seconds, at 10 m/s.
    private static func track(in folder: TemporaryDirectory) throws -> String {
        var csv = "time,latitude,longitude,speed\n"
        for step in 0...40 {
            csv += "2026-01-05T12:0\(step / 6):\(step % 6)0Z,\(55.6 + Double(step) * 0.000_9),12.5,10\n"
        }
        try folder.write(csv, to: "track.csv")
        return folder.file("track.csv")
    }

    @Test(arguments: [["--wait", "5"], ["--time", "now"], ["--format", "nmea"], ["--rate", "2"]])
    func `a live source refuses options of tracks`(options: [String]) throws {
        // The target cannot be opened.
        let run = try Program.run(["replay", "nmea:tcp://127.0.0.1:1", "--to", "pty:/nowhere/line"] + options)
        #expect(run.code == 64 && run.errors.contains("a live source accepts only --to and --quiet"), "\(run)")
    }

    @Test func `statistics are in the units of choice`() throws {
        let folder = TemporaryDirectory()
        let track = try Self.track(in: folder)
        let metric = try Program.run(["track", "stats", track])
        #expect(metric.output.contains("distance            4.0") && metric.output.contains(" km\n"), "\(metric)")
        #expect(metric.output.contains("speed, highest      36.0 km/h\n"))
        #expect(try Program.run(["track", "stats", "--units", "metric", track]).output == metric.output)
        let nautical = try Program.run(["track", "stats", "--units", "nautical", track])
        #expect(
            nautical.output.contains("distance            2.1") && nautical.output.contains(" nmi\n"), "\(nautical)")
        #expect(nautical.output.contains("speed, highest      19.4 kn\n") && !nautical.output.contains(" km"))
        let other = try Program.run(["track", "stats", "--units", "imperial", track])
        #expect(other.code == 64 && other.errors.contains("--units"), "\(other)")
    }

    @Test func `the key of a plot is in the units of choice`() throws {
        let folder = TemporaryDirectory()
        let track = try Self.track(in: folder)
        for (units, shown, hidden) in [("metric", "km/h", " kn<"), ("nautical", " kn<", "km/h")] {
            let path = folder.file("\(units).svg")
            let result = try Program.run(["track", "plot", track, "--units", units, "--output", path])
            let svg = folder.text("\(units).svg")
            #expect(result.code == 0 && svg.contains(shown) && !svg.contains(hidden), "\(units) \(result)")
        }
    }

    @Test(
        .enabled(if: Program.path("python3") != nil, "python3 is not installed"),
        arguments: [("", "xterm", true), ("1", "xterm", false), ("", "dumb", false)])
    func `a plot on a terminal has colours unless NO_COLOR is set or TERM is dumb`(
        value: String, kind: String, hasColors: Bool
    ) throws {
        let folder = TemporaryDirectory()
        let track = try Self.track(in: folder)
        try folder.write(CommandTests.terminal, to: "terminal.py")
        let result = try Program.run(
            [
                folder.file("terminal.py"), "", "/usr/bin/env", "TERM=\(kind)", Program.products + "/taffrail", "track",
                "plot", "--graphics", "blocks", track,
            ], of: "python3", environment: ["NO_COLOR": value])
        #expect(result.code == 0, "\(result.errors.prefix(300))")
        #expect(["\u{2580}", "\u{2584}", "\u{2588}"].contains { result.output.contains($0) })
        #expect(result.output.contains("\u{1B}[38;2;") == hasColors)
    }
}
#endif
