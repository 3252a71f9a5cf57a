#if Command
import Foundation
import TaffrailTestSupport
import Testing

/// `taffrail track plot --output`, with the programs that make pictures of its SVG.
@Suite(.mayBlock) struct PlotCommandTests {
    private static func track(in folder: TemporaryDirectory) throws -> String {
        var csv = "time,latitude,longitude,altitude\n"
        for second in 0..<60 {
            csv += "2026-01-05T12:00:\(second < 10 ? "0" : "")\(second)Z,55.\(6_000 + second),12.5,\(second % 7)\n"
        }
        try folder.write(csv, to: "track.csv")
        return folder.file("track.csv")
    }

    @Test(
        .enabled(if: Program.path("rsvg-convert") != nil, "rsvg-convert is not installed (librsvg2-bin)"),
        arguments: [
            ("a.png", [0x89, 0x50, 0x4E, 0x47] as [UInt8]), ("a.pdf", Array("%PDF".utf8)),
            ("a.svg", Array("<?xm".utf8)),
        ])
    func `a plot has the format that its name ends in`(name: String, start: [UInt8]) async throws {
        let folder = TemporaryDirectory()
        let track = try Self.track(in: folder)
        let result = try await Program.run(["track", "plot", track, "--output", folder.file(name)], in: folder)
        #expect(result.code == 0, "\(result.errors)")
        let bytes = try folder.bytes(name)
        #expect(bytes.starts(with: start) && bytes.count > 2_000)
        let again = try await Program.run(["track", "plot", track, "--output", folder.file(name)], in: folder)
        #expect(again.code == 73, "an existing file is kept")
    }

    @Test(arguments: ["a.png", "a.pdf"]) func `a missing program is named with its package`(name: String) async throws {
        let folder = TemporaryDirectory()
        let track = try Self.track(in: folder)
        let result = try await Program.run(
            ["track", "plot", track, "--output", folder.file(name)], in: folder, environment: ["PATH": folder.path])
        #expect(result.code == 69 && result.errors.contains("librsvg2-bin"), "\(result)")
        #expect(!folder.names.contains(name))
        let svg = try await Program.run(
            ["track", "plot", track, "--output", folder.file("a.svg")], in: folder, environment: ["PATH": folder.path])
        #expect(svg.code == 0, "\(svg.errors)")
    }

    @Test func `a pipe gets a plot without escape sequences`() async throws {
        let folder = TemporaryDirectory()
        let result = try await Program.run(["track", "plot", Self.track(in: folder)], in: folder)
        #expect(result.code == 0 && !result.output.contains("\u{1B}"))
        #expect(
            result.output.contains("\u{2580}") || result.output.contains("\u{2588}")
                || result.output.contains("\u{2584}"))
    }

    @Test(arguments: ["csv", "json"])
    func `absurd speeds take neither long nor much memory`(format: String) async throws {
        let folder = TemporaryDirectory()
        // Altitudes, reported speeds, and the speed between two positions.
        try folder.write(
            """
            time,latitude,longitude,altitude,speed
            2026-01-05T12:00:00Z,55,12.5,3,5
            2026-01-05T12:00:01Z,55.0001,12.5,-1e308,1e308
            2026-01-05T12:00:02Z,55.0002,12.5,1e308,1.7976931348623157e308
            2026-01-05T12:00:03Z,55.0003,12.5,4,
            2026-01-05T12:00:03.000000001Z,-55,-167.5,4,
            2026-01-05T12:00:04Z,55.0004,12.5,5,10

            """, to: "track.csv")
        if format == "json" {
            let result = try await Program.run(
                ["convert", folder.file("track.csv"), folder.file("track.json")], in: folder)
            #expect(result.code == 0 && folder.text("track.json").contains("\"speed\":1e+308"), "\(result.errors)")
        }
        // 2 GiB of addresses, and 60 s of a processor.
        let limited = "ulimit -v 2097152 && ulimit -t 60 && exec \"$0\" \"$@\""
        func plot(_ arguments: [String]) async throws -> String {
            let result = try await Program.run(
                ["-c", limited, Program.products + "/taffrail", "track", "plot", folder.file("track." + format)]
                    + arguments, of: "/bin/sh", in: folder)
            #expect(result.code == 0, "\(result)")
            return result.output
        }
        _ = try await plot(["--output", folder.file("a.svg")])
        let svg = folder.text("a.svg")
        #expect(svg.hasSuffix("</svg>\n") && svg.utf8.count < 50_000 && !svg.contains("nan") && !svg.contains("inf"))
        let blocks = try await plot(["--graphics", "blocks"])
        #expect(blocks.contains { "\u{2580}\u{2584}\u{2588}".contains($0) } && blocks.utf8.count < 200_000)
    }

    @Test(arguments: ["a", "a.jpg", "svg"]) func `another ending is refused`(name: String) async throws {
        let folder = TemporaryDirectory()
        let result = try await Program.run(
            ["track", "plot", Self.track(in: folder), "--output", folder.file(name)], in: folder)
        #expect(result.code == 64 && result.errors.contains(".svg, .png or .pdf"), "\(result)")
    }
}
#endif
