import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// A textbook daemon: a child that closes all descriptors and opens its own files.
@Suite(.mayBlock) struct ClosedDescriptorTests {
    let directory = TemporaryDirectory()

    @Test func `a child that closed its descriptors keeps the files that it opened instead`() throws {
        let outside = TemporaryDirectory()
        let subject = try Program.subject(
            ["steps", directory.file("app.log"), "log:3", "flush", "fork-closed", "log:3", "flush", "shutdown"],
            errors: outside.file("errors"))
        #expect(subject.readToEnd() == "flush true\nchild 0\nflush true\nshutdown true", "\(outside.text("errors"))")
        #expect(subject.end() == .exited(0))
        for number in 0..<10 {
            #expect(directory.text("app.log.own\(number)") == "first\nsecond\nthird\n", "\(number)")
        }
        #expect(directory.lines("app.log").filter { $0.hasSuffix("child") }.count == 1)
        #expect(directory.lines("app.log").filter { $0.contains("] line ") }.count == 6)
        let log = try #require(LogPath(ofLog: directory.file("app.log")))
        #expect(try LogState(of: log).isOwn)
    }

    /// The other sinks, in addition to the file, that keep descriptors open from one call to the next.
    static let sinks: [String] = {
        var sinks = ["geo-recorder"]
        #if Journald
        sinks.append("journald")
        #endif
        #if Store
        sinks += ["log-store", "location-store"]
        #endif
        #if HTTP
        sinks += ["http", "pinger"]
        #endif
        return sinks
    }()

    @Test(arguments: sinks)
    func `it keeps them whatever other sinks its parent had open`(_ sink: String) throws {
        let outside = TemporaryDirectory()
        let journal = try DatagramSocket(directory.file("journal"))
        let subject = try Program.subject(
            [
                "steps-with", directory.file("app.log"), "file,\(sink)", "log:3", "locate:3", "flush", "fork-closed",
                "log:3", "flush", "shutdown",
            ], errors: outside.file("errors"))
        let printed = subject.readToEnd()
        #expect(printed == "flush true\nchild 0\nflush true\nshutdown true", "\(outside.text("errors"))")
        #expect(subject.end() == .exited(0))
        for number in 0..<10 {
            #expect(directory.text("app.log.own\(number)") == "first\nsecond\nthird\n", "\(number)")
        }
        #expect(directory.lines("app.log").filter { $0.hasSuffix("child") }.count == 1)
        if sink == "journald" { #expect(journal.read().contains("MESSAGE=child\n")) }
    }

    @Test func `a child has none of its parent's files, however many these are`() throws {
        try directory.append("", to: "file")
        let subject = try Program.subject(["fork-with-many", directory.file("file")])
        #expect(subject.readToEnd() == "child has 0 of 600\nparent has 600")
        #expect(subject.end() == .exited(0))
    }

    @Test func `a child that is forked during a write has a sink that works`() throws {
        let outside = TemporaryDirectory()
        let subject = try Program.subject(["fork-busy", directory.file("app.log")], errors: outside.file("errors"))
        #expect(subject.readToEnd() == "child 0 shutdown true", "\(outside.text("errors"))")
        #expect(subject.end() == .exited(0))
        #expect(directory.lines("app.log") == ["child", "parent"])
    }

    @Test func `a descriptor whose number has become another file's is not closed`() throws {
        try directory.append("a", to: "a")
        try directory.append("b", to: "b")
        let other = try FileDescriptor(directory.file("b"), .read)
        var number: CInt = -1
        do {
            let file = try FileDescriptor(directory.file("a"), .read, closedInChildren: true)
            number = file.number
            dup2(other.number, number)
        }
        #expect(fcntl(number, F_GETFD) >= 0)
        close(number)
    }
}
