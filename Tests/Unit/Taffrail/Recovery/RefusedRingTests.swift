import Glibc
import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Files among the rings that are not valid rings.
@Suite(.mayBlock) struct RefusedRingTests {
    private let directory = TemporaryDirectory()
    private let outside = TemporaryDirectory()

    private func ring() -> CraftedRing {
        var ring = CraftedRing()
        for n in 0..<5 { ring.append(LogRecord(level: .info, message: "\(n)")) }
        return ring
    }

    /// Expects that nothing of the file is read or changed.
    private func expectRefusal(_ reason: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
        let sink = MemorySink()
        let names = directory.names
        let run = RecoveryRun(directory.path, sinks: [sink])
        #expect(run.isDone, sourceLocation: sourceLocation)
        #expect(sink.records == [], sourceLocation: sourceLocation)
        #expect(run.recovery.refused.count == 1, sourceLocation: sourceLocation)
        #expect(run.recovery.refused.first?.contains(reason) == true, sourceLocation: sourceLocation)
        #expect(directory.names == names, sourceLocation: sourceLocation)
    }

    @Test func `a symbolic link is refused`() {
        ring().write(to: outside.file("real"))
        symlink(outside.file("real"), directory.file("a.ring"))
        expectRefusal("symbolic links")
        #expect(outside.size("real") == Int64(ring().bytes.count))
    }

    @Test func `a file with a second name is refused`() {
        ring().write(to: directory.file("a.ring"))
        link(directory.file("a.ring"), outside.file("second"))
        expectRefusal("has several links")
    }

    @Test func `a pipe, a directory and a socket are refused without waiting`() {
        mkfifo(directory.file("a.ring"), 0o600)
        expectRefusal("not a regular file")
        unlink(directory.file("a.ring"))
        mkdir(directory.file("a.ring"), 0o700)
        expectRefusal("directory")
        rmdir(directory.file("a.ring"))
        mknod(directory.file("a.ring"), S_IFSOCK | 0o600, 0)
        expectRefusal("a.ring")
    }

    @Test(.enabled(if: geteuid() == 0, "giving a file to another user needs root"))
    func `another user's file is refused`() {
        ring().write(to: directory.file("a.ring"))
        chown(directory.file("a.ring"), 65534, 65534)
        expectRefusal("belongs to another user")
    }

    @Test func `a file that is not a ring is refused`() throws {
        for text in ["", "short", String(repeating: "TAFRING1", count: 4096)] {
            try directory.append(text, to: "a.ring")
            expectRefusal("a.ring")
            unlink(directory.file("a.ring"))
        }
    }

    @Test func `the ring of a live run is not touched`() throws {
        let living = try Ring.inFile(
            directory: directory.path, capacity: 4096, start: 0, encoder: "text", destination: "app.log",
            sinks: ["memory"])
        let sink = MemorySink()
        let run = RecoveryRun(directory.path, sinks: [sink], hasLiving: true)
        #expect(run.isDone && run.recovery.refused == [] && sink.records == [])
        #expect(Recovery.rings(in: directory.path).count == 1)
        living.release()
        _ = RecoveryRun(directory.path, sinks: [sink])
        #expect(Recovery.rings(in: directory.path) == [])
    }

    @Test(arguments: ["../app.log", "/etc/app.log", "..", ".", "a/b.log"])
    func `a ring that names a file outside of its directory is not written there`(name: String) throws {
        mkdir(directory.file("logs"), 0o700)
        mkdir(directory.file("logs/.taffrail"), 0o700)
        var ring = CraftedRing(sinks: ["file:app.log"], destination: name)
        ring.append(LogRecord(level: .info, message: "stray"))
        ring.write(to: directory.file("logs/.taffrail/a.ring"))
        let report = try LogRecovery.recover(directory: directory.file("logs"))
        #expect(report.records == 0 && report.refused.count == 1)
        #expect(directory.names == ["logs"])
        #expect(try Directory.entries(of: directory.file("logs")).map(\.name) == [".taffrail"])
        #expect(Recovery.rings(in: directory.file("logs/.taffrail")) == ["a.ring"])
        unlink(directory.file("logs/.taffrail/a.ring"))
    }
}
