#if Command
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// `taffrail tail -f` as a separate program.
@Suite(.mayBlock, .serialized) struct TailFollowTests {
    let directory = TemporaryDirectory()

    /// 60,000 lines; 1,000,000 in the long form.
    static let lines = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 60_000 : 1_000_000

    func follow(_ arguments: [String]) throws -> Program {
        try Program(
            ["tail", "-f"] + arguments, of: "taffrail", environment: ["TZ": "UTC"], errors: directory.file(".errors"))
    }

    func append(_ text: String, to name: String = "app.log") throws {
        try directory.append("[2026-01-05 14:30:00.000] [INFO] \(text)\n", to: name)
    }

    func message(_ tail: Program) -> String? {
        tail.readLine()?.split(separator: "] ", maxSplits: 2).last.map(String.init)
    }

    @Test func `a log that rotates every 64 KiB is followed: each line once, in order`() throws {
        try directory.append("", to: "app.log")
        let tail = try follow([directory.file("app.log")])
        let writer = try Program.subject(["count-small", directory.file("app.log"), "\(Self.lines)", "w"])
        let result = FollowedNumbers(tail)
        let reader = OwnThread { result.read(upTo: Self.lines) }
        #expect(writer.end() == .exited(0))
        reader.join()
        #expect(result.next == Self.lines)
        #expect(result.wrong == "")
        #expect(directory.names.count > Self.lines / 3000)
        tail.send(SIGTERM)
        #expect(tail.end() == .killed(SIGTERM))
        #expect(directory.text(".errors") == "")
    }

    @Test func `a log is followed over renaming, deletion and truncation`() throws {
        try append("one")
        let tail = try follow([directory.file("app.log")])
        #expect(message(tail) == "one")
        rename(directory.file("app.log"), directory.file("app.log.1"))
        try append("two")
        #expect(message(tail) == "two")
        unlink(directory.file("app.log"))
        try append("three")
        #expect(message(tail) == "three")
        let file = try FileDescriptor(directory.file("app.log"), .write)
        try file.truncate(to: 0)
        try append("4")
        #expect(message(tail) == "4")
        #expect(directory.text(".errors").contains("truncated"))
    }

    @Test func `a new log in a followed directory is found, and -n 0 prints only new lines`() throws {
        try append("old")
        let tail = try follow(["-n", "0", directory.path])
        try waitUntilWatching(tail)
        try append("new")
        #expect(message(tail) == "new")
        try append("other", to: "other.log")
        #expect(message(tail) == "other")
    }

    /// Waits until the program is in its poll, with its watches set up.
    private func waitUntilWatching(_ tail: Program) throws {
        let isWatching = waited {
            let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(tail.pid)/fd")) ?? []
            let links = open.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(tail.pid)/fd/\($0)")
            }
            return links.contains { $0.contains("inotify") }
        }
        try #require(isWatching, "it does not watch")
    }

    @Test func `a killed program's records are printed once, even when they are recovered meanwhile`() throws {
        try append("before")
        let log = directory.file("app.log")
        mkdir(directory.file(".taffrail"), 0o700)
        var ring = CraftedRing(sinks: ["file:app.log"])
        for n in 1...3 {
            ring.append(
                LogRecord(
                    timestamp: Timestamp(nanoseconds: 1_767_623_500_000_000_000), level: .info, message: "left \(n)",
                    attributes: [LogValueEntry("n", .int(Int64(n)))]))
        }
        ring.write(to: directory.file(".taffrail/0000000000000abc.ring"))
        let tail = try follow([log])
        #expect(message(tail) == "before")
        for n in 1...3 { #expect(message(tail) == "left \(n) n=\(n) taffrail.unrecovered=true") }
        let recover = try Program(["recover", directory.path], of: "taffrail", environment: ["TZ": "UTC"])
        #expect(recover.readToEnd().hasPrefix("recovered 3 records"))
        #expect(recover.end() == .exited(0))
        #expect(directory.lines("app.log").count == 4)
        try append("behind")
        #expect(message(tail) == "behind")
    }

    @Test(arguments: ["-f", "", "--format json", "-n 19000"])
    func `a reader that goes ends it quietly`(options: String) throws {
        // More than a pipe holds.
        try directory.append(
            String(repeating: "[2026-01-05 14:30:00.000] [INFO] x\n", count: 20_000), to: "app.log")
        let log = directory.file("app.log")
        let shell = try Program(
            [
                "-c",
                "'\(Program.products)/taffrail' tail \(options) '\(log)' | head -n 1; echo ${PIPESTATUS[0]}",
            ],
            of: "/bin/bash", errors: directory.file(".errors"))
        #expect(shell.readLine()?.contains("x") == true)
        #expect(shell.readToEnd() == "0")
        #expect(directory.text(".errors") == "")
    }
}

/// The numbers of the test subject's lines as they come.
private final class FollowedNumbers: @unchecked Sendable {
    private(set) var next = 0
    private(set) var wrong = ""
    private let tail: Program

    init(_ tail: Program) { self.tail = tail }

    func read(upTo end: Int) {
        while next < end, let line = tail.readLine() {
            guard line.hasSuffix(" n \(next)") else {
                wrong = "\(line) instead of \(next)"
                return
            }
            next += 1
        }
    }
}
#endif
