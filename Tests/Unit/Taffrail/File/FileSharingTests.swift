import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Several writers on one file, and changes made to it by others meanwhile.
@Suite(.mayBlock) struct FileSharingTests {
    let directory = TemporaryDirectory()

    func options(_ rotate: RotationOptions = RotationOptions(size: nil)) -> FileOptions {
        FileOptions(path: directory.file("app.log"), rotate: rotate, time: .utc)
    }

    func messages(_ name: String) -> [String] { directory.lines(name).map { String($0.dropFirst(33)) } }

    /// The messages of all files, the oldest file first.
    var all: [String] {
        (directory.names.filter { $0.hasPrefix("app-") } + ["app.log"]).flatMap { messages($0) }
    }

    /// Writes 3000 lines from each of two threads, and checks that each line is present once, complete and in order.
    func writeFromTwoSides() async throws {
        let options = options(RotationOptions(size: .kibibytes(16), keep: nil))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in ["a", "b"] {
                group.addTask {
                    let sink = try FileSink(options, clock: { 1_767_623_400_000_000_000 }, notice: { _ in })
                    for batch in 0..<300 {
                        try sink.write(
                            (0..<10).map { "\(writer) \(batch * 10 + $0) " + String(repeating: "x", count: $0) })
                    }
                    try sink.close()
                }
            }
            try await group.waitForAll()
        }
        let found = all.map { $0.split(separator: " ") }
        #expect(found.allSatisfy { $0.count >= 2 })
        for writer in ["a", "b"] {
            let numbers = found.filter { $0.first == Substring(writer) }.compactMap { Int($0[1]) }
            #expect(numbers == Array(0..<3000))
        }
        let rotated = directory.names.filter { $0.hasPrefix("app-") }
        #expect(rotated.count > 10)
        let sizes = rotated.map { directory.size($0) }
        #expect(sizes.allSatisfy { $0 <= 16 << 10 && $0 > 15 << 10 }, "\(sizes)")
    }

    @Test func `two sinks on one file keep every line whole and once, and rotate together`() async throws {
        try await writeFromTwoSides()
    }

    @Test(.enabled(if: access("/proc/locks", R_OK) == 0, "/proc/locks cannot be read"))
    func `a sink waits while another holds the log's lock`() async throws {
        let options = options()
        let first = try FileSink(options)
        try first.write(["first"])
        try first.close()
        let state = try LogState(of: #require(LogPath(ofLog: options.path)))
        let inode = try #require(try FileStatus.of(directory.file(".taffrail/lock"))?.inode)
        try state.lock()
        let isDone = Locked(false)
        let writer = OwnThread {
            if let sink = try? FileSink(options) { try? sink.write(["second"]) }
            isDone.withLock { $0 = true }
        }
        // The kernel lists who waits for a lock with an arrow.
        let isAwaited = await eventually {
            let locks = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
            return isDone.withLock { $0 }
                || locks.split(separator: "\n").contains { $0.contains(" -> ") && $0.contains(":\(inode) ") }
        }
        #expect(isAwaited)
        #expect(!isDone.withLock { $0 })
        #expect(messages("app.log") == ["first"])
        state.unlock()
        try await blocking { writer.join() }
        #expect(messages("app.log") == ["first", "second"])
    }

    @Test func `if no state can be stored next to the log, the file itself is locked`() async throws {
        try directory.append("in the way", to: ".taffrail")
        try await writeFromTwoSides()
        let said = Locked<[String]>([])
        let sink = try FileSink(options(), clock: { 0 }, notice: { line in said.withLock { $0.append(line) } })
        try sink.write(["more"])
        #expect(said.withLock { $0.count } == 1)
    }

    @Test func `a file that was renamed or deleted is created again`() throws {
        let sink = try FileSink(options())
        try sink.write(["a"])
        rename(directory.file("app.log"), directory.file("app.log.1"))
        try sink.write(["b"])
        unlink(directory.file("app.log"))
        try sink.write(["c"])
        #expect(messages("app.log.1") == ["a"])
        #expect(messages("app.log") == ["c"])
        try sink.flush()
    }

    @Test func `a truncated file is continued from its start`() throws {
        let sink = try FileSink(options())
        try sink.write(["a"])
        truncate(directory.file("app.log"), 0)
        try sink.write(["b"])
        #expect(directory.text("app.log") == "[2026-01-05 14:30:00.123] [INFO] b\n")
    }

    @Test func `a deleted directory is created again, with its state`() throws {
        let log = FileOptions(path: directory.file("x/app.log"), time: .utc)
        let sink = try FileSink(log)
        try sink.write(["a"])
        rename(directory.file("x"), directory.file("y"))
        try sink.write(["b"])
        #expect(directory.lines("x/app.log").count == 1)
        #expect(directory.lines("y/app.log").count == 1)
        #expect(try FileStatus.of(directory.file("x/.taffrail/lock")) != nil)
    }

    @Test func `deleted state is created again`() throws {
        let sink = try FileSink(options())
        try sink.write(["a"])
        unlink(directory.file(".taffrail/lock"))
        try sink.write(["b"])
        let other = try FileSink(options())
        try other.write(["c"])
        #expect(messages("app.log") == ["a", "b", "c"])
    }

    @Test func `a torn last line is ended before the next record`() throws {
        try directory.append("torn by a power cut", to: "app.log")
        try FileSink(options()).write(["a"])
        #expect(directory.lines("app.log").count == 2)
        #expect(directory.lines("app.log")[0] == "torn by a power cut")
    }

    @Test func `a symbolic link is followed only if others could not have created it`() throws {
        mkdir(directory.file("real"), 0o755)
        symlink(directory.file("real/log.txt"), directory.file("app.log"))
        try directory.append("", to: "real/log.txt")
        try FileSink(options(RotationOptions(size: .kibibytes(1)))).write((0..<100).map { "number \($0)" })
        #expect(try FileStatus.of(directory.file("app.log"))?.isSymbolicLink == true)
        #expect(try Directory.entries(of: directory.file("real")).count == 6)
        chmod(directory.path, 0o777)
        let sink = try FileSink(options())
        let error = #expect(throws: SinkError.self) { try sink.write(["a"]) }
        #expect(error?.kind == .temporary)
        #expect(error?.reason.contains("symbolic link") == true)
        unlink(directory.file("app.log"))
        try sink.write(["a"])
    }

    @Test func `anything but a file is refused without waiting for it`() throws {
        mkfifo(directory.file("app.log"), 0o600)
        let sink = try FileSink(options())
        #expect(throws: SinkError.self) { try sink.write(["a"]) }
        unlink(directory.file("app.log"))
        mkdir(directory.file("app.log"), 0o700)
        #expect(throws: SinkError.self) { try sink.write(["a"]) }
        rmdir(directory.file("app.log"))
        try sink.write(["a"])
        #expect(messages("app.log") == ["a"])
    }

    @Test func `reading and clearing the log work next to a writing sink`() throws {
        let sink = try FileSink(options())
        try sink.write(["a"])
        #expect(sink.contents() == "[2026-01-05 14:30:00.123] [INFO] a\n")
        try sink.clear()
        #expect(sink.contents() == "")
        try sink.write(["b"])
        #expect(messages("app.log") == ["b"])
    }

    @Test func `a reopened sink continues`() throws {
        let sink = try FileSink(options())
        try sink.write(["a"])
        try sink.reopen()
        try sink.write(["b"])
        try sink.close()
        #expect(messages("app.log") == ["a", "b"])
    }

    @Test func `flushing reaches rotated files, renamed and deleted ones`() throws {
        let sink = try FileSink(options(RotationOptions(size: .kibibytes(1), keep: 3)))
        try sink.write((0..<500).map { "number \($0)" })
        rename(directory.file("app.log"), directory.file("moved"))
        try sink.write((0..<50).map { "number \($0)" })
        try sink.flush()
        try sink.flush()
        try sink.write(["critical"], level: .critical)
    }
}
