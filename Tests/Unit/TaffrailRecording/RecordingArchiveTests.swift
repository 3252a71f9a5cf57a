import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText

@Suite(.mayBlock) struct RecordingArchiveTests {
    static let hasGunzip = Program.areThere("gunzip")

    @Test(.enabled(if: hasGunzip, "gzip is not installed"))
    func `closed parts are compressed, and are recordings like all others`() throws {
        let folder = TemporaryDirectory()
        var options = RecordingOptions(directory: folder.path)
        options.splitSize = .kibibytes(64)
        options.compressesClosed = true
        let session = RecordingSession(options) { RecordingMetadata(recordedAt: $0, device: "færge \"2\"") }
        let start = RecordingWriterTests.start
        for index in 0..<1_000 {
            try session.splitIfDue(now: start + .seconds(index))
            try session.take(RecordingSessionTests.location(index), received: start + .seconds(index), uptime: nil)
            try session.commit()
        }
        try session.finish()
        #expect(waited { folder.names.filter { $0.hasSuffix(".json") }.count == 1 })
        let archives = folder.names.filter { $0.hasSuffix(".json.gz") }
        #expect(archives.count >= 2 && folder.names.filter { $0.hasSuffix(".json") }.count == 1)
        #expect(!folder.names.contains { $0.hasSuffix(HiddenFile.suffix) })
        let manager = RecordingManager(directory: URL(filePath: folder.path))
        let listed = manager.listRecordings()
        #expect(listed.count == archives.count + 1 && listed.map(\.eventCount).reduce(0, +) == 1_000)
        #expect(listed.allSatisfy { !$0.isMetadataMissing && $0.device == "færge \"2\"" })
        for info in listed {
            let report = try manager.verifyRecording(name: info.name)
            #expect(report.isIntact && report.events == info.eventCount)
        }
        // Another program can read it, and so can its recipient.
        let archive = try #require(archives.first)
        let text = try Program.run(["-c", folder.file(archive)], of: "gunzip")
        #expect(text.code == 0)
        let json = try JSONSerialization.jsonObject(with: Data(text.output.utf8)) as? [String: Any]
        #expect((json?["events"] as? [Any])?.count == listed.first { $0.name == archive }?.eventCount)
        try manager.exportRecording(name: archive, to: URL(filePath: folder.file("away.json.gz")))
        #expect(try manager.importRecording(from: URL(filePath: folder.file("away.json.gz"))).name == "away-2.json.gz")
    }

    @Test func `a recording that an earlier run has ended but not compressed is compressed`() throws {
        let folder = TemporaryDirectory()
        var options = RecordingOptions(directory: folder.path)
        for minute in 0..<3 {
            let session = RecordingSession(options)
            let received = RecordingWriterTests.start + .minutes(minute)
            try session.take(RecordingSessionTests.location(minute), received: received, uptime: nil)
            try session.commit()
            try session.finish()
        }
        // Another program is recording.
        let other = RecordingSession(options)
        let received = RecordingWriterTests.start + .minutes(3)
        try other.take(RecordingSessionTests.location(3), received: received, uptime: nil)
        try other.commit()
        let current = try #require(other.path)
        #expect(RecordingSession(options).tidy().isEmpty)
        #expect(folder.names.allSatisfy { !$0.hasSuffix(".gz") })
        options.compressesClosed = true
        #expect(RecordingSession(options).tidy().isEmpty)
        #expect(waited { folder.names.filter { $0.hasSuffix(".json") } == [FileName.base(of: current)] })
        #expect(folder.recordings().map(\.eventCount) == [1, 1, 1, 1])
        try other.finish()
    }

