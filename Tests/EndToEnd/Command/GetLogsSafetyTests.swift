#if Command
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Things that `./get-logs` must never do: overwrite files that it did not write, or report a part as the whole.
@Suite(.mayBlock) struct GetLogsSafetyTests {
    let tests = GetLogsTests()
    var directory: TemporaryDirectory { tests.directory }

    private func log(_ lines: Int = 3, in logs: TemporaryDirectory) throws {
        try logs.append((1...lines).map { "[2026-01-05 14:30:00.000] [INFO] \($0)\n" }.joined(), to: "app.log")
    }

    // MARK: Files of others

    @Test(arguments: GetLogsTests.shells) func `a file that it did not write is never overwritten`(shell: [String])
        throws
    {
        let logs = TemporaryDirectory()
        try log(in: logs)
        try directory.append("precious\n", to: "out.log")
        let refused = try tests.run([logs.path], shell: shell)
        #expect(refused.end == .exited(73), "\(refused.errors)")
        #expect(refused.errors.contains("out.log: get-logs did not write it"), "\(refused.errors)")
        #expect(refused.lines == ["precious"])
        #expect(try tests.run([logs.path, "-f"], shell: shell).end == .exited(73))
        #expect(directory.lines("out.log") == ["precious"])
        let forced = try tests.run([logs.path, "--force"], shell: shell)
        #expect(forced.end == .exited(0), "\(forced.errors)")
        #expect(forced.messages == ["1", "2", "3"])
        // Its own it knows, until it is changed.
        #expect(try tests.run([logs.path], shell: shell).end == .exited(0))
        try directory.append("mine\n", to: "out.log")
        #expect(try tests.run([logs.path], shell: shell).end == .exited(73))
        #expect(directory.lines("out.log").last == "mine")
        unlink(directory.file("out.log"))
        // A link is not a separate file, whatever its target.
        symlink(logs.file("elsewhere"), directory.file("out.log"))
        #expect(try tests.run([logs.path], shell: shell).end == .exited(73))
        #expect(logs.names == ["app.log"])
        #expect(directory.names.filter { $0.hasPrefix(".get-logs") } == [])
    }

