import TaffrailTestSupport
import Testing

@testable import Taffrail

@Suite(.mayBlock) struct AmbientForkTests {
    @Test func `the ring of a forked child starts with the current attributes`() throws {
        let directory = TemporaryDirectory()
        let subject = try Program.subject(["fork-context", directory.file("app.log")])
        #expect(subject.end() == .exited(0))
        let lines = directory.lines("app.log")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains("\"attributes\":{\"ship\":\"Gudrun\"}") })
    }
}