    @Test func `a recording that is locked for a moment is compressed after the others, and after a pause`() {
        let calls = Locked<[String]>([])
        let compressor = RecordingCompressor(pause: { calls.withLock { $0.append("pause") } }) {
            path throws(SystemError) in
            let isFirst = calls.withLock { calls in
                defer { calls.append(path) }
                return !calls.contains(path)
            }
            if path == "always" || isFirst && path == "first" { throw SystemError(path, code: Errno.busy) }
        }
        compressor.add(["first", "always", "next"])
        #expect(waited { calls.withLock { $0.count } == 7 })
        compressor.add(["last"])
        #expect(waited { calls.withLock { $0.last } == "last" })
        let expected = ["first", "always", "next", "pause", "first", "pause", "always", "last"]
        #expect(calls.withLock { $0 } == expected)
    }

    @Test func `leftovers of a compression are cleaned up`() throws {
        let folder = TemporaryDirectory()
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
    }

    @Test func `a damaged archive is repaired: the part before the damage is kept, and compressed again`() throws {
        let folder = TemporaryDirectory()
        let name = "geo_log_2026-01-05_14-30-00.json"
        let session = RecordingSession(RecordingOptions(directory: folder.path)) {
            RecordingMetadata(recordedAt: $0, device: "ferry")
        }
        var generator = SeededGenerator(seed: 73)
        for index in 0..<3_000 {
            var location = Location(
                latitude: Double.random(in: 50..<60, using: &generator), longitude: 12,
                timestamp: RecordingWriterTests.start + .seconds(index))
            location.extra.uptime = Int64(index) * 1_000_000_000
            try session.take(
                .location(location), received: location.timestamp, uptime: location.extra.uptime)
        }
        try session.commit()
        try session.finish()
        let plain = try RecordingRepairTests.events(folder.file(name))
        try RecordingArchive.compress(folder.file(name))
        let archive = try folder.bytes(name + ".gz")
        let manager = RecordingManager(directory: URL(filePath: folder.path))
        #expect(try manager.repairRecording(name: name + ".gz").wasIntact)
        for round in 0..<12 {
            var damaged = archive
            let place = Int.random(in: 300..<damaged.count, using: &generator)
            switch round {
            // The sum at the end; the end of the events; nothing but a head.
            case 0: damaged[damaged.count - 6] ^= 1
            case 1: damaged.removeLast(12)
            case 2: damaged.removeLast(damaged.count - 40)
            case 3: damaged = []
            default: damaged[place] ^= 0x55
            }
            let path = folder.file(name + ".gz")
            try Data(damaged).write(to: URL(filePath: path))
            let report = try manager.verifyRecording(name: name + ".gz")
            #expect(report.isDamaged && !report.isIntact, "round \(round)")
            let repair = try manager.repairRecording(name: name + ".gz")
            #expect(repair.bytesLost > 0 && repair.events >= report.events, "round \(round)")
            #expect(try folder.bytes(name + ".gz.damaged") == damaged && repair.keptAs == path + ".damaged")
            let whole = try manager.verifyRecording(name: name + ".gz")
            #expect(whole.isIntact && whole.events == repair.events, "round \(round): \(whole.problems)")
            let info = try manager.recording(name: name + ".gz")
            #expect(info.eventCount == repair.events && !info.isMetadataMissing)
            #expect(round == 3 || round == 2 || info.device == "ferry")
            // The part before the damage is unchanged.
            let events = try RecordingRepairTests.events(path)
            let intact: Int
            switch round {
            case 0: intact = plain.count
            case 1: intact = plain.count - 1
            case 2, 3: intact = 0
            default:
                try Data(archive[..<place]).write(to: URL(filePath: folder.file("before.json.gz")))
                intact = try manager.verifyRecording(name: "before.json.gz").events
                try manager.deleteRecording(name: "before.json.gz")
            }
            // An event with a damaged time may be between them.
            var rest = plain.prefix(intact)
            for event in events where event == rest.first { rest.removeFirst() }
            let isKept = rest.isEmpty
            #expect(isKept, "round \(round): \(events.count) events, \(intact) before the damage")
            #expect(folder.names == [".gitignore", name + ".gz", name + ".gz.damaged"], "\(folder.names)")
            try FileManager.default.removeItem(atPath: path + ".damaged")
        }
    }
}
