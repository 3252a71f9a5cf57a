import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct RingCheckpointTests {
    @Test func `the checkpoint of a ring's file is read by run and slot, and of nothing else`() throws {
        let directory = TemporaryDirectory()
        let ring = try Ring.inFile(
            directory: directory.path, capacity: 65_536, start: 65_536, encoder: "text", destination: "app.log",
            sinks: ["file:app.log"])
        let path = try #require(ring.path)
        ring.header.setPosition(ofSlot: 2, 70_016)
        #expect(try RingCheckpoint.read(path, ring.run, 2) == 70_016)
        #expect(try RingCheckpoint.read(path, ring.run, 16) == nil)
        #expect(try RingCheckpoint.read(path, ring.run, -1) == nil)
        #expect(try RingCheckpoint.read(path, RingID(1), 2) == nil)
        symlink(path, directory.file("link"))
        #expect(try RingCheckpoint.read(directory.file("link"), ring.run, 2) == nil)
        truncate(path, 5000)
        #expect(try RingCheckpoint.read(path, ring.run, 2) == nil)
        ring.unlink()
        #expect(try RingCheckpoint.read(path, ring.run, 2) == nil)
    }

    @Test func `a ring that may exist but cannot be read is an error, and one that cannot exist is not`() throws {
        let directory = TemporaryDirectory()
        try directory.write("", to: "file")
        #expect(mkdir(directory.file("7.ring"), 0o700) == 0)
        #expect(try RingCheckpoint.read(directory.file("file/7.ring"), RingID(7), 2) == nil)
        #expect(try RingCheckpoint.read(directory.file("7.ring"), RingID(7), 2) == nil)
        let path = directory.file(String(repeating: "7", count: 300) + ".ring")
        let error = #expect(throws: SystemError.self) { try RingCheckpoint.read(path, RingID(7), 2) }
        #expect(error?.operation == "open \(path)")
    }
}
