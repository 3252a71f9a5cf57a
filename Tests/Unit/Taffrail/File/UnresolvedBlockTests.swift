import Foundation
import Glibc
import Synchronization
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Blocks of killed processes that the next holder of the lock cannot truncate: what their files have of them is not
/// written again.
@Suite(.mayBlock) struct UnresolvedBlockTests {
    private let directory = TemporaryDirectory()
    private let ring: FakeRing
    private let torn = "[2026-01-05 14:30:00.123] [INFO] tw"

    init() { ring = FakeRing(path: directory.file(".taffrail/0007.ring")) }

    private func line(_ message: String) -> String { "[2026-01-05 14:30:00.123] [INFO] \(message)\n" }

    /// Leaves the intent of a block after a first line, and what has been written of the block.
    private func die(_ written: String, _ change: (inout WriteIntent) -> Void = { _ in }) throws {
        try directory.append(line("whole"), to: "app.log")
        let live = try FileDescriptor(directory.file("app.log"), .readWrite)
        var intent = WriteIntent(
            kind: .block, file: live.identity(try live.status()), start: Int64(line("whole").utf8.count), end: 640,
            run: RingID(7), sinkSlot: 3, text: Array("0007.ring".utf8))
        change(&intent)
        let state = try LogState(of: #require(LogPath(ofLog: directory.file("app.log"))))
        intent.store(in: state.slot)
        try directory.append(written, to: "app.log")
    }

    private func restart(_ notice: @escaping @Sendable (String) -> Void = { _ in }) throws -> FileSink {
        let sink = try FileSink(
            FileOptions(path: directory.file("app.log"), time: .utc), clock: { ManualClock().nanoseconds },
            readCheckpoint: ring.reader, notice: notice)
        try sink.open()
        return sink
    }

    private var position: UInt64 { ring.position.load(ordering: .sequentiallyConsistent) }

    @Test func `what a compressed log has of a block is not written again`() throws {
        try die(line("one") + torn)
        try Gzip.compress(directory.file("app.log"))
        let sink = try restart()
        try sink.write(["one", "two"], checkpoint: ring.checkpoint)
        #expect(directory.text("app.log") == line("two"))
        try sink.write(["three"], checkpoint: ring.checkpoint, start: position)
        #expect(directory.text("app.log") == line("two") + line("three"))
        #expect(directory.names == ["app.log", "app.log.gz"])
    }

    @Test(arguments: ["app.log.1", "app.log-20260105", "app-20260105T143000.123Z-0001.log"])
    func `a log that was renamed and compressed is found too, and its block may be in two batches`(
        name: String
    ) throws {
        try die(line("one") + line("two") + line("three"))
        rename(directory.file("app.log"), directory.file(name))
        try Gzip.compress(directory.file(name))
        let sink = try restart()
        try sink.write(["one", "two"], checkpoint: ring.checkpoint)
        #expect(directory.text("app.log") == "" && position > 0)
        try sink.write(["three", "four"], checkpoint: ring.checkpoint, start: position)
        #expect(directory.text("app.log") == line("four"))
    }

    @Test func `a copy of the log has its lines, although it is another file`() throws {
        try die(line("one") + torn)
        try directory.write(directory.bytes("app.log"), to: "copy")
        rename(directory.file("copy"), directory.file("app.log"))
        let sink = try restart()
        try sink.write(["one", "two"], checkpoint: ring.checkpoint)
        #expect(directory.text("app.log") == line("whole") + line("one") + torn + "\n" + line("two"))
    }

    @Test func `a log that was copied and truncated gets only what the copy lacks`() throws {
        try die(line("one") + torn)
        try directory.write(directory.bytes("app.log"), to: "app.log.1")
        truncate(directory.file("app.log"), 0)
        let sink = try restart()
        try sink.write(["one", "two"], checkpoint: ring.checkpoint)
        #expect(directory.text("app.log") == line("two"))
    }

    @Test func `a ring that was moved does not write again what the log has`() throws {
        try die(line("one") + torn) { $0.text = Array("/old/queues/0007.ring".utf8) }
        let sink = try restart()
        try sink.write(["one", "two"], checkpoint: ring.checkpoint)
        #expect(directory.text("app.log") == line("whole") + line("one") + torn + "\n" + line("two"))
    }

    @Test func `after a restart of the machine the log is not truncated, and its lines are not written again`() throws {
        try die(line("one") + torn) { $0.boot = BootID(high: 1, low: 2) }
        let sink = try restart()
        try sink.write(["one", "two"], checkpoint: ring.checkpoint)
        #expect(directory.text("app.log") == line("whole") + line("one") + torn + "\n" + line("two"))
    }

    @Test func `records of other runs are written meanwhile`() throws {
        try die(line("one"))
        try Gzip.compress(directory.file("app.log"))
        let sink = try restart()
        let other = SinkCheckpoint(ringPath: directory.file(".taffrail/0008.ring"), run: RingID(8), slot: 3) { _ in
            true
        }
        try sink.write(["one"], checkpoint: other)
        try sink.write(["one", "two"], checkpoint: ring.checkpoint)
        #expect(directory.text("app.log") == line("one") + line("two"))
    }

    @Test func `what is written after the restart does not count for the block, even if it is the same`() throws {
        try die("") { $0.boot = BootID(high: 1, low: 2) }
        let sink = try restart()
        let other = SinkCheckpoint(ringPath: directory.file(".taffrail/0008.ring"), run: RingID(8), slot: 3) { _ in
            true
        }
        try sink.write(["one"], checkpoint: other)
        try sink.write(["one", "two"], checkpoint: ring.checkpoint)
        #expect(directory.text("app.log") == line("whole") + line("one") + line("one") + line("two"))
    }

    @Test func `another log with the same lines is not taken for a copy of one that is whole`() throws {
        try die("") { $0.boot = BootID(high: 1, low: 2) }
        try directory.append(line("whole") + line("one"), to: "app.log.all")
        let sink = try restart()
        try sink.write(["one"], checkpoint: ring.checkpoint)
        #expect(directory.text("app.log") == line("whole") + line("one"))
    }

    @Test func `records after the block are written, whatever the file has there`() throws {
        try die(line("one")) { $0.end = 1 }
        try Gzip.compress(directory.file("app.log"))
        let sink = try restart()
        try sink.write(["one"], checkpoint: ring.checkpoint)
        #expect(directory.text("app.log") == line("one"))
    }

    @Test func `a line counts as written only if the file has it at its place`() throws {
        try die(line("one"))
        try Gzip.compress(directory.file("app.log"))
        let sink = try restart()
        try sink.write(["other", "one"], checkpoint: ring.checkpoint)
        #expect(directory.text("app.log") == line("other") + line("one"))
    }

    @Test func `a log that is no longer in the directory is reported, and an older one is not taken for it`() throws {
        let outside = TemporaryDirectory()
        try die(line("one"))
        try directory.write(directory.bytes("app.log"), to: "app.log.1")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -86_400)], ofItemAtPath: directory.file("app.log.1"))
        rename(directory.file("app.log"), outside.file("app.log"))
        let notices = Locked<[String]>([])
        let sink = try restart { notice in notices.withLock { $0.append(notice) } }
        try sink.write(["one"], checkpoint: ring.checkpoint)
        try sink.write(["two"], checkpoint: ring.checkpoint, start: position)
        #expect(directory.text("app.log") == line("one") + line("two"))
        #expect(notices.withLock { $0.filter { $0.contains("is no longer in \(directory.path)") }.count } == 1)
    }

    @Test func `the intent of a log behind a link names its ring, also if the log was not open yet`() throws {
        let outside = TemporaryDirectory()
        try outside.append("", to: "real.log")
        symlink(outside.file("real.log"), directory.file("app.log"))
        let log = try #require(LogPath(ofLog: outside.file("real.log")))
        let rings = Locked<[String]>([])
        let checkpoint = SinkCheckpoint(ringPath: ring.path, run: RingID(7), slot: 3) { _ in
            guard let state = try? LogState(of: log), let intent = WriteIntent(in: state.slot) else { return false }
            rings.withLock { $0.append(intent.ringPath(of: log)) }
            return true
        }
        let sink = try FileSink(FileOptions(path: directory.file("app.log")))
        try sink.write(["one"], checkpoint: checkpoint)
        #expect(rings.withLock { $0 } == [directory.file(".taffrail/0007.ring")])
    }
}
