import Glibc
import Synchronization
import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock, .enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
struct FullDiskTests {
    func sink(_ disk: SmallDisk, _ rotate: RotationOptions = RotationOptions(size: nil)) throws -> FileSink {
        try FileSink(FileOptions(path: disk.directory.file("app.log"), rotate: rotate, time: .utc))
    }

    /// Writes messages as the writer does: those not taken are offered again.
    func deliver(
        _ messages: [String], to sink: FileSink, ring: FakeRing? = nil, onFailure: (SinkError) throws -> Void
    ) throws {
        var rest = messages[...]
        var start: UInt64 = 0
        for _ in 0..<100 where !rest.isEmpty {
            do throws(SinkError) {
                try sink.write(Array(rest), checkpoint: ring?.checkpoint, start: start)
                rest = []
            } catch {
                #expect(error.kind == .temporary)
                start += rest.prefix(error.taken).reduce(0) { $0 + UInt64(FullDiskTests.recordLength($1)) }
                rest = rest.dropFirst(error.taken)
                try onFailure(error)
            }
        }
        #expect(rest.isEmpty)
    }

    static func recordLength(_ message: String) -> Int {
        max(64, (RecordLayout.headerSize + message.utf8.count + 15) & ~15)
    }

    func messages(_ disk: SmallDisk) -> [String] {
        disk.directory.names.filter { $0.hasPrefix("app") && $0 != "app.log" }.flatMap { disk.directory.lines($0) }
            .map { String($0.dropFirst(33)) } + disk.directory.lines("app.log").map { String($0.dropFirst(33)) }
    }

    @Test func `on a full disk complete lines are kept, and the rest follows when there is space`() throws {
        let disk = try SmallDisk("1m")
        let sink = try sink(disk)
        try sink.open()
        let ring = FakeRing(path: disk.directory.file(".taffrail/0007.ring"))
        let wanted = (0..<9000).map { "record \($0) " + String(repeating: "y", count: $0 % 150) }
        var failures = 0
        try deliver(wanted, to: sink, ring: ring) { error in
            failures += 1
            let text = disk.directory.text("app.log")
            #expect(text.isEmpty || text.hasSuffix("\n"))
            let lines = messages(disk)
            #expect(lines == Array(wanted.prefix(lines.count)))
            #expect(
                ring.position.load(ordering: .relaxed)
                    == wanted.prefix(lines.count).reduce(0) { $0 + UInt64(Self.recordLength($1)) })
            #expect(error.reason.contains("No space left"))
            if failures == 3 { try disk.grow("8m") }
        }
        #expect(failures >= 3)
        #expect(messages(disk) == wanted)
    }

    @Test func `a disk that is full at the start is waited for`() throws {
        let disk = try SmallDisk("256k")
        try disk.fill()
        let sink = try sink(disk)
        #expect(throws: SinkError.self) { try sink.open() }
        var failures = 0
        try deliver(["a", "b"], to: sink) { _ in
            failures += 1
            if failures == 2 { try disk.free() }
        }
        #expect(failures == 2)
        #expect(messages(disk) == ["a", "b"])
    }

    @Test func `a program without a configuration waits for its disk, too`() throws {
        let disk = try SmallDisk("256k")
        try disk.fill()
        let sinks = DefaultLog.sinks(DefaultLog.Settings(file: FileOptions(path: disk.directory.file("app.log"))))
        let sink = try #require(sinks.first as? FileSink)
        try disk.free()
        try sink.write(["a"])
        #expect(messages(disk) == ["a"])
    }

    @Test func `rotation on a full disk loses nothing`() throws {
        let disk = try SmallDisk("512k")
        let sink = try sink(disk, RotationOptions(size: .kibibytes(64), keep: 20))
        try sink.open()
        let wanted = (0..<12_000).map { "record \($0)" }
        var failures = 0
        try deliver(wanted, to: sink) { _ in
            failures += 1
            if failures == 2 { try disk.grow("8m") }
        }
        #expect(failures >= 2)
        #expect(messages(disk) == wanted)
    }

    @Test func `a disk that turns read-only is waited for`() throws {
        let disk = try SmallDisk("1m")
        let sink = try sink(disk)
        try sink.write(["a"])
        try sink.reopen()
        try sink.close()
        try disk.setReadOnly(true)
        var failures = 0
        try deliver(["b"], to: sink) { error in
            failures += 1
            #expect(error.reason.contains("Read-only"))
            if failures == 2 { try disk.setReadOnly(false) }
        }
        #expect(failures == 2)
        #expect(messages(disk) == ["a", "b"])
    }
}
