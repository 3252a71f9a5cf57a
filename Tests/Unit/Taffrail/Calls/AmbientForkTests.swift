import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct AmbientForkTests {
    @Test func `the ring of a forked child begins with what is in effect`() throws {
        let directory = TemporaryDirectory()
        let subject = try SubjectProcess(["fork-context", directory.file("app.log")])
        #expect(subject.wait() == .exited(0))
        let lines = directory.lines("app.log")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains("\"attributes\":{\"ship\":\"Gudrun\"}") })
    }
}
