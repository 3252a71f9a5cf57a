#if Command && Configuration
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailRecording

/// A recorder in a program that forks.
@Suite(.mayBlock) struct RecorderForkTests {
    private let folder = TemporaryDirectory()
    private let outside = TemporaryDirectory()

    private var messages: [String] {
        get throws {
            try folder.events("drives").compactMap { event in
                if case .log(let record) = event { record.message } else { nil }
            }
        }
    }

    @Test func `a child records into a file of its own, and the parent's continues`() throws {
        let subject = try Program.subject(
            [
                "steps-in-memory", folder.file("app.log"), "geo-recorder", "log:10", "flush", "fork", "log:10", "flush",
                "shutdown",
            ], errors: outside.file("errors"))
        #expect(subject.readToEnd() == "flush true\nchild 0\nflush true\nshutdown true", "\(outside.text("errors"))")
        #expect(subject.end() == .exited(0))
        #expect(try messages.filter { $0.hasPrefix("line ") } == (1...20).map { "line \($0)" })
        #expect(try messages.filter { $0.hasPrefix("child ") } == (1...3).map { "child \($0)" })
        #expect(folder.recordings(in: "drives").count == 2)
        #expect(outside.text("errors") == "")
    }

    @Test func `the parent's recording stays locked when a child has ended`() throws {
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let subject = try Program.subject(
            [
                "steps-with", folder.file("app.log"), "file,geo-recorder", "log:10", "flush", "fork", "read", "log:10",
                "flush", "shutdown",
            ], input: ends[0], errors: outside.file("errors"))
        close(ends[0])
        #expect(subject.readLine() == "flush true")
        #expect(subject.readLine() == "child 0", "\(outside.text("errors"))")
        // As another recorder does that begins in the directory; it does not know the queue.
        #expect(RecordingLeftovers.tidy(folder.file("drives")) == [])
        #expect(write(ends[1], "\n", 1) == 1)
        close(ends[1])
        #expect(subject.readToEnd() == "flush true\nshutdown true", "\(outside.text("errors"))")
        #expect(subject.end() == .exited(0))
        #expect(try messages.filter { $0.hasPrefix("line ") } == (1...20).map { "line \($0)" })
        #expect(outside.text("errors") == "")
    }
}
#endif
