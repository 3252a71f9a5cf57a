import Foundation
import Taffrail
import Testing

@testable import TaffrailGeo

@Suite struct TrackPlotTests {
    /// A plot of a way over the antimeridian with a tunnel in it.
    static func plot(_ count: Int = 200, title: String = "a <&> b") -> TrackPlot {
        var plot = TrackPlot(title: title)
        for index in 0..<count {
            if index == count / 2 { plot.add(.error(.locationUnknown())) }
            var location = Location(
                latitude: Double(index) * 0.001, longitude: index < 100 ? 179.9 + Double(index) * 0.001 : -179.9,
                timestamp: RecordingWriterTests.start + Double(index))
            location.altitude = Double(index % 50)
            if index % 3 == 0 { location.speed = 12 }
            plot.add(.location(location))
        }
        return plot
    }

    @Test(.enabled(if: Tool.isThere("xmllint"), "xmllint is not installed (libxml2-utils)"))
    func `an SVG is well-formed and has its lines and words`() throws {
        let folder = try TemporaryFolder()
        let text = String(decoding: Self.plot().picture(.svg), as: UTF8.self)
        try folder.write(text, to: "a.svg")
        let result = try Tool.run("xmllint", ["--noout", folder.file("a.svg")])
        #expect(result.status == 0, "\(result.errors)")
        #expect(text.contains("a &lt;&amp;&gt; b") && text.contains("Speed km/h") && text.contains("Altitude m"))
        #expect(text.split(separator: "<polyline").count > 6 && !text.contains("nan") && !text.contains("inf"))
    }

    @Test(.enabled(if: Tool.isThere("python3"), "python3 is not installed"))
    func `a PNG is one for another program, dot by dot`() throws {
        let folder = try TemporaryFolder()
        let raster = Raster(
            PlotScene(
                width: 61, height: 37,
                items: [
                    .line([PlotPoint(x: 3, y: 30), PlotPoint(x: 50, y: 5)], .route, width: 3),
                    .dot(PlotPoint(x: 20, y: 20), .end, radius: 4), .text("3.5 km", PlotPoint(x: 2, y: 16), .start),
                ]))
        try Data(PNGFile.bytes(raster)).write(to: URL(filePath: folder.file("a.png")))
        let program = """
            import struct, sys, zlib
            data, place, pixels = open(sys.argv[1], "rb").read(), 8, b""
            assert data[:8] == bytes([137, 80, 78, 71, 13, 10, 26, 10])
            while place < len(data):
                size, kind = struct.unpack(">I4s", data[place:place + 8])
                body = data[place + 8:place + 8 + size]
                assert struct.unpack(">I", data[place + 8 + size:place + 12 + size])[0] == zlib.crc32(kind + body)
                if kind == b"IHDR": width, height = struct.unpack(">II", body[:8])
                if kind == b"IDAT": pixels += zlib.decompress(body)
                place += 12 + size
            assert len(pixels) == height * (width * 3 + 1)
            print(width, height, "".join(pixels[row * (width * 3 + 1) + 1:(row + 1) * (width * 3 + 1)].hex()
                for row in range(height)))
            """
        let result = try Tool.run("python3", ["-c", program, folder.file("a.png")])
        let hex = raster.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "61 37 \(hex)\n")
        #expect(Set(raster.bytes).count > 5)
    }

    @Test func `a picture in the terminal has as many lines as asked for`() {
        let text = Self.plot().terminalPicture(columns: 40, rows: 12)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 13)
        #expect(text.contains("\u{2580}") || text.contains("\u{2584}"))
    }

    @Test(arguments: [0, 1, 2]) func `little is no harm`(count: Int) {
        let plot = Self.plot(count)
        #expect(!plot.picture(.svg).isEmpty && !plot.picture(.png).isEmpty)
        #expect(!plot.terminalPicture(columns: 1, rows: 1).isEmpty)
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
        let text = String(decoding: plot.picture(.svg), as: UTF8.self)
        #expect(text.contains("83 h 19 min"))
    }
}
