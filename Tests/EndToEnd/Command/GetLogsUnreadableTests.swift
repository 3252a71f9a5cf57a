#if Command
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// What `./get-logs` cannot read must not be taken for missing, whatever its machine lacks.
@Suite(.mayBlock) struct GetLogsUnreadableTests {
    let tests = GetLogsTests()
    let logs = TemporaryDirectory()
    var directory: TemporaryDirectory { tests.directory }

    private static let rotated = "app-20260105T143000.000Z-0000.log"

    /// A log of three lines, each in a file.
    private func makeLog() throws {
        chmod(logs.path, 0o755)
        try logs.write("rotated\n", to: Self.rotated)
        try logs.write("numbered\n", to: "app.log.1")
        try logs.write("live\n", to: "app.log")
        for name in logs.names { chmod(logs.file(name), 0o644) }
    }

    /// An environment whose `docker` runs the far side by a shell, without root's permission to read everything.
    private func container(_ shell: [String]) throws -> [String: String] {
        let user = geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups " : ""
        // docker exec -i NAME sh …
        return try tests.environment(with: "docker", "shift 4\nexec \(user)\(shell.joined(separator: " ")) \"$@\"")
    }

    @Test(arguments: GetLogsTests.shells, [rotated, rotated + ".gz", "app.log.1", "app.log.1.gz"])
    func `a file that the user may not read is reported, and the others come`(shell: [String], name: String) throws {
        try makeLog()
        let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
        if name != plain { try Gzip.compress(logs.file(plain)) }
        let environment = try container(shell)
        let whole = try tests.run(["docker:ferry:\(logs.path)"], environment: environment)
        #expect(whole.end == .exited(0) && whole.lines.last == "live", "\(whole.errors)")
        chmod(logs.file(name), 0)
        let part = try tests.run(["docker:ferry:\(logs.path)"], environment: environment)
        #expect(part.end == .exited(74))
        #expect(part.errors == "get-logs: \(logs.file(name)): no permission to read it\n")
        #expect(part.lines == whole.lines.filter { $0 != (plain == Self.rotated ? "rotated" : "numbered") })
    }

    @Test(arguments: GetLogsTests.shells, [rotated, "app.log.1", "app.log"])
    func `a dangling symbolic link is reported, and the other files come`(shell: [String], name: String) throws {
        try makeLog()
        let whole = try tests.run([logs.path], shell: shell)
        #expect(whole.end == .exited(0) && whole.lines.count == 3, "\(whole.errors)")
        // As on another disk that is not mounted.
        let line = try #require(logs.lines(name).first)
        unlink(logs.file(name))
        symlink(logs.file("elsewhere/\(name)"), logs.file(name))
        let part = try tests.run([logs.path], shell: shell)
        #expect(part.end == .exited(74))
        let problem = "a dangling symbolic link: its target is missing or cannot be reached"
        #expect(part.errors == "get-logs: \(logs.file(name)): \(problem)\n")
        #expect(part.lines == whole.lines.filter { $0 != line })
    }

    @Test(arguments: GetLogsTests.shells, [rotated, "app.log.1", "app.log-20260105"])
    func `a dangling symbolic link does not hide the compressed file`(shell: [String], name: String) throws {
        try logs.write("older\n", to: name)
        try logs.write("live\n", to: "app.log")
        try Gzip.compress(logs.file(name))
        symlink(logs.file("elsewhere/\(name)"), logs.file(name))
        let result = try tests.run([logs.path], shell: shell)
        #expect(result.end == .exited(0) && result.errors == "", "\(result.errors)")
        #expect(result.lines == ["older", "live"])
    }

    @Test(arguments: GetLogsTests.shells) func `another log is not taken for one that is a dangling symbolic link`(
        shell: [String]
    ) throws {
        try logs.write("error\n", to: "errors.log")
        symlink(logs.file("elsewhere/app.log"), logs.file("app.log"))
        let result = try tests.run([logs.path], shell: shell)
        #expect(result.end == .exited(74))
        let problem = "a dangling symbolic link: its target is missing or cannot be reached"
        #expect(result.errors == "get-logs: \(logs.file("app.log")): \(problem)\n")
        #expect(result.lines == [])
    }

    // MARK: Truncated meanwhile

