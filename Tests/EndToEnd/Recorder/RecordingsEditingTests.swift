#if Command
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailRecording

/// `taffrail recordings cut|merge|simplify`.
@Suite(.mayBlock) struct RecordingsEditingTests {
    let folder = TemporaryDirectory()
    let morning = "geo_log_2026-01-05_14-30-00.json"
    let evening = "geo_log_2026-01-05_18-30-00.json"

    init() throws {
        try record(0, device: "ferry")
        try record(14_400, device: "ferry")
    }

    /// Records 90 fixes, one a second, on a line to the north.
    private func record(_ start: Int64, device: String) throws {
        let session = RecordingSession(RecordingOptions(directory: folder.file("drives"))) {
            RecordingMetadata(recordedAt: $0, device: device, systemVersion: "Debian")
        }
        for second in 0..<90 {
            let time = Timestamp(nanoseconds: 1_767_623_400_000_000_000 + (start + Int64(second)) * 1_000_000_000)
            let location = Location(latitude: 55 + Double(second) / 10_000, longitude: 12, timestamp: time)
            try session.take(.location(location), received: time, uptime: nil)
        }
        try session.commit()
        try session.finish()
    }

    private func run(_ arguments: String...) async throws -> (code: Int32, output: String, errors: String) {
        try await Program.run(["recordings"] + arguments + ["--directory", folder.file("drives")], in: folder)
    }

    private func info(_ name: String) async throws -> [String: Any] {
        let text = try await run("info", name, "--format", "json").output
        return try #require((JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])?.first)
    }

    @Test func `cut writes a part beside the recording, and never over another without --force`() async throws {
        let cut = try await run("cut", morning, "part.json", "--from", "10", "--to", "14:30:19")
        #expect(cut.code == 0 && cut.errors.contains("10 positions, 10 events"), "\(cut)")
        let part = try await info("part.json")
        #expect(part["eventCount"] as? Int == 10 && part["duration"] as? Double == 9)
        #expect(part["device"] as? String == "ferry" && part["systemVersion"] as? String == "Debian")
        #expect((part["date"] as? String)?.hasPrefix("2026-01-05T14:30:10") == true)
        #expect(try await run("verify", "part.json").code == 0)
        #expect(try await run("cut", morning, "part.json", "--from", "80").code == 73)
        #expect(try await info("part.json")["eventCount"] as? Int == 10)
        let forced = try await run("cut", morning, "part.json", "--from", "80", "--force", "--format", "json")
        #expect(forced.code == 0 && forced.output.contains("\"events\":10,\"locations\":10"), "\(forced)")
        // Nothing is written where nothing is left, or what is asked for makes no sense.
        #expect(try await run("cut", morning, "none.json", "--from", "1h").code == 65)
        #expect(try await run("cut", morning, "none.json").code == 64)
        #expect(try await run("cut", morning, "none.json.gz", "--from", "1").code == 64)
        let export = try await run("export", morning, folder.file("none.json.gz"))
        #expect(export.code == 64 && export.errors.contains("compress it with gzip -n"), "\(export)")
        #expect(try await run("cut", morning, "none.xyz", "--from", "1").code == 64)
        #expect(try await run("cut", "missing.json", "none.json", "--from", "1").code == 66)
        #expect(!FileManager.default.fileExists(atPath: folder.file("drives/none.json")))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.file("drives")).allSatisfy {
                !$0.hasSuffix(".part")
            })
    }

    @Test func `a track is written by its path, from a recording by its path`() async throws {
        let path = folder.file("drives/" + morning)
        let cut = try await Program.run(
            ["recordings", "cut", path, folder.file("start.gpx"), "--to", "#30"], in: folder)
        #expect(cut.code == 0, "\(cut)")
        #expect(folder.text("start.gpx").components(separatedBy: "<trkpt").count == 31)
    }

    @Test func `merge puts recordings in the order of time, with a gap between them`() async throws {
        let merged = try await run("merge", evening, morning, "day.json")
        #expect(merged.code == 0 && merged.errors.contains("180 positions, 181 events"), "\(merged)")
        let day = try await info("day.json")
        #expect(day["duration"] as? Double == 14_489 && day["device"] as? String == "ferry")
        #expect(try await run("verify", "day.json").code == 0)
        #expect(try await run("merge", morning, evening, folder.file("day.gpx")).code == 0)
        #expect(folder.text("day.gpx").components(separatedBy: "<trkseg>").count == 3)
        // The same twice is the same once.
        #expect(try await run("merge", morning, morning, "same.json").errors.contains("90 positions, 90 events"))
        #expect(try await run("merge", morning, "day2.json").code == 64)
    }

    @Test func `devices stay apart when they are merged`() async throws {
        try record(30, device: "tender")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("drives"))
        let other = try #require(names.first { ![morning, evening].contains($0) })
        #expect(try await run("merge", morning, other, folder.file("both.gpx")).code == 0)
        let gpx = folder.text("both.gpx")
        #expect(
            gpx.components(separatedBy: "<trk>").count == 3 && gpx.contains("<src>tender</src>"), "\(gpx.prefix(600))")
    }

    @Test func `devices whose names differ only in their bytes stay apart too`() async throws {
        let names = ["caf\u{E9}", "cafe\u{301}"]
        for (index, name) in names.enumerated() { try record(Int64(index + 1) * 3_600, device: name) }
        let (first, second) = ("geo_log_2026-01-05_15-30-00.json", "geo_log_2026-01-05_16-30-00.json")
        #expect(try await run("merge", first, second, "both.json").code == 0)
        var reader = try RecordingReader(path: folder.file("drives/both.json"))
        var counts: [[UInt8]: Int] = [:]
        while let event = try reader.next() {
            guard let location = event.event.location else { continue }
            counts[Array((location.extra.device ?? "").utf8), default: 0] += 1
        }
        #expect(counts == [Array(names[0].utf8): 90, Array(names[1].utf8): 90])
        let device = try #require(reader.metadata?.device)
        #expect(Array(device.utf8) == Array("cafe\u{301}, caf\u{E9}".utf8))
    }

    @Test func `simplify leaves what the shape needs`() async throws {
        let simple = try await run("simplify", morning, "small.json", "--tolerance", "2")
        #expect(simple.code == 0 && simple.errors.contains("2 positions, 2 events"), "\(simple)")
        #expect(try await info("small.json")["duration"] as? Double == 89)
        for wrong in ["0", "-1", "nan"] {
            #expect(try await run("simplify", morning, "no.json", "--tolerance=\(wrong)").code == 64, "\(wrong)")
        }
    }
}
#endif
