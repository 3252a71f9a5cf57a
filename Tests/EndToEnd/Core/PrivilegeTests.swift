import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Programs that start as root and continue as another user, and logs that both write.
@Suite(.mayBlock, .enabled(if: geteuid() == 0, "only root can drop its privileges")) struct PrivilegeTests {
    static let user: uid_t = 65_534
    let directory = TemporaryDirectory()
    let outside = TemporaryDirectory()

    func run(_ steps: String...) throws -> [String] {
        let subject = try Program.subject(
            ["steps", directory.file("app.log")] + steps, errors: outside.file("errors"))
        let output = subject.readToEnd()
        #expect(subject.end() == .exited(0))
        return output.split(separator: "\n").map(String.init)
    }

    var errors: [Substring] { outside.text("errors").split(separator: "\n") }

    @Test(arguments: [mode_t(0o700), 0o755])
    func `a daemon that drops its privileges after its first record continues logging`(_ mode: mode_t) throws {
        chmod(directory.path, mode)
        let printed = try run("log:5", "flush", "become:65534", "log:5", "flush", "log:2000", "flush", "shutdown")
        #expect(printed == ["flush true", "become true", "flush true", "flush true", "shutdown true"])
        #expect(errors.filter { $0.contains("chown") }.count == 1, "\(errors)")
        _ = try LogRecovery.recover(directory: directory.path)
        #expect(directory.rings == [])
        #expect(directory.messages == (1...2010).map { "line \($0)" })
    }

    @Test func `in the user's directory, a daemon that drops its privileges lacks no rights`() throws {
        chown(directory.path, Self.user, gid_t(Self.user))
        let printed = try run("log:5", "flush", "become:65534", "log:3000", "flush", "shutdown")
        #expect(printed == ["flush true", "become true", "flush true", "shutdown true"])
        #expect(errors == [])
        #expect(directory.rings == [])
        #expect(directory.names.contains { $0.hasPrefix("app-") })
        #expect(directory.messages == (1...3005).map { "line \($0)" })
    }

    @Test func `files that root creates in a user's directory are the user's, and both log there`() throws {
        chown(directory.path, Self.user, gid_t(Self.user))
        #expect(try run("log:2000", "shutdown") == ["shutdown true"])
        for entry in try Directory.entries(of: directory.path) + Directory.entries(of: directory.path + "/.taffrail") {
            let inner = directory.file(entry.name)
            let path = try FileStatus.of(inner) == nil ? directory.path + "/.taffrail/" + entry.name : inner
            #expect(try FileStatus.of(path)?.owner == Self.user, "\(path)")
        }
        let printed = try run("become:65534", "log:2000", "flush", "shutdown")
        #expect(printed == ["become true", "flush true", "shutdown true"])
        #expect(errors.allSatisfy { !$0.contains("no state directory") && !$0.contains("not recovered") }, "\(errors)")
        #expect(directory.rings == [])
        #expect(directory.messages.count == 4000)
    }

    @Test func `directories that root creates in a user's directory are the user's, and both log there`() throws {
        chown(directory.path, Self.user, gid_t(Self.user))
        let log = directory.file("state/ferry/app.log")
        for (steps, printed) in [
            (["log:5", "shutdown"], "shutdown true"),
            (["become:65534", "log:5", "flush", "shutdown"], "become true\nflush true\nshutdown true"),
        ] {
            let subject = try Program.subject(["steps", log] + steps, errors: outside.file("errors"))
            #expect(subject.readToEnd() == printed)
            #expect(subject.end() == .exited(0))
        }
        for name in ["state", "state/ferry", "state/ferry/.taffrail", "state/ferry/app.log"] {
            #expect(try FileStatus.of(directory.file(name))?.owner == Self.user, "\(name)")
        }
        #expect(directory.lines("state/ferry/app.log").count == 10 && errors == [])
    }

    @Test func `a queue that root leaves in a user's directory is reported with the command for it`() throws {
        chown(directory.path, Self.user, gid_t(Self.user))
        let killed = try Program.subject(
            ["steps", directory.file("app.log"), "log:5", "flush"], environment: ["TAFFRAIL_KILL_AT": "1:1"])
        #expect(killed.end() == .killed(SIGKILL))
        let ring = try #require(directory.rings.first)
        let answers = try run("become:65534", "log:1", "flush", "shutdown")
        #expect(answers == ["become true", "flush true", "shutdown true"])
        let expected =
            "taffrail: not recovered: \(directory.file(".taffrail/\(ring)")): belongs to another user. To write the "
            + "records, run \"taffrail recover \(directory.path) --config FILE\" as root"
        #expect(errors.map(String.init) == [expected])
        let report = try LogRecovery.recover(directory: directory.path)
        #expect(report.records > 0 && report.refused == [] && report.left == [] && directory.rings == [])
    }

    @Test func `a log that root has taken since a program was killed in it does not stop the next run`() throws {
        chown(directory.path, Self.user, gid_t(Self.user))
        let killed = try Program.subject(
            ["steps", directory.file("app.log"), "become:65534", "log:5", "flush"],
            environment: ["TAFFRAIL_KILL_AT": "2:1"])
        #expect(killed.end() == .killed(SIGKILL))
        let written = directory.lines("app.log")
        #expect(!written.isEmpty)
        rename(directory.file("app.log"), directory.file("app.log.1"))
        chown(directory.file("app.log.1"), 0, 0)
        chmod(directory.file("app.log.1"), 0o644)
        let printed = try run("become:65534", "log:1", "flush", "shutdown")
        #expect(printed == ["become true", "flush true", "shutdown true"], "\(errors)")
        #expect(directory.lines("app.log.1") == written && directory.rings == [])
        let all = written + directory.lines("app.log")
        #expect(Set(all).count == all.count && directory.lines("app.log").last?.hasSuffix("line 1") == true)
    }

    @Test func `root does not change existing files, or a directory that others may write`() throws {
        chown(directory.path, Self.user, gid_t(Self.user))
        chmod(directory.path, 0o1777)
        #expect(try run("log:1", "shutdown") == ["shutdown true"])
        #expect(try FileStatus.of(directory.file("app.log"))?.owner == 0)
        #expect(try FileStatus.of(directory.file(".taffrail"))?.owner == 0)
    }
}
