import Foundation
import Taffrail
import TaffrailTestSupport
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
        let folder = try Folder()
        let text = String(decoding: Self.plot().picture(.svg), as: UTF8.self)
        try folder.write(text, to: "a.svg")
        let result = try Tool.run("xmllint", ["--noout", folder.file("a.svg")])
        #expect(result.status == 0, "\(result.errors)")
        #expect(text.contains("a &lt;&amp;&gt; b") && text.contains("Speed km/h") && text.contains("Altitude m"))
        #expect(text.split(separator: "<polyline").count > 6 && !text.contains("nan") && !text.contains("inf"))
    }

    @Test(.enabled(if: Tool.isThere("python3"), "python3 is not installed"))
    func `a PNG is one for another program, dot by dot`() throws {
        let folder = try Folder()
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

    /// The dots of a picture in sixels, red, green and blue of each as a step of 20 %.
    static func dots(_ bytes: [UInt8]) -> (width: Int, height: Int, steps: [Int]) {
        let text = Array(bytes)
        var place = 0
        func numbers() -> [Int] {
            var numbers = [0]
            while place < text.count, (48...57).contains(text[place]) || text[place] == UInt8(ascii: ";") {
                if text[place] == UInt8(ascii: ";") {
                    numbers.append(0)
                } else {
                    numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(text[place]) - 48
                }
                place += 1
            }
            return numbers
        }
        var (width, height, x, top, color, count) = (0, 0, 0, 0, 0, 1)
        var steps: [Int] = []
        var palette: [Int: Int] = [:]
        while place < text.count {
            let sign = text[place]
            place += 1
            switch sign {
            case UInt8(ascii: "\""):
                let size = numbers()
                (width, height) = (size[2], size[3])
                steps = Array(repeating: -1, count: width * height)
            case UInt8(ascii: "#"):
                let words = numbers()
                color = words[0]
                if words.count == 5 { palette[color] = words[2] / 20 * 36 + words[3] / 20 * 6 + words[4] / 20 }
            case UInt8(ascii: "!"): count = numbers()[0]
            case UInt8(ascii: "$"): x = 0
            // The end, but not the start.
            case 27 where width > 0: place = text.count
            case UInt8(ascii: "-"): (x, top) = (0, top + 6)
            case 63...126 where width > 0:
                for _ in 0..<count {
                    for row in 0..<6 where (sign - 63) >> UInt8(row) & 1 == 1 {
                        steps[(top + row) * width + x] = palette[color] ?? -1
                    }
                    x += 1
                }
                count = 1
            default: break
            }
        }
        return (width, height, steps)
    }

    @Test func `sixels have every dot, in the nearest of their colours`() {
        var terminal = TerminalSize()
        (terminal.width, terminal.height) = (500, 480)
        let bytes = Self.plot().terminalPicture(.sixel, on: terminal)
        #expect(bytes.starts(with: "\u{1B}P".utf8) && bytes.suffix(3).elementsEqual("\u{1B}\\\n".utf8))
        // All but two of 24 lines is the room for it.
        let (width, height, steps) = Self.dots(bytes)
        #expect(height == 440 && width == 468)
        #expect(!steps.contains(-1) && Set(steps).count > 5)
        // A picture that fits is what the PNG has.
        (terminal.width, terminal.height) = (2_000, 2_000)
        let whole = Self.dots(Self.plot().terminalPicture(.sixel, on: terminal))
        #expect(whole.width == 1_000 && whole.height == 940)
        #expect(whole.steps[0] == 215)
    }

    @Test func `kitty gets the PNG, in pieces of at most 4096 bytes`() throws {
        var terminal = TerminalSize()
        (terminal.width, terminal.height) = (2_000, 2_000)
        let text = String(decoding: Self.plot().terminalPicture(.kitty, on: terminal), as: UTF8.self)
        let pieces = text.dropLast().components(separatedBy: "\u{1B}\\").dropLast()
        var base64 = ""
        for (index, piece) in pieces.enumerated() {
            let parts = piece.split(separator: ";", maxSplits: 1)
            let more = index < pieces.count - 1 ? 1 : 0
            #expect(parts.first == (index == 0 ? "\u{1B}_Ga=T,f=100,q=2,m=\(more)" : "\u{1B}_Gm=\(more)"))
            #expect(parts.last.map { $0.utf8.count <= 4_096 } == true)
            base64 += parts.last ?? ""
        }
        #expect(pieces.count > 1)
        #expect(Data(base64Encoded: base64) == Data(Self.plot().picture(.png)))
    }

    @Test func `a terminal's answer says what it shows`() {
        let ok = "\u{1B}_Gi=31;OK\u{1B}\\"
        for (answer, graphics) in [
            (ok + "\u{1B}[?62;4c", TerminalGraphics.kitty), ("\u{1B}[?62;4;22c", .sixel), ("\u{1B}[?62;22c", .blocks),
            ("\u{1B}[?4;22c", .blocks), ("\u{1B}_Gi=31;ENOENT:no\u{1B}\\\u{1B}[?1;2c", .blocks), (ok, nil), ("", nil),
            (ok + "\u{1B}[?62;4", nil),
        ] { #expect(TerminalGraphics(answer: answer.utf8) == graphics, "\(answer.debugDescription)") }
    }
}
