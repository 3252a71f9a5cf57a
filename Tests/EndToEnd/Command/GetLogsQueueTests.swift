#if Command
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// `./get-logs` on logs whose queues are elsewhere or wait for another sink, and on those that logrotate rotates.
@Suite(.mayBlock) struct GetLogsQueueTests {
    private let base = GetLogsTests()
    private let logs = TemporaryDirectory()

    private func makeLogs() throws {
        for name in ["a", "b", "a/.taffrail", "b/.taffrail", "queues"] { mkdir(logs.file(name), 0o700) }
        try logs.log(["before"], to: "a/app.log")
        try logs.log(["before"], to: "b/second.log")
    }

    @Test(arguments: GetLogsTests.shells)
    func `a queue that another sink or directory has is counted, and read where taffrail is at hand`(shell: [String])
        throws
    {
        try makeLogs()
        let ring = logs.leaveRing(
            "queues", [("file:app.log", logs.file("a/app.log"), 0), ("second", logs.file("b/second.log"), 1)])
        for name in ["a", "b"] { try logs.write("\(ring)\n", to: "\(name)/.taffrail/\(CraftedRing().run).at") }
        for (name, left) in [("a/app.log", 1...3), ("b/second.log", 2...3)] {
            let without = try base.run([logs.file(name)], shell: shell)
            #expect(without.end == .exited(75))
            let reason = "bytes are still in the queue of a killed program, or of one whose log cannot be written; "
            #expect(without.errors.contains(reason + "taffrail recover DIR there writes"), "\(without.errors)")
            #expect(without.messages == ["before"])
            let with = try base.run([logs.file(name)], shell: shell, taffrail: GetLogsTests.taffrail)
            #expect(with.end == .exited(0), "\(with.errors)")
            #expect(with.messages == ["before"] + left.map { "left \($0) taffrail.unrecovered=true" })
        }
        rename(logs.file("queues"), logs.file("moved"))
        let moved = try base.run([logs.file("b")], shell: shell)
        #expect(moved.end == .exited(74))
        #expect(moved.errors.contains("the queue that it names cannot be read"), "\(moved.errors)")
    }

    @Test(arguments: GetLogsTests.shells)
    func `a pointer that names no queue is reported, unless its queue is beside it`(shell: [String]) throws {
        try makeLogs()
        let pointer = logs.file("a/.taffrail/\(CraftedRing().run).at")
        for text in ["", "\n", "/elsewhere/other.ring\n"] {
            try logs.write(text, to: "a/.taffrail/\(CraftedRing().run).at")
            let result = try base.run([logs.file("a")], shell: shell)
            #expect(result.end == .exited(74) && result.messages == ["before"])
            #expect(result.errors == "get-logs: \(pointer): cannot be read, or names no queue\n")
        }
        _ = logs.leaveRing("a/.taffrail", [("file:app.log", logs.file("a/app.log"), 3)])
        let beside = try base.run([logs.file("a")], shell: shell)
        #expect(beside.end == .exited(0) && beside.errors == "", "\(beside.errors)")
    }

    @Test(arguments: GetLogsTests.shells)
    func `a log with a filter comes with what that lets through`(shell: [String]) throws {
        try makeLogs()
        let ring = logs.leaveRing(
            "queues", [("file:app.log", logs.file("a/app.log"), 0), ("second", logs.file("b/second.log"), 1)],
            filters: [1: SinkFilter(level: .error)])
        for name in ["a", "b"] { try logs.write("\(ring)\n", to: "\(name)/.taffrail/\(CraftedRing().run).at") }
        let left = (1...3).map { "left \($0) taffrail.unrecovered=true" }
        for (name, messages) in [("a/app.log", ["before"] + left), ("b/second.log", ["before"])] {
            let result = try base.run([logs.file(name)], shell: shell, taffrail: GetLogsTests.taffrail)
            #expect(result.end == .exited(0), "\(result.errors)")
            #expect(result.messages == messages)
        }
    }

    @Test(arguments: GetLogsTests.shells)
    func `a queue of a program with processors is left to recover, and the others are read`(shell: [String]) throws {
        try makeLogs()
        _ = logs.leaveRing("a/.taffrail", [("file:app.log", logs.file("a/app.log"), 0)])
        let name = "a/.taffrail/\(CraftedRing().run).ring"
        let plain = try logs.bytes(name)
        var processed = plain
        processed.withUnsafeMutableBytes { bytes in
            if let base = bytes.baseAddress { RingHeader(base: base).setHasProcessors() }
        }
        try logs.write(processed, to: name)
        let kept = try base.run([logs.file("a")], shell: shell, taffrail: GetLogsTests.taffrail)
        #expect(kept.end == .exited(75) && kept.messages == ["before"], "\(kept.errors)")
        #expect(kept.errors.contains("/\(name): the program has processors, so that at least "), "\(kept.errors)")
        #expect(kept.errors.contains("; taffrail recover DIR --config FILE there writes them"), "\(kept.errors)")
        #expect(kept.errors.split(separator: "\n").count == 1, "\(kept.errors)")
        try logs.write(plain, to: "a/.taffrail/0000000000000abc.ring")
        let both = try base.run([logs.file("a")], shell: shell, taffrail: GetLogsTests.taffrail)
        #expect(both.end == .exited(75), "\(both.errors)")
        #expect(both.messages == ["before"] + (1...3).map { "left \($0) taffrail.unrecovered=true" })
    }

    @Test(arguments: GetLogsTests.shells)
    func `a log that has all of a queue is complete, whatever waits for other sinks`(shell: [String]) throws {
        try makeLogs()
        _ = logs.leaveRing(
            "a/.taffrail", [("file:app.log", logs.file("a/app.log"), 3), ("store", logs.file("store"), 0)])
        let result = try base.run([logs.file("a")], shell: shell)
        #expect(result.end == .exited(0), "\(result.errors)")
        #expect(result.errors == "" && result.messages == ["before"])
        // In part: less than all that the queue has.
        _ = logs.leaveRing(
            "a/.taffrail", [("file:app.log", logs.file("a/app.log"), 2), ("store", logs.file("store"), 0)])
        #expect(try base.run([logs.file("a")], shell: shell).end == .exited(75))
    }

    @Test(arguments: GetLogsTests.shells) func `what logrotate has rotated comes too, the oldest first`(shell: [String])
        throws
    {
        for n in 1...12 { try logs.write("\(13 - n) of 13\n", to: "app.log.\(n)") }
        for n in [2, 11, 12] { try Gzip.compress(logs.file("app.log.\(n)")) }
        try logs.write("13 of 13\n", to: "app.log")
        let result = try base.run([logs.path], shell: shell)
        #expect(result.end == .exited(0) && result.errors == "", "\(result.errors)")
        #expect(result.lines == (1...13).map { "\($0) of 13" })
        try logs.write("?", to: "app.log.13.xz")
        let foreign = try base.run([logs.path], shell: shell)
        #expect(foreign.end == .exited(74) && foreign.lines == result.lines)
        #expect(foreign.errors.contains("app.log.13.xz: not read"), "\(foreign.errors)")
    }
}
#endif
