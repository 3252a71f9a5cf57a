import TaffrailTestSupport
import Testing

/// A block that stops in the middle on a full disk, and then cannot be cut off.
@Suite(.mayBlock, .enabled(if: TracedCalls.compiler != nil, "no C compiler is installed")) struct FailedCutTests {
    let directory = TemporaryDirectory()
    let outside = TemporaryDirectory()

    /// The first write after the failed truncation finds room, or none.
    @Test(arguments: [1, 2])
    func `nothing is appended to a part of a block that cannot be cut off, until it is`(fullWrites: Int) throws {
        let subject = try Program.subject(
            ["steps", directory.file("app.log"), "log:10", "drain", "fail", "log:600", "drain", "shutdown"],
            environment: [
                "LD_PRELOAD": try TracedCalls.library(in: outside), "TRACE_CALLS": outside.file("trace"),
                "FAIL_CUT_OF": "/app.log", "FAIL_SYNC_IF": outside.file("fail"), "FAIL_WRITES": "\(fullWrites)",
            ], errors: outside.file("errors"))
        #expect(subject.readToEnd() == "drain true\ndrain true\nshutdown true", "\(outside.text("errors"))")
        #expect(subject.end() == .exited(0))
        #expect(TracedCalls(outside.text("trace")).calls.count { $0.name == "uncut" } == 1)
        #expect(directory.messages == (1...610).map { "line \($0)" })
        #expect(directory.rings == [])
    }
}