    @Test func `followed lines are recognized`() throws {
        let logs = TemporaryDirectory()
        try log(in: logs)
        for shell in GetLogsTests.shells {
            let follow = try Program(
                Array(shell.dropFirst()) + [GetLogsTests.top + "/get-logs", "-f", "-o", tests.output, logs.path],
                of: shell[0], environment: tests.own.merging(["TAFFRAIL": ""]) { $1 },
                errors: directory.file("errors"))
            for n in 1...3 { #expect(follow.readLine()?.hasSuffix(" \(n)") == true) }
            follow.send(SIGTERM)
            #expect(follow.end() == .exited(143))
            let again = try tests.run([logs.path], shell: shell)
            #expect(again.end == .exited(0), "\(shell) \(again.errors)")
            #expect(again.messages == ["1", "2", "3"])
        }
    }

    @Test func `nothing is written next to a program's state, not even by force`() throws {
        let logs = TemporaryDirectory()
        try log(in: logs)
        let other = TemporaryDirectory()
        mkdir(other.file(".taffrail"), 0o700)
        try other.append("mine\n", to: "app.log")
        for more in [[], ["--force"]] {
            for name in ["app.log", "new.log"] {
                let result = try tests.run([logs.path, "-o", other.file(name)] + more)
                #expect(result.end == .exited(73))
                #expect(result.errors.contains("is a log directory"), "\(result.errors)")
            }
        }
        #expect(other.names == ["app.log"])
        #expect(other.text("app.log") == "mine\n")
        // A device is not a file.
        #expect(try tests.run([logs.path, "-o", "/dev/null"]).end == .exited(0))
        var null = stat()
        #expect(stat("/dev/null", &null) == 0 && null.st_mode & S_IFMT == S_IFCHR)
    }

    @Test func `nothing is written into a program's state, not even by force`() throws {
        let logs = TemporaryDirectory()
        try log(in: logs)
        mkdir(logs.file(".taffrail"), 0o700)
        mkdir(logs.file(".taffrail/app.log.http.spool"), 0o700)
        let names: (String) throws -> [String] = { try Directory.entries(of: $0).map(\.name).sorted() }
        let before = try names(logs.file(".taffrail"))
        for more in [[], ["--force"]] {
            for name in [".taffrail/new.log", ".taffrail/app.log.http.spool/new.log"] {
                let result = try tests.run([logs.path, "-o", logs.file(name)] + more)
                #expect(result.end == .exited(73))
                #expect(result.errors.contains("is the state of a log"), "\(result.errors)")
            }
        }
        #expect(try names(logs.file(".taffrail")) == before)
        #expect(try names(logs.file(".taffrail/app.log.http.spool")) == [])
    }

    @Test func `an unset directory is not the root directory`() throws {
        let result = try tests.run(["-a", "ferry"], shell: ["/bin/dash", "-x"])
        #expect(result.end == .exited(66))
        #expect(result.errors.contains("/var/log/"))
        #expect(!result.errors.contains(" /.taffrail"))
        let homeless = try tests.run(["-a", "ferry"], shell: ["/bin/dash", "-x"], environment: ["HOME": ""])
        #expect(homeless.end == .exited(66))
        #expect(!homeless.errors.contains(" /.local"))
    }

    @Test func `names that look like options are names`() throws {
        let logs = TemporaryDirectory()
        try log(in: logs)
        let run = try Program(
            ["-c", "cd '\(directory.path)' && '\(GetLogsTests.top)/get-logs' '\(logs.path)' -o -x"], of: "/bin/sh",
            environment: tests.own.merging(["TAFFRAIL": ""]) { $1 })
        #expect(run.readToEnd().hasSuffix("3"))
        #expect(run.end() == .exited(0))
        #expect(directory.lines("-x").count == 3)
        for target in ["docker:-x", "docker:", "docker::/logs"] {
            #expect(try tests.run([target]).end == .exited(64), "\(target)")
        }
    }

    // MARK: Parts of a log

    @Test(
        .enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"), arguments: GetLogsTests.shells)
    func `a full directory for temporary files is an error, and nothing is written`(shell: [String]) throws {
        let logs = TemporaryDirectory()
        try log(60_001, in: logs)
        let disk = try SmallDisk("1m")
        let few = try tests.run([logs.path, "-n", "1"], shell: shell)
        #expect(few.end == .exited(0))
        // Too small for the log, and for anything at all.
        for isFull in [false, true] {
            if isFull { try disk.fill() }
            let result = try tests.run([logs.path], shell: shell, environment: ["TMPDIR": disk.directory.path])
            #expect(result.end == .exited(74), "\(result.errors)")
            #expect(result.errors.contains("no space for temporary files"), "\(result.errors)")
            // The previously pulled log stays.
            #expect(result.lines.count == 60_001)
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
    func `a file that has no space is not written, and the old one stays`() throws {
        let logs = TemporaryDirectory()
        try log(in: logs)
        let disk = try SmallDisk("1m")
        let output = ["-o", disk.directory.file("out.log")]
        for arguments in [[logs.path], [logs.path, "--level", "info"]] {
            #expect(try tests.run(arguments + output).end == .exited(0))
            try log(60_000, in: logs)
            let result = try tests.run(arguments + output)
            #expect(result.end == .exited(73), "\(result.errors)")
            #expect(disk.directory.lines("out.log").count == 3)
            #expect(disk.directory.names == ["out.log"])
            unlink(logs.file("app.log"))
            try log(in: logs)
        }
    }

    @Test(arguments: GetLogsTests.shells) func `a log stays as it is when taffrail fails`(shell: [String]) throws {
        let logs = TemporaryDirectory()
        try log(7, in: logs)
        tests.ring(in: logs)
        for (name, script) in [
            ("fails", "exit 1"), ("prints half", "echo half; exit 65"), ("prints nothing", "exit 0"),
            ("crashes", "kill -ILL $$"),
        ] {
            try directory.append("#!/bin/sh\n\(script)\n", to: name)
            chmod(directory.file(name), 0o700)
            let result = try tests.run([logs.path], shell: shell, taffrail: directory.file(name))
            #expect(result.end == .exited(74), "\(name) \(result.errors)")
            #expect(result.errors.contains("tail failed"), "\(result.errors)")
            #expect(result.messages == (1...7).map(String.init), "\(name)")
        }
    }

    @Test func `unreadable files there are an error, and so is a missing end`() throws {
        let logs = TemporaryDirectory()
        try log(in: logs)
        // Programs that only the far side has.
        mkdir(directory.file("far"), 0o700)
        try directory.append("#!/bin/sh\nhead -c 40\nexit 1\n", to: "far/cat")
        chmod(directory.file("far/cat"), 0o700)
        let failing = try tests.environment(
            with: "docker", "shift 3\nPATH='\(directory.file("far"))':$PATH exec \"$@\"")
        let unread = try tests.run(["docker:ferry:\(logs.path)"], environment: failing)
        #expect(unread.end == .exited(74))
        #expect(unread.errors.contains("app.log: not read completely"), "\(unread.errors)")
        unlink(directory.file("bin/docker"))
        let cutting = try tests.environment(
            with: "docker",
            """
            shift 3
            case "$*" in
            *'--far log'*) "$@" | { head -c 60; cat >/dev/null; } ;;
            *) exec "$@" ;;
            esac
            """)
        let cut = try tests.run(["docker:ferry:\(logs.path)"], environment: cutting)
        #expect(cut.end == .exited(74))
        #expect(cut.errors.contains("the end of the answer is missing"), "\(cut.errors)")
    }

    // MARK: Queues

    @Test func `a running program that logs nothing is not reported as killed`() throws {
        let logs = TemporaryDirectory()
        var input: [CInt] = [0, 0]
        try #require(pipe(&input) == 0)
        for descriptor in input { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let program = try Program(
            ["log", "info", "--stdin", "--tee", "--file", logs.file("app.log")], of: "taffrail", input: input[0])
        #expect(write(input[1], "one\n", 4) == 4)
        #expect(program.readLine() == "one")
        func pulled() throws -> GetLogsTests.Result { try tests.run([logs.path]) }
        // The writer may still be at it.
        var result = try pulled()
        for _ in 0..<100 where result.end != .exited(0) || result.messages.last != "one" { result = try pulled() }
        #expect(result.end == .exited(0))
        #expect(result.errors == "")
        #expect(result.messages.last == "one")
        close(input[1])
        #expect(program.end() == .exited(0))
        close(input[0])
    }

    @Test func `records are counted from their start, whatever tables precede them`() throws {
        let logs = TemporaryDirectory()
        try log(in: logs)
        tests.ring(in: logs)
        let ring = logs.file(".taffrail/0000000000000abc.ring")
        let plain = try tests.run([logs.path])
        #expect(plain.end == .exited(75))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: ring))
        let table = Data(repeating: 7, count: 8192)
        try (bytes[..<4096] + table + bytes[4096...]).write(to: URL(fileURLWithPath: ring))
        #expect(try tests.run([logs.path]).errors == plain.errors)
        // A ring that cannot be one is reported.
        truncate(ring, 4000)
        let damaged = try tests.run([logs.path])
        #expect(damaged.end == .exited(74))
        #expect(damaged.errors.contains("0000000000000abc.ring: damaged"), "\(damaged.errors)")
        #expect(damaged.messages == ["1", "2", "3"])
    }

    // MARK: Login shells

    @Test func `the output of a login shell is not in the log, and a long TMPDIR works`() throws {
        let logs = TemporaryDirectory()
        try log(in: logs)
        var path = try tests.environment(
            with: "ssh",
            """
            for last; do
                case $last in ControlPath=*) [ ${#last} -le 103 ] || { echo "path too long" >&2; exit 255; } ;; esac
            done
            printf 'Welcome aboard\\nlog /no/such/log\\nLast login: today '
            exec sh -c "$last"
            """)
        path["TMPDIR"] = directory.file(String(repeating: "long", count: 30))
        mkdir(path["TMPDIR"] ?? "", 0o700)
        for shell in GetLogsTests.shells {
            let result = try tests.run(["root@ferry:\(logs.path)"], shell: shell, environment: path)
            #expect(result.end == .exited(0), "\(shell) \(result.errors)")
            #expect(result.messages == ["1", "2", "3"])
            #expect(result.errors == "")
        }
    }
}
#endif
