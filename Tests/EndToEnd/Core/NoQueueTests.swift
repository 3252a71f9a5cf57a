import TaffrailTestSupport
import Testing

/// A program's log while no queue can be created.
@Suite(.mayBlock) struct NoQueueTests {
    private let directory = TemporaryDirectory()

    @Test func `logging resumes once a queue can be created, and flush reports earlier drops`()
        async throws
    {
        let errors = directory.path + "/errors"
        let subject = try Program.subject(["no-descriptors", directory.path + "/app.log"], errors: errors)
        #expect(
            try await blocking { subject.readToEnd() }
                == "drain false flush false again true\nflush true shutdown true")
        #expect(try await blocking { subject.end() } == .exited(0))
        #expect(directory.messages.filter { !$0.hasPrefix("dropped ") } == ["again", "last"])
        #expect(directory.messages.contains { $0.hasPrefix("dropped ") && $0.contains("taffrail.dropped.error=1") })
        #expect(directory.rings == [])
    }
}
