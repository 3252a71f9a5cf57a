#if Command
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// `./get-logs user@host` against a real sshd.
@Suite(.mayBlock, .enabled(if: SSHServer.isPossible, "needs root and openssh-server"), .serialized)
struct GetLogsSSHTests {
    let tests = GetLogsTests()

    @Test func `a log is read over ssh from any shell`() throws {
        let server = try SSHServer()
        let logs = TemporaryDirectory()
        try tests.makeLog(in: logs)
        for shell in GetLogsTests.shells {
            let result = try tests.run(["root@127.0.0.1:\(logs.path)", "-F", server.configuration], shell: shell)
            #expect(result.end == .exited(0), "\(shell) \(result.errors)")
            #expect(result.messages == GetLogsTests.all)
            #expect(result.shown.count == 20)
            #expect(result.errors == "")
        }
        // Key, port and other options by themselves.
        let result = try tests.run([
            "root@127.0.0.1:\(logs.path)/app.log", "-F", "/dev/null", "-p", "\(server.port)", "-i",
            server.directory.file("client"), "--ssh", "UserKnownHostsFile=\(server.directory.file("known"))", "--ssh",
            "StrictHostKeyChecking=yes",
        ])
        #expect(result.end == .exited(0), "\(result.errors)")
        #expect(result.messages == GetLogsTests.all)
    }

    @Test func `ssh's own failures are distinguished from each other and from the remote side's`() throws {
        let server = try SSHServer()
        let logs = TemporaryDirectory()
        let configured = ["-F", server.configuration]
        func check(_ arguments: [String], _ code: CInt, _ text: String) throws {
            let result = try tests.run(arguments)
            #expect(result.end == .exited(code), "\(arguments) \(result.errors)")
            #expect(result.errors.contains(text), "\(arguments) \(result.errors)")
        }
        try check(["root@no..such"] + configured, 68, "no such host")
        let stranger = [
            "-F", "/dev/null", "-p", "\(server.port)", "-i", server.directory.file("stranger"), "--ssh",
            "IdentitiesOnly=yes", "--ssh", "BatchMode=yes", "--ssh",
            "UserKnownHostsFile=\(server.directory.file("known"))",
        ]
        try check(["root@127.0.0.1"] + stranger, 67, "login refused")
        try check(
            ["root@127.0.0.1", "--ssh", "UserKnownHostsFile=/dev/null"] + configured, 76, "the host key is unknown")
        let silent = try ReservedPort()
        try check(["root@127.0.0.1", "-p", "\(silent.number)"] + configured, 69, "does not answer")
        withExtendedLifetime(silent) {}
        try check(["root@127.0.0.1:\(logs.path)"] + configured, 66, "no log found")
        try check(["root@127.0.0.1:/no/such/place"] + configured, 66, "no such directory")
        let quoted = "it's $(touch \(logs.file("pwned"))) here"
        try check(["root@127.0.0.1:/no/\(quoted)"] + configured, 66, "/no/\(quoted): no such directory")
        #expect(logs.names == [])
    }

    /// A server whose users are not the owners of anything here.
    private static let lesser = "setpriv --reuid=65534 --clear-groups sh -c \"$SSH_ORIGINAL_COMMAND\""

    @Test func `a queue that only the owner of the log may read is not taken for an empty one`() throws {
        let logs = TemporaryDirectory()
        try tests.makeLog(in: logs)
        chmod(logs.path, 0o755)
        for name in logs.names { chmod(logs.file(name), 0o644) }
        let server = try SSHServer(running: Self.lesser)
        func check(_ code: CInt, _ problem: String?) throws {
            let result = try tests.run(["root@127.0.0.1:\(logs.path)", "-F", server.configuration])
            #expect(result.end == .exited(code), "\(result.errors)")
            #expect(result.errors == (problem.map { "get-logs: \(logs.file(".taffrail"))\($0)\n" } ?? ""))
            #expect(result.messages == GetLogsTests.all)
        }
        tests.ring(in: logs)
        chmod(logs.file(".taffrail/0000000000000abc.ring"), 0o600)
        for mode: mode_t in [0o700, 0o711, 0o744] {
            chmod(logs.file(".taffrail"), mode)
            try check(74, ": the queues in it cannot be read (permission denied)")
        }
        chmod(logs.file(".taffrail"), 0o755)
        try check(74, "/0000000000000abc.ring: the queue cannot be read")
        unlink(logs.file(".taffrail/0000000000000abc.ring"))
        try check(0, nil)
        try logs.write("/queues/0000000000000abc.ring\n", to: ".taffrail/0000000000000abc.at")
        chmod(logs.file(".taffrail/0000000000000abc.at"), 0o600)
        try check(74, "/0000000000000abc.at: cannot be read, or names no queue")
    }

    @Test func `missing permission is reported, and a lost connection is not the end`() throws {
        let logs = TemporaryDirectory()
        try tests.makeLog(in: logs)
        let lesser = try SSHServer(running: Self.lesser)
        let denied = try tests.run(["root@127.0.0.1:\(logs.path)", "-F", lesser.configuration])
        #expect(denied.end == .exited(77), "\(denied.errors)")
        #expect(denied.errors.contains("no permission"))
        // ssh's 255 means a login that failed or a connection that ended, whichever came first.
        let path = try tests.environment(
            with: "ssh", "cat >/dev/null\n[ -z \"$HAS_STARTED\" ] || echo '@get-logs started' >&2\nexit 255")
        let lost = try tests.run(["root@ferry"], environment: path.merging(["HAS_STARTED": "yes"]) { $1 })
        #expect(lost.end == .exited(74), "\(lost.errors)")
        #expect(lost.errors.contains("the connection was lost"))
        let silent = try tests.run(["root@ferry"], environment: path.merging(["HAS_STARTED": ""]) { $1 })
        #expect(silent.end == .exited(69), "\(silent.errors)")
    }
}
#endif
