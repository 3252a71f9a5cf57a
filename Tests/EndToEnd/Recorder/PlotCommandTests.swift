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

    @Test(arguments: ["a", "a.jpg", "svg"]) func `another ending is refused`(name: String) async throws {
        let folder = TemporaryDirectory()
        let result = try await Program.run(
            ["track", "plot", Self.track(in: folder), "--output", folder.file(name)], in: folder)
        #expect(result.code == 64 && result.errors.contains(".svg, .png or .pdf"), "\(result)")
    }
}
#endif
