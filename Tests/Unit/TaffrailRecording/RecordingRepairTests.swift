import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText

@Suite(.mayBlock) struct RecordingRepairTests {
    /// A recording of `count` events.
    static func make(_ folder: TemporaryDirectory, _ name: String, count: Int) throws -> String {
        let writer = try RecordingWriter(path: folder.file(name), metadata: SampleDrive.metadata())
        for index in 0..<count { writer.append(RecordingWriterTests.event(index)) }
        try writer.close()
        return writer.path
    }

    static func events(_ path: String) throws -> [RecordedEvent] {
        var reader = try RecordingReader(path: path)
        var events: [RecordedEvent] = []
        while let event = try reader.next() { events.append(event) }
        return events
    }

    @Test func `an intact recording is not changed`() throws {
        let folder = TemporaryDirectory()
        let path = try Self.make(folder, "a.json", count: 20)
        let before = try folder.bytes("a.json")
        let report = try RecordingReport(checking: path)
        #expect(
            report.isIntact && report.events == 20 && report.locations == 20 && report.duration == .milliseconds(1_900))
        let repair = try RecordingRepair(of: path)
        #expect(repair.wasIntact && repair.events == 20)
        #expect(try folder.bytes("a.json") == before && folder.names == ["a.json"])
    }

    @Test func `wherever a recording is truncated, every event before that is kept`() throws {
        let folder = TemporaryDirectory()
        let whole = try folder.bytes(String(Self.make(folder, "a.json", count: 12).split(separator: "/").last ?? ""))
        let ends = whole.indices.filter { whole[$0] == 10 }.dropFirst()
        var generator = SeededGenerator(seed: 71)
        for _ in 0..<60 {
            let cut = Int.random(in: 60..<whole.count - 5, using: &generator)
            let path = folder.file("cut.json")
            try Data(whole[..<cut]).write(to: URL(filePath: path))
            #expect(try !RecordingReport(checking: path).isIntact)
            let kept = min(12, ends.count { $0 <= cut })
            let repair = try RecordingRepair(of: path, assumed: SampleDrive.metadata())
            // The comma after an event may be missing, but not its closing brace.
            #expect(repair.events == kept || repair.events == kept + 1, "cut at \(cut)")
            #expect(try RecordingWriterTests.check(path).events == repair.events)
            #expect(try Self.events(path) == (0..<repair.events).map { RecordingWriterTests.event($0) })
            for name in folder.names where name.contains("damaged") {
                #expect(try folder.bytes(name) == Array(whole[..<cut]))
                try FileManager.default.removeItem(atPath: folder.file(name))
            }
        }
    }

    @Test func `a hole in the middle costs only the events it touches`() throws {
        let folder = TemporaryDirectory()
        let path = try Self.make(folder, "a.json", count: 2_000)
        var bytes = try folder.bytes("a.json")
        for index in 200_000..<204_096 { bytes[index] = 0 }
        try Data(bytes).write(to: URL(filePath: path))
        let report = try RecordingReport(checking: path)
        #expect(report.isDamaged)
        let repair = try RecordingRepair(of: path)
        #expect(repair.events > 1_980 && repair.events < 2_000 && repair.bytesLost >= 4_096)
        #expect(repair.keptAs == path + ".damaged")
        #expect(try folder.bytes("a.json.damaged") == bytes)
        let found = try RecordingWriterTests.check(path)
        #expect(found.events == repair.events && found.metadata.device == "ferry \"Aurelia\"")
        let events = try Self.events(path)
        #expect(events.first == RecordingWriterTests.event(0) && events.last == RecordingWriterTests.event(1_999))
    }

    @Test func `untrue metadata is found, and put right`() throws {
        let folder = TemporaryDirectory()
        try folder.write(
            RecordingReaderTests.indented.replacing("\"eventCount\": 2", with: "\"eventCount\": 7")
                .replacing("\"duration\": 135.0", with: "\"duration\": 3"), to: "a.json")
        let report = try RecordingReport(checking: folder.file("a.json"))
        #expect(report.problems.count == 2 && !report.isDamaged)
        #expect(report.problems.first?.description == "eventCount is 7, but there are 2 events")
        let repair = try RecordingRepair(of: folder.file("a.json"))
        #expect(repair.events == 2 && repair.bytesLost == 0 && repair.keptAs == nil)
        let found = try RecordingWriterTests.check(folder.file("a.json"))
        #expect(found.metadata.duration == .seconds(135) && found.metadata.systemVersion == "Debian GNU/Linux 12")
        #expect(folder.names == ["a.json"])
    }

    @Test func `lost metadata is derived from the first event`() throws {
        let folder = TemporaryDirectory()
        let path = folder.file("a.json")
        try folder.write(
            """
            {"events":[
            {"type":"error","timestamp":"2026-01-05T14:30:05Z","relativeTime":5,"code":0,"domain":"d","description":"x"},
            {"type":"err
            """, to: "a.json")
        _ = try RecordingRepair(of: path, assumed: RecordingMetadata(device: "me"))
        let metadata = try #require(try RecordingProbe.metadata(FileDescriptor(reading: path)))
        #expect(metadata.recordedAt == RFC3339.timestamp("2026-01-05T14:30:00Z"))
        #expect(metadata.eventCount == 1 && metadata.device == "me" && metadata.duration == .seconds(5))
    }

    @Test func `time that goes backwards is reported, and corrected`() throws {
        let folder = TemporaryDirectory()
        let writer = try RecordingWriter(path: folder.file("a.json"), metadata: SampleDrive.metadata())
        for index in [1, 4, 2, 4, 0] { writer.append(RecordingWriterTests.event(index)) }
        try writer.close()
        let report = try RecordingReport(checking: writer.path)
        #expect(!report.isIntact && !report.isDamaged && report.problems.count == 2)
        let before = try folder.bytes("a.json")
        let repair = try RecordingRepair(of: writer.path)
        #expect(repair.wasOutOfOrder && repair.events == 5 && repair.bytesLost == 0)
        #expect(try RecordingWriterTests.check(writer.path).events == 5)
        #expect(try Self.events(writer.path) == [0, 1, 2, 4, 4].map { RecordingWriterTests.event($0) })
        #expect(repair.keptAs == writer.path + ".damaged")
        #expect(try folder.bytes("a.json.damaged") == before && folder.names == ["a.json", "a.json.damaged"])
    }

    /// An event as other programs may write it: its keys in any order, an unknown type, missing times.
    static let foreign = [
        #"{"data":{"coordinate":{"longitude":12.5,"latitude":55.5}},"relativeTime":1,"type":"location"}"#,
        #"{"type":"step","relativeTime":2,"feet":[{"type":"left"},{"type":"right"}]}"#,
        #"{"timestamp":"2026-01-05T14:30:03Z","description":"x","relativeTime":null,"type":"error"}"#,
        #"{"type":"step","relativeTime":-1}"#, #"{"type":"step"}"#,
        #"{"relativeTime":4,"type":"error","code":1,"timestamp":"2026-01-05T14:30:04Z"}"#,
    ]

    @Test(arguments: [false, true])
    func `recordings of other programs are kept, and missing times are added`(isTorn: Bool) throws {
        let folder = TemporaryDirectory()
        let path = folder.file("a.json")
        let start = #"{"metadata":{"version":"1.1","recordedAt":"2026-01-05T14:30:00Z","eventCount":9},"events":["#
        // The damage is an event whose end is missing, with something in it that looks like one.
        let damage = #"{"type":"step","relativeTime":0,"feet":[{"type":"left"},{"ty"# + "\n"
        let text = start + (isTorn ? damage : "") + Self.foreign.joined(separator: ", ") + "]}"
        try folder.write(text, to: "a.json")
        let repair = try RecordingRepair(of: path)
        #expect(repair.events == 6 - (isTorn ? 2 : 0) && !repair.wasOutOfOrder)
        #expect((repair.keptAs == nil) == !isTorn && (repair.bytesLost > 0) == isTorn)
        let whole = try RecordingWriterTests.check(path)
        #expect(whole.events == repair.events && whole.metadata.version == "1.1")
        let lines = folder.text("a.json").split(separator: "\n").filter { $0.hasPrefix("{\"") && $0.contains("type") }
            .map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
        var wanted = Self.foreign
        wanted[2] = wanted[2].replacing("null", with: "2.0")
        wanted[3] = wanted[3].replacing("-1", with: "2.0")
        wanted[4] = #"{"relativeTime":2.0,"type":"step"}"#
        // After damage, an object with neither a known type nor a time may be anything.
        if isTorn { wanted.removeSubrange(3...4) }
        #expect(lines == wanted)
    }

    @Test func `unreadable parts stay in the damaged file`() throws {
        let folder = TemporaryDirectory()
        for (name, text) in [
            ("a.json", #"{"note":"by me","events":[],"metadata":{"eventCount":1}}"#),
            ("b.json", #"{"events":[],"metadata":{"zone":"CET","eventCount":1}}"#),
            ("c.json", #"{"events":[{"type":"error","relativeTime":0}],"metadata":{"version":"1.0","device":"ferr"#),
        ] {
            try folder.write(text, to: name)
            let repair = try RecordingRepair(of: folder.file(name))
            #expect(repair.bytesLost > 0 && repair.keptAs == folder.file(name) + ".damaged", "\(name)")
            #expect(folder.text(name + ".damaged") == text)
            #expect(try RecordingWriterTests.check(folder.file(name)).events == repair.events)
        }
    }

    @Test func `a recording of another version is not changed`() throws {
        let folder = TemporaryDirectory()
        let text = #"{"metadata":{"version":"2.0","recordedAt":"2026-01-05T14:30:00Z"},"happenings":[]}"#
        try folder.write(text, to: "a.json")
        let error = #expect(throws: RecordingError.self) { try RecordingRepair(of: folder.file("a.json")) }
        #expect(error?.kind == .unsupportedVersion && folder.text("a.json") == text && folder.names == ["a.json"])
    }

    @Test(arguments: [
        #"{"name":"ferry","version":"1.0.0","dependencies":{"events":"^3.3.0"}}"#, "[1,2]", "hello", "",
    ])
    func `a file that is not a recording is not changed`(text: String) throws {
        let folder = TemporaryDirectory()
        try folder.write(text, to: "package.json")
        let error = #expect(throws: RecordingError.self) { try RecordingRepair(of: folder.file("package.json")) }
        #expect(error?.kind == .malformed && error?.description == "\(folder.file("package.json")): not a recording")
        #expect(folder.text("package.json") == text && folder.names == ["package.json"])
    }

    @Test(arguments: ["{\"events\" : [\n{\"type\":\"loc", "{\"events\":[]"])
    func `a recording without a readable event is repaired`(text: String) throws {
        let folder = TemporaryDirectory()
        try folder.write(text, to: "a.json")
        #expect(try RecordingRepair(of: folder.file("a.json")).events == 0)
        #expect(try RecordingWriterTests.check(folder.file("a.json")).events == 0)
    }

    @Test func `a recorder's file without anything readable is repaired`() throws {
        let folder = TemporaryDirectory()
        let name = "geo_log_2026-01-05_14-30-00.json"
        try folder.write(String(repeating: "\0", count: 4_096), to: name)
        let repair = try RecordingRepair(of: folder.file(name))
        #expect(repair.events == 0 && repair.keptAs == folder.file(name + ".damaged"))
    }

    @Test func `a recording that is being written is not repaired`() throws {
        let folder = TemporaryDirectory()
        let writer = try RecordingWriter(path: folder.file("a.json"), metadata: SampleDrive.metadata())
        for index in [1, 2, 1] { writer.append(RecordingWriterTests.event(index)) }
        try writer.commit()
        let error = #expect(throws: RecordingError.self) { try RecordingRepair(of: writer.path) }
        #expect(error?.reason.contains("is being written") == true)
        try writer.close()
    }

    @Test func `whatever the damage, the repaired file is complete`() throws {
        let folder = TemporaryDirectory()
        var generator = SeededGenerator(seed: 72)
        _ = try Self.make(folder, "whole.json", count: 15)
        let whole = try folder.bytes("whole.json")
        let path = folder.file("a.json")
        let lines = whole.split(separator: 10).filter { $0.starts(with: "{\"type\"".utf8) }.map { line in
            line.last == UInt8(ascii: ",") ? line.dropLast() : line
        }
        #expect(lines.count == 15)
        for _ in 0..<150 {
            let damaged = generator.damaged(whole)
            try Data(damaged).write(to: URL(filePath: path))
            let intact = lines.count { damaged.firstRange(of: $0) != nil }
            do {
                _ = try RecordingRepair(of: path)
            } catch {
                // The damage has made another version of it, or left nothing of it.
                try #require(error.kind == .unsupportedVersion || error.kind == .malformed && intact == 0)
                #expect(try folder.bytes("a.json") == damaged)
                continue
            }
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path))) as? [String: Any]
            let events = object?["events"] as? [[String: Any]]
            let metadata = object?["metadata"] as? [String: Any]
            #expect(events != nil && metadata?["eventCount"] as? Int == events?.count)
            #expect((events?.count ?? 0) >= intact)
        }
    }
}
