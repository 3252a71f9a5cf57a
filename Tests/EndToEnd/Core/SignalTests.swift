import Foundation
import Glibc
import TaffrailTestSupport
import Testing

/// SIGTERM in a process other than the one that started to log, or with nothing left to drain.
@Suite(.mayBlock) struct SignalTests {
    private let directory = TemporaryDirectory()

    private var log: String { directory.path + "/app.log" }

    @Test func `SIGTERM drains a forked child that has logged, and kills it`() async throws {
        let subject = try Program.subject(["signal-child", log])
        #expect(try await blocking { subject.readToEnd() } == "killed \(SIGTERM)")
        #expect(try await blocking { subject.end() } == .exited(0))
        #expect(Set(directory.messages) == Set(["parent"] + (1...1000).map { "child \($0)" }))
        #expect(directory.messages.count == 1001)
        #expect(directory.rings == [])
    }

    @Test func `SIGTERM kills a forked child that has not logged`() async throws {
        let subject = try Program.subject(["signal-silent-child", log])
        #expect(try await blocking { subject.readToEnd() } == "killed \(SIGTERM)")
        #expect(try await blocking { subject.end() } == .exited(0))
        #expect(directory.messages == ["parent"])
    }

    @Test func `SIGTERM kills at once when the log has been shut down`() async throws {
        let subject = try Program.subject(["signal-after-shutdown", log])
        #expect(try await blocking { subject.readToEnd() } == "shut down")
        #expect(try await blocking { subject.end() } == .killed(SIGTERM))
        #expect(directory.messages == ["line 1"])
    }

    @Test func `a process that blocks SIGTERM in all threads ends with its exit status when the log is written`()
        async throws
    {
        let subject = try Program.subject(["signal-blocked", log])
        #expect(try await blocking { subject.readToEnd() } == "")
        #expect(try await blocking { subject.end() } == .exited(128 + SIGTERM))
        #expect(directory.messages == ["line 1"])
        #expect(directory.rings == [])
    }

    // MARK: PID 1

    private static let canMakeNamespace =
        geteuid() == 0 && unshareWorks

    private static var unshareWorks: Bool {
        guard
            let pid = try? Program.start(
                "unshare", ["-pf", "true"], environment: [:], input: .file("/dev/null"), output: .file("/dev/null"),
                errors: .file("/dev/null"))
        else { return false }
        return Program.reap(pid, 0) == .exited(0)
    }

    @Test(.enabled(if: canMakeNamespace, "a PID namespace needs root and unshare"))
    func `a container's main program continues logging after SIGTERM, as it continues without a log`() async throws {
        let program = try #require(Program.path("TaffrailTestSubject"))
        let subject = try Program(["-pf", "--kill-child", program, "tick", log], of: "unshare")
        defer { subject.send(SIGKILL) }
        #expect(await eventually { directory.messages.contains("tick 3") })
        let children = try String(contentsOfFile: "/proc/\(subject.pid)/task/\(subject.pid)/children", encoding: .utf8)
        let inner = try #require(pid_t(children.trimmingCharacters(in: .whitespaces)))
        #expect(kill(inner, SIGTERM) == 0)
        let seen = directory.messages.count
        #expect(await eventually { directory.messages.count > seen + 100 })
        // Read once: the log grows meanwhile, and its last line may be incomplete.
        let messages = Array(directory.messages.dropLast())
        #expect(messages == (1...messages.count).map { "tick \($0)" })
    }
}
