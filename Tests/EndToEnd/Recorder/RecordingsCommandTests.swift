#if Command
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailRecording

@Suite(.mayBlock) struct RecordingsCommandTests {
    let folder: TemporaryDirectory
    let name = "geo_log_2026-01-05_14-30-00.json"

    init() throws {
        folder = TemporaryDirectory()
        let session = RecordingSession(RecordingOptions(directory: folder.file("drives"))) {
            RecordingMetadata(recordedAt: $0, device: "ferry \"2\"", systemVersion: "Debian")
        }
        let start = Timestamp(nanoseconds: 1_767_623_400_000_000_000)
        for second in 0..<90 {
            let location = Location(latitude: 55 + Double(second) / 1_000, longitude: 12, timestamp: start)
            let received = Timestamp(nanoseconds: start.nanoseconds + Int64(second) * 1_000_000_000)
            try session.take(.location(location), received: received, uptime: nil)
        }
        try session.commit()
        try session.finish()
    }

    private func run(_ arguments: String...) async throws -> (code: Int32, output: String, errors: String) {
        try await Program.run(["recordings"] + arguments + ["--directory", folder.file("drives")], in: folder)
    }

    private func json(_ text: String) throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }

    @Test func `the metadata of a recording does not control the terminal`() async throws {
        let text = folder.text("drives/\(name)").replacing("Debian", with: #"\u001b[2Jevil\u001b]0;t\u0007"#)
        try folder.write(text, to: "drives/\(name)")
        let info = try await run("info", name)
        #expect(info.code == 0 && info.output.contains("system    \u{FFFD}[2Jevil\u{FFFD}]0;t\u{FFFD}"), "\(info)")
    }

    @Test func `list and info show the recordings, as text and as JSON`() async throws {
        let list = try await run("list")
        #expect(list.code == 0 && list.output.hasPrefix("\(name)  2026-01-05T14:30:00.000Z  0:01:29  90 events, "))
        let listed = try await json(run("list", "--format", "json").output)
        #expect(listed.count == 1 && listed[0]["name"] as? String == name && listed[0]["eventCount"] as? Int == 90)
        #expect(listed[0]["device"] as? String == "ferry \"2\"" && listed[0]["isDamaged"] as? Bool == false)
        let info = try await run("info", name)
        #expect(info.code == 0 && info.output.contains("device    ferry \"2\"") && info.output.contains("90"))
        #expect(try await json(run("info", name, "--format", "json").output)[0]["duration"] as? Double == 89)
        #expect(
            try await Program.run(["recordings", "list", "--directory", folder.file("none")], in: folder).output.isEmpty
        )
        #expect(try await run("info", "none.json").code == 66)
        #expect(try await run("info", "../output").code == 66)
    }

    @Test func `export and import make copies under names of their own`() async throws {
        let copy = folder.file("copy.json")
        #expect(try await run("export", name, copy).code == 0)
        #expect(try await run("export", name, copy).code == 73)
        #expect(try await run("export", name, folder.file("none/copy.json")).code == 73)
        let missing = try await run("export", "none.json", folder.file("other.json"))
        #expect(missing.code == 66 && missing.errors.contains("none.json") && !missing.errors.contains("other.json"))
        #expect(try await run("import", copy, copy).output == "copy.json\ncopy-2.json\n")
        try folder.write("{}", to: "broken.json")
        #expect(try await run("import", folder.file("broken.json")).code == 65)
        #expect(try await json(run("list", "--format", "json").output).count == 3)
        #expect(try await run("delete", "copy.json", "copy-2.json").code == 0)
        #expect(try await run("delete", "copy.json").code == 66)
        #expect(try await json(run("list", "--format", "json").output).count == 1)
    }

    @Test func `a recording is given by its path as well, and exported to the format of the new name`() async throws {
        let path = folder.file("drives/" + name)
        for arguments in [["info"], ["verify"], ["export"]] {
            let target = arguments == ["export"] ? [folder.file("drive.gpx")] : []
            let run = try await Program.run(["recordings"] + arguments + [path] + target, in: folder)
            #expect(run.code == 0, "\(run)")
        }
        let gpx = folder.text("drive.gpx")
        #expect(gpx.hasPrefix("<?xml") && gpx.components(separatedBy: "<trkpt").count == 91)
        #expect(try await run("export", name, folder.file("drive.csv")).code == 0)
        #expect(folder.text("drive.csv").split(whereSeparator: \.isNewline).count == 91)
        #expect(try await run("export", name, folder.file("drive.csv")).code == 73)
        #expect(try await run("export", "none.json", folder.file("none.gpx")).code == 66)
        #expect(folder.names.allSatisfy { $0 != "none.gpx" })
    }

    @Test func `verify finds damage and its location, and repair fixes it`() async throws {
        #expect(try await run("verify").code == 0)
        let path = folder.file("drives/" + name)
        let bytes = try Data(contentsOf: URL(filePath: path))
        try bytes.prefix(bytes.count * 2 / 3).write(to: URL(filePath: path))
        let verified = try await run("verify", name)
        #expect(verified.code == 65 && verified.output.contains("\(name):") && verified.output.contains("byte "))
        let report = try await json(run("verify", "--format", "json").output)
        #expect(report[0]["isDamaged"] as? Bool == true && (report[0]["problems"] as? [Any])?.isEmpty == false)
        let repaired = try await json(run("repair", "--format", "json").output)
        #expect(repaired[0]["wasWhole"] as? Bool == false && (repaired[0]["events"] as? Int ?? 0) >= 55)
        #expect(try await run("verify").code == 0)
        #expect(try await run("repair", name).output.contains("\(name): intact, "))
        #expect(try await run("repair", "--format", "json").output == "[]\n")
    }

    @Test func `repair finds a damage in the middle by itself, and in a compressed recording`() async throws {
        let path = folder.file("drives/" + name)
        try Data(folder.bytes("drives/" + name)).write(to: URL(filePath: folder.file("drives/other.json")))
        #expect(try await Program(["-n", path], of: "gzip", in: folder).wait() == 0)
        for name in ["other.json", name + ".gz"] {
            var bytes = try folder.bytes("drives/" + name)
            bytes[bytes.count / 2] ^= 0xFF
            try folder.write(bytes, to: "drives/" + name)
        }
        #expect(try await run("verify").code == 65)
        let repaired = try await json(run("repair", "--format", "json").output)
        #expect(Set(repaired.compactMap { $0["name"] as? String }) == ["other.json", name + ".gz"])
        #expect(repaired.allSatisfy { $0["keptAs"] != nil && $0["wasOutOfOrder"] as? Bool == false })
        let verified = try await run("verify")
        #expect(verified.code == 0, "\(verified.output)")
        // One complete line is lost, and the file read by another program is complete.
        #expect(try await run("info", "other.json").output.contains("events    89"))
        let text = try await Program.run(["-c", path + ".gz"], of: "gunzip")
        #expect(text.code == 0)
        #expect(try JSONSerialization.jsonObject(with: Data(text.output.utf8)) is [String: Any])
    }
}
#endif
