import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailRecording
@testable import TaffrailText

@Suite(.mayBlock) struct RecordingManagerTests {
    static func manager(_ folder: TemporaryDirectory) -> RecordingManager {
        RecordingManager(directory: URL(filePath: folder.path))
    }

    @Test func `recordings are listed oldest first, with the metadata at their ends`() throws {
        let folder = TemporaryDirectory()
        for (name, offset) in [("b.json", 0.0), ("a.json", 60.0)] {
            var metadata = SampleDrive.metadata()
            metadata.recordedAt = RecordingWriterTests.start + .seconds(offset)
            let writer = try RecordingWriter(path: folder.file(name), metadata: metadata)
            for index in 0..<30 { writer.append(RecordingWriterTests.event(index)) }
            try writer.close()
        }
        try folder.write(RecordingReaderTests.indented, to: "indented.json")
        try folder.write("hello", to: "damaged.json")
        try folder.write("hello", to: "other.txt")
        let list = Self.manager(folder).listRecordings()
        #expect(list.map(\.name) == ["b.json", "indented.json", "a.json", "damaged.json"])
        #expect(list[0].eventCount == 30 && abs(list[0].duration - 2.9) < 1e-9 && !list[0].isMetadataMissing)
        #expect(list[0].size == Int64(try folder.bytes("b.json").count))
        #expect(list[0].date.timeIntervalSince1970 == RecordingWriterTests.start.secondsSince1970)
        #expect(list[1].device == "ferry")
        #expect(list[3].isMetadataMissing && list[3].eventCount == 0)
        #expect(RecordingManager(directory: URL(filePath: folder.file("none"))).listRecordings().isEmpty)
    }

    @Test func `a recording is deleted by its name, and nothing outside of the folder`() throws {
        let folder = TemporaryDirectory()
        _ = try RecordingRepairTests.make(folder, "a.json", count: 1)
        let inner = RecordingManager(directory: URL(filePath: folder.file("inner")))
        for name in ["../a.json", "", ".", "..", "/etc/passwd", "b.json"] {
            #expect(throws: RecordingError.self) { try inner.deleteRecording(name: name) }
        }
        #expect(folder.names == ["a.json"])
        try Self.manager(folder).deleteRecording(name: "a.json")
        #expect(folder.names.isEmpty)
        let error = #expect(throws: RecordingError.self) { try Self.manager(folder).deleteRecording(name: "a.json") }
        #expect(error?.kind == .missing)
    }

    @Test func `a recording is exported without its reserve and imported under a new name`() throws {
        let folder = TemporaryDirectory()
        let elsewhere = TemporaryDirectory()
        let writer = try RecordingWriter(path: folder.file("a.json"), metadata: SampleDrive.metadata())
        for index in 0..<30 { writer.append(RecordingWriterTests.event(index)) }
        try writer.commit()
        let manager = Self.manager(folder)
        #expect(manager.exportRecording(name: "a.json").path == folder.file("a.json"))
        let target = URL(filePath: elsewhere.file("a.json"))
        try manager.exportRecording(name: "a.json", to: target)
        let copy = try elsewhere.bytes("a.json")
        #expect(copy.count == writer.size)
        #expect(try RecordingWriterTests.check(target.path).events == 30)
        #expect(throws: RecordingError.self) { try manager.exportRecording(name: "a.json", to: target) }
        #expect(try elsewhere.bytes("a.json") == copy)
        let imported = try manager.importRecording(from: target)
        #expect(imported.name == "a-2.json" && imported.eventCount == 30)
        #expect(folder.names == ["a-2.json", "a.json"])
        try writer.close()
    }

    @Test func `a recording is copied in its state at the start of the copy`() throws {
        let folder = TemporaryDirectory()
        let writer = try RecordingWriter(path: folder.file("a.json"), metadata: SampleDrive.metadata())
        for index in 0..<30 { writer.append(RecordingWriterTests.event(index)) }
        try writer.commit()
        let before = try folder.bytes("a.json").prefix(writer.size)
        let source = try RecordingManager.contents(of: writer.path)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: before.count - 100, alignment: 1)
        defer { buffer.deallocate() }
        var copy: [UInt8] = []
        for index in 30..<40 {
            let count = try source.read(into: buffer)
            copy += buffer[..<count]
            // The recorder replaces the bytes after the last event.
            writer.append(RecordingWriterTests.event(index))
            try writer.commit()
        }
        #expect(copy == Array(before))
        try writer.close()
    }

    @Test func `an error in copying a recording is that of the file that cannot be read or written`() throws {
        let folder = TemporaryDirectory()
        let path = try RecordingRepairTests.make(folder, "a.json", count: 1)
        for (name, target, wrong) in [("none.json", "b.json", "none.json"), ("a.json", "none/b.json", "none/b.json")] {
            let error = #expect(throws: RecordingError.self) {
                try Self.manager(folder).exportRecording(name: name, toPath: folder.file(target))
            }
            #expect(error?.kind == .missing && error?.path == folder.file(wrong), "\(String(describing: error))")
        }
        let error = #expect(throws: RecordingError.self) {
            try Self.manager(folder).exportRecording(name: "a.json", toPath: path)
        }
        #expect(error?.kind == .taken && folder.names == ["a.json"])
    }

    @Test func `a file that is not a recording is not imported`() throws {
        let folder = TemporaryDirectory()
        let elsewhere = TemporaryDirectory()
        try elsewhere.write(String(RecordingReaderTests.indented.dropLast(9)), to: "cut.json")
        #expect(throws: RecordingError.self) {
            try Self.manager(folder).importRecording(from: URL(filePath: elsewhere.file("cut.json")))
        }
        #expect(folder.names.isEmpty)
    }

    @Test func `damaged recordings are repaired together`() throws {
        let folder = TemporaryDirectory()
        _ = try RecordingRepairTests.make(folder, "a.json", count: 9)
        try Data(folder.bytes("a.json").dropLast(300)).write(to: URL(filePath: folder.file("b.json")))
        let repairs = Self.manager(folder).repairDamagedRecordings()
        #expect(Array(repairs.keys) == ["b.json"])
        #expect(try RecordingWriterTests.check(folder.file("b.json")).events >= 7)
        #expect(Self.manager(folder).listRecordings().filter(\.isMetadataMissing).isEmpty)
    }

    @Test func `a hundred recordings of ten megabytes are listed from head and tail`() throws {
        let folder = TemporaryDirectory()
        let path = try RecordingRepairTests.make(folder, "0.json", count: 10)
        let text = try folder.bytes("0.json")
        let tail = try #require(text.lastIndex(of: UInt8(ascii: "]")))
        // The middle is not read, so that a hole will do for it.
        let file = try FileDescriptor(updating: path)
        try file.truncate(to: 10_000_000)
        try file.write(Array(text[tail...]), at: 10_000_000)
        for number in 1..<100 { link(path, folder.file("\(number).json")) }
        let list = Self.manager(folder).listRecordings()
        #expect(list.count == 100 && list.allSatisfy { $0.eventCount == 10 && !$0.isMetadataMissing })
    }

    @Test func `this device has a name and a system`() {
        let metadata = RecordingMetadata.forCurrentDevice()
        #expect(metadata.device == ProcessInfo.processInfo.hostName || !metadata.device.isEmpty)
        #expect(!metadata.systemVersion.isEmpty && !metadata.systemVersion.contains("\""))
    }
}