    /// What becomes of the live file while the one before it is read, and whether lines are missing then.
    private static let steps = [
        ("cp app.log app.log.1; : >app.log", true), ("cp app.log app.log.1; echo other >app.log", true),
        ("cp app.log app.log.1; echo 'another log' >app.log", true),
        ("mv app.log app.log.1; echo other >app.log", false), ("echo more >>app.log", false), ("rm app.log", false),
        // The end of a block that was not written completely.
        ("echo live >part; cat part >app.log", false),
    ]

    private func pull(while step: (String, isPartial: Bool), shell: [String]) throws {
        try logs.write("rotated\n", to: Self.rotated)
        try Gzip.compress(logs.file(Self.rotated))
        try logs.write("live\ntorn", to: "app.log")
        let done = directory.file("done")
        let environment = try tests.environment(
            with: "gzip",
            """
            cd '\(logs.path)'
            [ -e '\(done)' ] || { : >'\(done)'; \(step.0); }
            PATH=/usr/bin:/bin exec gzip "$@"
            """)
        let result = try tests.run([logs.path], shell: shell, environment: environment)
        #expect(result.end == .exited(step.isPartial ? 74 : 0), "\(result.errors)")
        let problem = "get-logs: \(logs.file("app.log")): truncated while it was read; try again\n"
        #expect(result.errors == (step.isPartial ? problem : ""))
        #expect(result.lines.first == "rotated" && (step.isPartial || result.lines.dropFirst().first == "live"))
    }

    @Test(arguments: GetLogsTests.shells, steps)
    func `a log that is truncated while it is pulled is not complete`(shell: [String], step: (String, Bool)) throws {
        try pull(while: step, shell: shell)
    }

    @Test(arguments: GetLogsTests.shells)
    func `a log that can no longer be opened is not taken for truncated`(shell: [String]) throws {
        try logs.write("rotated\n", to: Self.rotated)
        try Gzip.compress(logs.file(Self.rotated))
        try logs.write("live\n", to: "app.log")
        for name in logs.names { chmod(logs.file(name), 0o644) }
        if geteuid() == 0 { #expect(chown(logs.file("app.log"), 65534, 65534) == 0) }
        var environment = try container(shell)
        environment.merge(
            try tests.environment(
                with: "gzip", "chmod 0 '\(logs.file("app.log"))'\nPATH=/usr/bin:/bin exec gzip \"$@\"")
        ) { $1 }
        for path in [logs.path, directory.path, directory.file("bin"), directory.file("bin/gzip")] {
            chmod(path, 0o755)
        }
        let result = try tests.run(["docker:ferry:\(logs.path)"], environment: environment)
        #expect(result.end == .exited(0) && result.errors == "", "\(result.errors)")
        #expect(result.lines == ["rotated", "live"])
        var status = stat()
        #expect(stat(logs.file("app.log"), &status) == 0 && status.st_mode & 0o777 == 0)
    }

    // MARK: Without /proc

    /// Whether a program can be run without /proc, as in some containers, and on systems that have none.
    static let canHideProc =
        geteuid() == 0 && Program.areThere("unshare", "mount")
        && (try? Program.run(["-m", "true"], of: "unshare").code) == 0

    /// A shell without /proc.
    static func withoutProc(_ shell: [String]) -> [String] {
        ["unshare", "-m", "/bin/sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh"] + shell
    }

    @Test(.enabled(if: canHideProc, "hiding /proc needs root and unshare"), arguments: GetLogsTests.shells)
    func `a log is pulled completely without proc`(shell: [String]) throws {
        try tests.makeLog(in: logs)
        let result = try tests.run([logs.path], shell: Self.withoutProc(shell))
        #expect(result.end == .exited(0))
        #expect(result.errors == "")
        #expect(result.messages == GetLogsTests.all)
        tests.ring(in: logs)
        #expect(try tests.run([logs.path], shell: Self.withoutProc(shell)).end == .exited(75))
    }

    @Test(.enabled(if: canHideProc, "hiding /proc needs root and unshare"), arguments: GetLogsTests.shells, steps)
    func `without proc, a log that is truncated while it is pulled is not complete`(
        shell: [String], step: (String, Bool)
    ) throws {
        try pull(while: step, shell: Self.withoutProc(shell))
    }
}
#endif
