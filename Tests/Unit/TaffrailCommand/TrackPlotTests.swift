import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailCommand
@testable import TaffrailText

@Suite(.mayBlock) struct TrackPlotTests {
    static let start = Timestamp(nanoseconds: 1_767_623_400_000_000_000)

    /// A plot of a way over the antimeridian with a tunnel in it.
    static func plot(_ count: Int = 200, title: String = "a <&> b") -> TrackPlot {
        var plot = TrackPlot(title: title)
        for index in 0..<count {
            if index == count / 2 { plot.add(.error(.locationUnknown())) }
            var location = Location(
                latitude: Double(index) * 0.001, longitude: index < 100 ? 179.9 + Double(index) * 0.001 : -179.9,
                timestamp: Self.start + .seconds(index))
            location.altitude = Double(index % 50)
            if index % 3 == 0 { location.speed = 12 }
            plot.add(.location(location))
        }
        return plot
    }

    @Test(.enabled(if: Program.areThere("xmllint"), "xmllint is not installed (libxml2-utils)"))
    func `an SVG is well-formed and has its lines and labels`() throws {
        let folder = TemporaryDirectory()
        let text = String(decoding: Self.plot().svg, as: UTF8.self)
        try folder.write(text, to: "a.svg")
        let result = try Program.run(["--noout", folder.file("a.svg")], of: "xmllint")
        #expect(result.code == 0, "\(result.errors)")
        #expect(text.contains("a &lt;&amp;&gt; b") && text.contains("Speed, km/h") && text.contains("Altitude, m"))
        #expect(text.split(separator: "<polyline").count > 6 && !text.contains("nan") && !text.contains("inf"))
    }

