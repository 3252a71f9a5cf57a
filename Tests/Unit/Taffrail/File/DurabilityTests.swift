import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Survival of power loss: the calls that a program makes before `flush` returns, and its behaviour when one fails.
@Suite(.mayBlock, .enabled(if: TracedCalls.compiler != nil, "no C compiler is installed")) struct DurabilityTests {
    let directory = TemporaryDirectory()
    let outside = TemporaryDirectory()

    /// Runs the subject through steps.
    ///
    /// - Returns: The lines that it printed.
    func run(
        mode: String = "steps", failing syncs: Int = 0, of file: String = "/app.log", _ steps: String...
    ) throws -> [String] {
        let subject = try start([mode, directory.file("app.log")] + steps, failing: syncs, of: file)
        let output = subject.readToEnd()
        #expect(subject.end() == .exited(0), "\(outside.text("errors"))")
        return output.split(separator: "\n").map(String.init)
    }

    private func start(_ arguments: [String], failing syncs: Int = 0, of file: String = "/app.log") throws -> Program {
        try Program.subject(
            arguments,
            environment: [
                "LD_PRELOAD": try TracedCalls.library(in: outside), "TRACE_CALLS": outside.file("trace"),
                "FAIL_SYNCS": "\(syncs)", "FAIL_SYNC_OF": file,
            ], errors: outside.file("errors"))
    }

    var calls: TracedCalls { TracedCalls(outside.text("trace")) }

    @Test(arguments: ["steps", "steps-gzip"])
    func `when flush returns true, every file that was written is synchronized, and the directory`(_ mode: String)
        throws
    {
        let printed = try run(
            mode: mode, "log:100", "flush", "log:6000", "flush", "log:1", "flush", "log:3000", "shutdown")
        #expect(printed == ["flush true", "flush true", "flush true", "shutdown true"])
        #expect(directory.names.count > 4)
        let calls = calls
        #expect(calls.calls.contains { $0.name == "write" && $0.path.hasSuffix("/app.log") })
        let unsynchronized = calls.unsynchronized(under: directory.path) {
            // A compressed file is of use only once its source is gone, and is synchronized before that.
            !$0.contains("/.taffrail/") && !$0.contains(".gz")
        }
        #expect(unsynchronized == [[], [], [], []])
        #expect(calls.renamedUnsynchronized == [])
    }

    @Test func `a rotated file is deleted once the name of its compressed copy is synchronized`() throws {
        let subject = try start(["steps-gzip", directory.file("app.log"), "log:6000", "await:go", "shutdown"])
        let rotated = directory.path + "/app-"
        func deletions() -> Int { calls.calls.count { $0.name == "unlink" && $0.path.hasPrefix(rotated) } }
        #expect(waited(seconds: 600) { deletions() >= 2 })
        try directory.write("", to: "go")
        #expect(subject.readToEnd() == "shutdown true")
        #expect(deletions() >= 2 && calls.calls.count { $0.name == "packed" } >= 2)
        #expect(calls.deletedUnsynchronized == [])
    }

    @Test func `index and ledger are synchronized before they replace the old ones`() throws {
        _ = try run("log:3000", "shutdown")
        // A rotated file that has grown causes the index to be rewritten; a large ledger is shortened.
        try directory.append("more\n", to: #require(directory.names.first { $0.hasPrefix("app-") }))
        try directory.append(String(repeating: "no entry\n", count: 130_000), to: ".taffrail/ledger")
        _ = try run("log:10", "shutdown")
        let renamed = calls.calls.filter { $0.name == "rename" }.compactMap { $0.path.split(separator: "/").last }
        #expect(renamed.contains("index.tmp") && renamed.contains("ledger.tmp"))
        #expect(calls.renamedUnsynchronized == [])
    }

    @Test func `after a failed sync flush stays false and the ring stays, until the file is replaced`() throws {
        let printed = try run(failing: 1, "log:10", "flush", "log:10", "flush", "flush", "shutdown")
        #expect(printed == ["flush false", "flush false", "flush false", "shutdown false"])
        #expect(outside.text("errors").contains("Input/output error"))
        #expect(directory.rings.count == 1)
        // Its records have left it; none is written twice.
        let report = try LogRecovery.recover(directory: directory.path)
        #expect(report.records == 0 && report.left == [])
        #expect(directory.rings == [])
        #expect(directory.messages == (1...20).map { "line \($0)" })

        let replaced = try run(failing: 1, "log:10", "flush", "delete", "log:10", "flush", "shutdown")
        #expect(replaced == ["flush false", "flush true", "shutdown true"])
        #expect(directory.rings == [])
    }

    @Test func `after a failed sync of the file system flush stays false, as it is not known what was lost`() throws {
        let subject = try start(
            [
                "steps", directory.file("app.log"), "log:10", "drain", "await:go", "log:10", "flush", "flush", "log:1",
                "flush", "shutdown",
            ], failing: 1, of: directory.path)
        #expect(subject.readLine() == "drain true")
        // A file that has left the directory can only be reached through the file system.
        #expect(rename(directory.file("app.log"), outside.file("moved.log")) == 0)
        try directory.write("", to: "go")
        #expect(subject.readToEnd() == "flush false\nflush false\nflush false\nshutdown false")
        #expect(calls.calls.contains { $0.name == "failed" && $0.path == directory.path })
        #expect(outside.text("errors").contains("flush fails until the program is started again"))
        #expect(directory.rings.count == 1)
    }

    @Test func `after a failed sync flush stays false when the file has been compressed`() throws {
        let subject = try start(
            [
                "steps-gzip", directory.file("app.log"), "log:10", "flush", "log:6000", "await:go", "flush", "flush",
                "shutdown",
            ], failing: 1)
        #expect(subject.readLine() == "flush false")
        let rotated = directory.path + "/app-"
        #expect(
            waited(seconds: 600) { calls.calls.contains { $0.name == "unlink" && $0.path.hasPrefix(rotated) } })
        try directory.write("", to: "go")
        #expect(subject.readToEnd() == "flush false\nflush false\nshutdown false")
        #expect(directory.rings.count == 1)
    }

    @Test func `after a failed sync of the directory flush stays false`() throws {
        let printed = try run(failing: 1, of: directory.path, "log:10", "flush", "flush", "log:1", "flush", "shutdown")
        #expect(printed == ["flush false", "flush false", "flush false", "shutdown false"])
        #expect(calls.calls.contains { $0.name == "failed" && $0.path == directory.path })
        #expect(outside.text("errors").contains("flush fails until the program is started again"))
        #expect(directory.rings.count == 1)
    }

    @Test func `the directory is synchronized after another program has replaced the log`() throws {
        let subject = try start(
            ["steps", directory.file("app.log"), "log:10", "flush", "await:go", "log:10", "flush", "shutdown"])
        #expect(subject.readLine() == "flush true")
        #expect(rename(directory.file("app.log"), directory.file("app.log.1")) == 0)
        try directory.write("", to: "app.log")
        try directory.write("", to: "go")
        #expect(subject.readToEnd() == "flush true\nshutdown true")
        let printed = try #require(calls.calls.firstIndex { $0.name == "print" })
        #expect(calls.calls[printed...].contains { $0.name == "sync" && $0.path == directory.path })
        #expect(directory.lines("app.log").count == 10 && directory.lines("app.log.1").count == 10)
    }

    @Test func `what a run could not write to the disk is reported by the next one`() throws {
        #expect(try run(failing: 1, "log:10", "flush", "shutdown") == ["flush false", "shutdown false"])
        #expect(directory.rings.count == 1)
        #expect(!outside.text("errors").contains("tail --verify"))
        #expect(try run("log:1", "flush", "shutdown") == ["flush true", "shutdown true"])
        #expect(outside.text("errors").contains("the system could not write all that run"))
        #expect(directory.rings == [])
        #expect(directory.messages == (1...10).map { "line \($0)" } + ["line 1"])
    }
}
