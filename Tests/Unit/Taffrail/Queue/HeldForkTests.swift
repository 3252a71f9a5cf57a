import TaffrailTestSupport
import Testing

/// Forks that keep the writer from working.
@Suite(.mayBlock) struct HeldForkTests {
    @Test func `the writer works although a fork does not end`() throws {
        let directory = TemporaryDirectory()
        let subject = try Program.subject(["fork-held", directory.file("app.log")])
        #expect(subject.end() == .exited(0))
        #expect(directory.lines("app.log").count == 2)
    }
}
