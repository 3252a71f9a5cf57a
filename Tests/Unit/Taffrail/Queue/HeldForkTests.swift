import TaffrailTestSupport
import Testing

/// Forks and the writer, which wait for each other.
@Suite(.mayBlock) struct HeldForkTests {
    @Test func `the writer works although a fork does not end`() throws {
        let directory = TemporaryDirectory()
        let subject = try Program.subject(["fork-held", directory.file("app.log")])
        #expect(subject.end() == .exited(0))
        #expect(directory.lines("app.log").count == 2)
    }

    @Test func `a fork waits for a writer that waits for another fork`() throws {
        let directory = TemporaryDirectory()
        let subject = try Program.subject(["fork-turns", directory.file("app.log")])
        let output = subject.readToEnd()
        #expect(subject.end() == .exited(0), "\(output)")
    }

    @Test func `more than the queue holds is written while threads fork without a pause`() throws {
        let directory = TemporaryDirectory()
        let subject = try Program.subject(["fork-always", directory.file("app.log")])
        #expect(subject.end() == .exited(0))
        #expect(directory.lines("app.log").count == 1000)
    }
}