    @Test func `a picture in the terminal has the requested number of lines`() {
        let text = Self.plot().halfBlocks(columns: 40, rows: 12)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 13)
        #expect(text.contains("\u{2580}") || text.contains("\u{2584}"))
        let plain = Self.plot().halfBlocks(columns: 40, rows: 12, hasColors: false)
        #expect(Set(plain).isSubset(of: Set(" \n\u{2580}\u{2584}\u{2588}")) && plain.contains("\u{2580}"))
    }

    @Test(arguments: [0, 1, 2]) func `a track of few positions is drawn`(count: Int) {
        let plot = Self.plot(count)
        let text = String(decoding: plot.svg, as: UTF8.self)
        #expect(text.contains(count == 0 ? "no position" : "<circle") && !text.contains("nan"))
        #expect(!plot.halfBlocks(columns: 1, rows: 1).isEmpty)
    }

    @Test(arguments: [1e12, 1e300, 1e308, .infinity, .nan]) func `an absurd speed is omitted`(speed: Double) {
        var plot = TrackPlot(title: "absurd")
        for index in 0..<10 {
            var location = Location(
                latitude: Double(index) * 0.001, longitude: 0, timestamp: Self.start + .seconds(index))
            location.speed = index == 5 ? speed : 10
            location.altitude = index == 5 ? -speed : 3
            plot.add(.location(location))
        }
        let text = String(decoding: plot.svg, as: UTF8.self)
        #expect(text.utf8.count < 20_000 && !text.contains("nan") && !text.contains("inf"))
        #expect(text.contains(">36") || text.contains(">40"))
    }

    @Test func `axes have round ticks, as many as fit, with as many decimals as they need`() {
        #expect(PlotAxis.time(95).ticks.map(\.label) == ["0", "15", "30", "45", "60", "75", "90"])
        #expect(PlotAxis.time(514).ticks.map(\.label) == ["0:00", "2:00", "4:00", "6:00", "8:00"])
        #expect(PlotAxis.time(30_000).ticks.map(\.label) == ["0:00", "2:00", "4:00", "6:00", "8:00"])
        #expect(PlotAxis.time(864_000).unit == "days" && PlotAxis.time(864_000).ticks.count == 6)
        #expect(PlotAxis.time(1e10).ticks.count < 12)
        #expect(PlotAxis.distance(2_210).ticks.map(\.label) == ["0.0", "0.5", "1.0", "1.5", "2.0"])
        let altitudes = PlotAxis.numbers(from: -12.3, to: 4, unit: "m")
        #expect(altitudes.low == -15 && altitudes.high == 5)
        #expect(altitudes.ticks.map(\.label) == ["-15", "-10", "-5", "0", "5"])
        let across = PlotAxis.degrees(from: 179.89, to: 180.11, names: ("E", "W"), wraps: true)
        #expect(across.ticks.map(\.label) == ["179.90° E", "179.95° E", "180.00° E", "179.95° W", "179.90° W"])
        for axis in [
            PlotAxis.time(7), .distance(3), .numbers(from: 0, to: 0, unit: ""), .numbers(from: 5, to: 5.001, unit: ""),
        ] {
            #expect((2...12).contains(axis.ticks.count) && axis.high > axis.low)
        }
    }

    @Test func `gaps are dashed in the route, grey in the charts and named in the key`() {
        let text = String(decoding: Self.plot().svg, as: UTF8.self)
        #expect(text.contains("stroke-dasharray") && text.contains(">gap<") && text.contains(PlotColor.gapBand.hex))
        var whole = TrackPlot(title: "whole")
        for index in 0..<5 {
            whole.add(
                .location(
                    Location(
                        latitude: 0, longitude: Double(index), timestamp: Self.start + .seconds(index))))
        }
        let other = String(decoding: whole.svg, as: UTF8.self)
        #expect(!other.contains("stroke-dasharray") && !other.contains(">gap<"))
    }

    @Test func `a track without times is drawn over its distance`() {
        var plot = TrackPlot(title: "untimed")
        for index in 0..<5 {
            var location = Location(latitude: 0, longitude: Double(index) * 0.01, timestamp: Self.start)
            location.extra.hasNoTime = true
            location.altitude = Double(index)
            plot.add(.location(location))
        }
        let text = String(decoding: plot.svg, as: UTF8.self)
        #expect(text.contains(">Distance, km<") && text.contains(">unknown<") && !text.contains("Time"))
    }

    @Test func `one outlier does not use up the colours of the other speeds`() throws {
        var samples = TrackSamples()
        for index in 0..<100 {
            var location = Location(latitude: 0, longitude: 0, timestamp: Self.start + .seconds(index))
            location.speed = index == 50 ? 300 : Double(index % 10)
            samples.add(.location(location))
        }
        let scale = try #require(SpeedScale(samples))
        #expect(scale.isExceeded && scale.fastest < 20 && scale.step(300) == SpeedScale.steps - 1 && scale.step(0) == 0)
        #expect(scale.color(step: 0) != scale.color(step: SpeedScale.steps / 2))
    }

    @Test func `a long track is thinned out and keeps its ends`() {
        var plot = TrackPlot(title: "long")
        for index in 0..<300_000 {
            plot.add(
                .location(
                    Location(
                        latitude: 0, longitude: Double(index) * 0.000_1,
                        timestamp: Timestamp(nanoseconds: Int64(index) * 1_000_000_000))))
        }
        let text = String(decoding: plot.svg, as: UTF8.self)
        #expect(text.contains("83 h 20 min"))
    }

    @Test func `a long track with a gap before each position is thinned out, too`() {
        var samples = TrackSamples()
        for index in 0..<300_000 {
            samples.add(
                .location(
                    Location(
                        latitude: 0, longitude: Double(index) * 0.000_1,
                        timestamp: Timestamp(nanoseconds: Int64(index) * 1_000_000_000))))
            samples.add(.error(GeoError(domain: "test", code: 0, description: "no fix")))
        }
        #expect(samples.samples.count < 1 << 17)
        #expect(samples.samples.allSatisfy { $0.startsPiece })
    }

    @Test func `a terminal's answer shows what it supports`() {
        let ok = "\u{1B}_Gi=31;OK\u{1B}\\"
        for (answer, graphics) in [
            (ok + "\u{1B}[?62;4c", TerminalGraphics.kitty), ("\u{1B}[?62;4;22c", .sixel), ("\u{1B}[?62;22c", .blocks),
            ("\u{1B}[?4;22c", .blocks), ("\u{1B}_Gi=31;ENOENT:no\u{1B}\\\u{1B}[?1;2c", .blocks), (ok, nil), ("", nil),
            (ok + "\u{1B}[?62;4", nil),
        ] { #expect(TerminalGraphics(answer: answer.utf8) == graphics, "\(answer.debugDescription)") }
    }
}
