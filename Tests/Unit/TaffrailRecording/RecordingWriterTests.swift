import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText

@Suite(.mayBlock) struct RecordingWriterTests {
    static let start = SampleDrive.start

    static func event(_ index: Int) -> RecordedEvent {
        var location = Location(
            latitude: 55 + Double(index) * 1e-5, longitude: 12.123456789,
            timestamp: start + .milliseconds(100 * index))
        location.speed = 5
        location.extra.device = "/dev/ttyACM0"
        return RecordedEvent(
            timestamp: start + .milliseconds(100 * index), relativeTime: Double(index) / 10,
            event: .location(location))
    }

    /// Reads a file with a strict JSON reader, and compares its metadata with its events.
    static func check(_ path: String) throws -> (events: Int, metadata: RecordingMetadata) {
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path))) as? [String: Any])
        let events = try #require(object["events"] as? [[String: Any]])
        let metadata = try #require(object["metadata"] as? [String: Any])
        #expect(metadata["eventCount"] as? Int == events.count)
        let last = try events.last.map { try #require($0["relativeTime"] as? Double) } ?? 0
        let duration = try #require(metadata["duration"] as? Double)
        #expect(duration == last)
        let probed = try #require(try RecordingProbe.metadata(FileDescriptor(reading: path)))
        #expect(probed.eventCount == events.count && probed.seconds == duration)
        return (events.count, probed)
    }

    @Test func `the file is complete JSON with the correct count after every commit`() throws {
        let folder = TemporaryDirectory()
        let writer = try RecordingWriter(path: folder.file("a.json"), metadata: SampleDrive.metadata())
        #expect(try Self.check(writer.path).events == 0)
        var generator = SeededGenerator(seed: 61)
        var count = 0
        for _ in 0..<40 {
            for _ in 0..<Int.random(in: 1...40, using: &generator) {
                writer.append(Self.event(count))
                count += 1
            }
            try writer.commit()
            let found = try Self.check(writer.path)
            #expect(found.events == count && found.metadata.device == "ferry \"Aurelia\"")
        }
        #expect(writer.dividedSteps == 0)
        try writer.close()
        #expect(try Self.check(writer.path).events == count)
        // The reserve is gone with the end.
        #expect(try folder.bytes("a.json").count == writer.size)
        var reader = try RecordingReader(path: writer.path)
        var index = 0
        while let event = try reader.next() {
            #expect(event == Self.event(index))
            index += 1
        }
        #expect(index == count)
    }

    @Test func `every location reads back as it was`() throws {
        let folder = TemporaryDirectory()
        let writer = try RecordingWriter(path: folder.file("a.json"), metadata: SampleDrive.metadata())
        var generator = SeededGenerator(seed: 62)
        var events: [RecordedEvent] = []
        for index in 0..<500 {
            let event: GeoEvent =
                index % 7 == 0
                ? .error(
                    GeoError(
                        domain: "d\u{7}", code: -index, description: "gap \"\(index)\"",
                        device: index % 2 == 0 ? nil : "/dev/\(index)"))
                : .location(Location.random(&generator))
            events.append(
                RecordedEvent(
                    timestamp: Self.start + .seconds(index), relativeTime: Double(index) + 0.000001, event: event))
            writer.append(events[index])
        }
        try writer.close()
        var reader = try RecordingReader(path: writer.path)
        var read: [RecordedEvent] = []
        while let event = try reader.next() { read.append(event) }
        #expect(read == events)
    }

    @Test func `one event of several megabytes is one step as well`() throws {
        let folder = TemporaryDirectory()
        let writer = try RecordingWriter(path: folder.file("a.json"), metadata: SampleDrive.metadata())
        let long = LogRecord(timestamp: Self.start, level: .info, message: String(repeating: "ä\n", count: 1_500_000))
        writer.append(RecordedEvent(timestamp: Self.start, relativeTime: 0, event: .log(long)))
        try writer.commit()
        #expect(writer.dividedSteps == 0)
        #expect(try Self.check(writer.path).events == 1)
        writer.append(Self.event(1))
        try writer.close()
        #expect(try Self.check(writer.path).events == 2)
    }

    @Test func `a recording that lasted longer than its last event has that duration`() throws {
        let folder = TemporaryDirectory()
        let writer = try RecordingWriter(path: folder.file("a.json"), metadata: SampleDrive.metadata())
        writer.append(Self.event(3))
        try writer.close(duration: .seconds(60.5))
        #expect(try RecordingProbe.metadata(FileDescriptor(reading: writer.path))?.duration == .seconds(60.5))
        try writer.close(duration: .seconds(70))
        writer.append(Self.event(4))
        try writer.commit()
        #expect(try RecordingProbe.metadata(FileDescriptor(reading: writer.path))?.eventCount == 1)
    }

    @Test func `no file is ever overwritten, and only its owner may read it`() throws {
        let folder = TemporaryDirectory()
        try folder.write("precious", to: "a.json")
        let failure = #expect(throws: SystemError.self) {
            try RecordingWriter(path: folder.file("a.json"), metadata: SampleDrive.metadata())
        }
        #expect(failure?.code == EEXIST)
        #expect(try folder.bytes("a.json") == Array("precious".utf8))
        let writer = try RecordingWriter(path: folder.file("b.json"), metadata: SampleDrive.metadata())
        let mode = try FileManager.default.attributesOfItem(atPath: writer.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a file that another program shortened or deleted is noticed`() throws {
        let folder = TemporaryDirectory()
        let writer = try RecordingWriter(path: folder.file("a.json"), metadata: SampleDrive.metadata())
        writer.append(Self.event(1))
        try writer.commit()
        truncate(writer.path, 10)
        writer.append(Self.event(2))
        #expect(throws: SystemError.self) { try writer.commit() }
        #expect(writer.pendingEvents == 1)
        try FileManager.default.removeItem(atPath: writer.path)
        #expect(throws: SystemError.self) { try writer.sync() }
    }

    @Test func `a full disk leaves the file complete, and recording continues when there is space`() async throws {
        let folder = TemporaryDirectory()
        let path = folder.file("a.json")
        await #expect(processExitsWith: .success) { [path = path as String] in
            // A limit on the size of files fails as a full disk does, without needing one.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let before = limit.rlim_cur
            limit.rlim_cur = 300_000
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let writer = try RecordingWriter(path: path, metadata: SampleDrive.metadata())
            var written = 0
            var failure: SystemError?
            while failure == nil && written < 10_000 {
                for index in written..<written + 10 { writer.append(RecordingWriterTests.event(index)) }
                do throws(SystemError) {
                    try writer.commit()
                    written += 10
                } catch {
                    failure = error
                }
            }
            guard let failure, failure.isFull, writer.pendingEvents == 10, written > 500 else { exit(2) }
            guard try RecordingWriterTests.check(path).events == written else { exit(3) }
            limit.rlim_cur = before
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            try writer.close()
            guard try RecordingWriterTests.check(path).events == written + 10 else { exit(4) }
        }
    }
}
