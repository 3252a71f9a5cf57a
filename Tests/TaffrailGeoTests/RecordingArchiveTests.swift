import Foundation
import Taffrail
import Testing

@testable import TaffrailGeo

@Suite struct RecordingArchiveTests {
    static let hasGunzip = Tool.isThere("gunzip")

    @Test(.enabled(if: hasGunzip, "gzip is not installed"))
    func `closed parts are compressed, and are recordings like all others`() throws {
        let folder = try TemporaryFolder()
        var options = RecordingOptions(directory: folder.path)
        options.splitSize = .kibibytes(64)
        options.compressesClosed = true
        let session = RecordingSession(options) { RecordingMetadata(recordedAt: $0, device: "færge \"2\"") }
        let start = RecordingWriterTests.start
        for index in 0..<1_000 {
            try session.splitIfDue(now: start + Double(index))
            try session.take(RecordingSessionTests.location(index), received: start + Double(index), uptime: nil)
            try session.commit()
        }
        try session.finish()
        RecordingArchive.finish()
        let archives = folder.names.filter { $0.hasSuffix(".json.gz") }
        #expect(archives.count >= 2 && folder.names.filter { $0.hasSuffix(".json") }.count == 1)
        #expect(!folder.names.contains { $0.hasSuffix(HiddenFile.suffix) })
        let manager = RecordingManager(directory: URL(filePath: folder.path))
        let listed = manager.listRecordings()
        #expect(listed.count == archives.count + 1 && listed.map(\.eventCount).reduce(0, +) == 1_000)
        #expect(listed.allSatisfy { !$0.isDamaged && $0.device == "færge \"2\"" })
        for info in listed {
            let report = try manager.verifyRecording(name: info.name)
            #expect(report.isWhole && report.events == info.eventCount)
        }
        // Another program reads it, and so does whoever gets it.
        let archive = try #require(archives.first)
        let text = try Tool.run("gunzip", ["-c", folder.file(archive)])
        #expect(text.status == 0)
        let json = try JSONSerialization.jsonObject(with: Data(text.output.utf8)) as? [String: Any]
        #expect((json?["events"] as? [Any])?.count == listed.first { $0.name == archive }?.eventCount)
        try manager.exportRecording(name: archive, to: URL(filePath: folder.file("away.json.gz")))
        #expect(try manager.importRecording(from: URL(filePath: folder.file("away.json.gz"))).name == "away-2.json.gz")
    }

    @Test func `what a compression left is tidied, and damage is said`() throws {
        let folder = try TemporaryFolder()
        let name = "geo_log_2026-01-05_14-30-00.json"
        let session = RecordingSession(RecordingOptions(directory: folder.path))
        try session.take(RecordingSessionTests.location(0), received: RecordingWriterTests.start, uptime: nil)
        try session.commit()
        try session.finish()
        let bytes = try folder.bytes(name)
        try RecordingArchive.compress(folder.file(name))
        #expect(folder.names == [".gitignore", name + ".gz"])
        // A death between the rename and the deletion; and one before the rename.
        try Data(bytes).write(to: URL(filePath: folder.file(name)))
        try folder.write("half", to: ".\(name).gz.1.new")
        #expect(RecordingLeftovers.tidy(folder.path).isEmpty)
        #expect(folder.names == [".gitignore", name + ".gz"])
        var damaged = try folder.bytes(name + ".gz")
        damaged.removeLast(12)
        try Data(damaged).write(to: URL(filePath: folder.file(name + ".gz")))
        let manager = RecordingManager(directory: URL(filePath: folder.path))
        #expect(throws: RecordingError.self) {
            let report = try manager.verifyRecording(name: name + ".gz")
            #expect(report.isDamaged)
            try manager.repairRecording(name: name + ".gz")
        }
    }
}
