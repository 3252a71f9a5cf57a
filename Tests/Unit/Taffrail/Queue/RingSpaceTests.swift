import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct RingSpaceTests {
    @Test func `freed space of a ring is zero in its file`() throws {
        let directory = TemporaryDirectory()
        let sink = try FileSink(FileOptions(path: directory.file("app.log")))
        let pipeline = Pipeline(sinks: [sink], queue: QueueOptions(capacity: 256 << 10, handleSignals: false))
        defer { pipeline.shutdown() }
        for n in 0..<1_000 { pipeline.logger.info("line \(n)") }
        try #require(pipeline.flush())
        #expect(directory.messages.count == 1_000)
        let name = try #require(directory.rings.first)
        let ring = [UInt8](try #require(FileManager.default.contents(atPath: directory.path + "/.taffrail/" + name)))
        // The start of the data.
        let start = ring.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 12, as: UInt32.self)) }
        try #require(start >= RingHeader.length && ring.count >= start + 256 << 10)
        let isZero = ring[start...].allSatisfy { $0 == 0 }
        #expect(isZero)
    }

    @Test(.enabled(if: access("/dev/shm", W_OK) == 0, "not every file system on disk frees a part of a file"))
    func `a ring that has ended keeps no space for records`() throws {
        let directory = TemporaryDirectory(isInMemory: true)
        let capacity = 1 << 20
        let ring = try Ring.inFile(
            directory: directory.path, capacity: capacity, start: 0, encoder: "text", destination: "app.log")
        let file = try FileDescriptor(try #require(ring.path), [.readWrite])
        func space() -> Int {
            var status = stat()
            fstat(file.number, &status)
            return Int(status.st_blocks) * 512
        }
        #expect(space() >= capacity)
        ring.unlink()
        ring.release()
        #expect(space() < capacity)
        #expect(ring.header.run == ring.run && ring.data.load(as: UInt64.self) == 0)
    }

    @Test func `a ring in memory that has ended keeps no space for records`() throws {
        let ring = try Ring.inMemory(capacity: 1 << 20, start: 0)
        ring.data.storeBytes(of: 1, as: UInt64.self)
        ring.unlink()
        ring.release()
        // Memory that was given back is zero.
        #expect(ring.header.run == ring.run && ring.data.load(as: UInt64.self) == 0)
    }
}
