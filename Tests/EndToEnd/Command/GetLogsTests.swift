#if Command
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// `./get-logs`, run by the shells that it may meet.
@Suite(.mayBlock) struct GetLogsTests {
    static let shells = [["/bin/dash"], ["/bin/bash", "--posix"], ["/bin/busybox", "sh"]]
    static var top: String {
        Repository.root.path
    }

    let directory = TemporaryDirectory()
    var output: String { directory.file("out.log") }

    /// Directories of the test, in which get-logs records its files.
    var own: [String: String] { ["HOME": directory.file("home"), "XDG_CACHE_HOME": directory.file("cache")] }

    struct Result {
        let end: Program.End
        let shown: [String]
        let errors: String
        /// The contents of the file.
        let lines: [String]
        var messages: [String] { lines.map { String($0.split(separator: "] ", maxSplits: 2).last ?? "") } }
    }

    /// Runs it to its end.
    func run(
        _ arguments: [String], shell: [String] = ["/bin/sh"], taffrail: String = "", environment: [String: String] = [:]
    ) throws -> Result {
        let errors = directory.file("errors-\(UInt64.random(in: 0 ... .max))")
        let home = own.merging(["XDG_STATE_HOME": "", "LOGS_DIRECTORY": "", "TAFFRAIL": taffrail]) { $1 }
        let process = try Program(
            Array(shell.dropFirst()) + [Self.top + "/get-logs", "-o", output] + arguments, of: shell[0],
            environment: home.merging(environment) { $1 }, errors: errors)
        let shown = process.readToEnd().split(separator: "\n").map(String.init)
        let end = process.end()
        return Result(
            end: end, shown: shown, errors: (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "",
            lines: directory.lines("out.log"))
    }

    /// A log of 200 lines in several files, one of them compressed and one with a name as foreign as may be.
    func makeLog(in place: TemporaryDirectory, to name: String = "app.log") throws {
        try place.log((1...200).map { "line \($0)" }, to: name, rotate: RotationOptions(size: .kibibytes(2), keep: nil))
        let rotated = place.names.filter { $0 != name && $0.hasSuffix(".log") }
        try Gzip.compress(place.file(rotated[1]))
    }

    static let all = (1...200).map { "line \($0)" }

    @Test(arguments: shells) func `variables of the environment do not change the result`(shell: [String]) throws {
        let logs = TemporaryDirectory()
        try makeLog(in: logs)
        let result = try run(
            [logs.path], shell: shell,
            environment: ["base": "other", "dir": "/", "BLOCK_SIZE": "human-readable", "LS_BLOCK_SIZE": "K"])
        #expect(result.end == .exited(0))
        #expect(result.errors == "")
        #expect(result.messages == Self.all)
    }

    @Test func `lines in logfmt with times in UTC are compared in UTC`() throws {
        let logs = TemporaryDirectory()
        let lines = ["30", "33"].map { "time=2026-01-05T14:\($0):00.123Z level=info msg=\($0)" }
        try logs.write(lines.joined(separator: "\n") + "\n", to: "app.log")
        let result = try run(
            [logs.path, "--since", "2026-01-05 23:32"], environment: ["TZ": "JST-9"])
        #expect(result.end == .exited(0))
        #expect(result.shown == [lines[1]])
    }

    @Test(arguments: shells) func `a directory's files become one, in order, and its end is shown`(shell: [String])
        throws
    {
        let logs = TemporaryDirectory()
        try makeLog(in: logs)
        let result = try run([logs.path], shell: shell)
        #expect(result.end == .exited(0))
        #expect(result.errors == "")
        #expect(result.messages == Self.all)
        #expect(result.shown == Array(result.lines.suffix(20)))
        let few = try run([logs.file("app.log"), "-n", "3", "--level", "warning"], shell: shell)
        #expect(few.end == .exited(0))
        #expect(few.lines == [])
        // 14:30:00 UTC is the first line's time.
        let since = try run([logs.path, "-n", "3", "--since", "2026-01-05 14:33:00"], shell: shell)
        #expect(since.messages == (181...200).map { "line \($0)" })
        #expect(since.shown.count == 3)
    }

    @Test func `without a target it is this machine's program, by name if there are several`() throws {
        let state = directory.file("home/.local/state")
        func make(_ program: String) throws {
            try FileManager.default.createDirectory(
                atPath: "\(state)/\(program)/.taffrail", withIntermediateDirectories: true)
            try directory.append("\(program)\n", to: "home/.local/state/\(program)/app.log")
        }
        #expect(try run(["-a", "ferry"]).end == .exited(66))
        try make("ferry")
        #expect(try run(["-a", "ferry"]).lines == ["ferry"])
        try make("tug")
        let several = try run([])
        #expect(several.end == .exited(64))
        #expect(several.errors.contains("ferry tug"), "\(several.errors)")
        #expect(try run(["-a", "tug"]).lines == ["tug"])
        // It goes into app.log if one exists.
        let here = try Program(
            ["-c", "cd '\(directory.path)' && mkdir here && cd here && '\(Self.top)/get-logs' -a tug"], of: "/bin/sh",
            environment: own.merging(["XDG_STATE_HOME": "", "LOGS_DIRECTORY": ""]) { $1 })
        #expect(here.readToEnd() == "tug")
        #expect(here.end() == .exited(0))
        #expect(directory.text("here/app.log") == "tug\n")
    }

    @Test func `problems are reported, each with its own exit status`() throws {
        let logs = TemporaryDirectory()
        try logs.append("a\n", to: "one.log")
        try logs.append("a\n", to: "two.log")
        func check(_ arguments: [String], _ code: CInt, _ text: String, _ environment: [String: String] = [:]) throws {
            let result = try run(arguments, environment: environment)
            #expect(result.end == .exited(code), "\(arguments) \(result.errors)")
            #expect(result.errors.contains(text), "\(arguments) \(result.errors)")
        }
        try check(["/no/such/place"], 66, "no such directory")
        try check(["boat:/var/log"], 66, "boat:/var/log: no such directory or file; over ssh it is user@host[:dir]")
        try check([directory.path + "/none.log"], 66, "no log found")
        try check([logs.path], 64, "one.log two.log")
        try check([logs.path, "-a", "two", "-x"], 64, "unknown option -x")
        try check([logs.path, "-n", "x"], 64, "not a number")
        try check([logs.path, "--level", "loud"], 64, "not a level")
        try check([logs.path, "--since", "soon"], 64, "not a time")
        try check(["https://me:secret@collector"], 64, "others can see a password")
        try check(["http://collector?q=1"], 64, "not the address of a receiver")
        try check(["http://127.0.0.1:1", "-a", "ferry"], 64, "-a is not possible with a receiver")
        try check([logs.path, "-q", "level>=error"], 64, "-q is only for a receiver")
        try check(["docker:x"], 69, "docker is not installed", ["PATH": try toolsOnly()])
        try check(["ios:org.example"], 69, "xcrun is not installed")
        #expect(try run([logs.path, "-a", "two"]).lines == ["a"])
        let itself = try run([logs.path, "-a", "two", "-o", logs.file("two.log")])
        #expect(itself.end == .exited(64))
        #expect(itself.errors.contains("is the log itself"))
        #expect(logs.text("two.log") == "a\n")
        #expect(try run([logs.path, "-a", "two", "-o", "/no/such/place/app.log"]).end == .exited(73))
        try logs.append("xx", to: "three-20260105T143000.123Z-0001.log.gz")
        try logs.append("b\n", to: "three.log")
        let damaged = try run([logs.file("three.log")])
        #expect(damaged.end == .exited(74))
        #expect(damaged.errors.contains("three-20260105T143000.123Z-0001.log.gz: damaged"))
        #expect(damaged.lines == ["b"])
    }

    /// A PATH without programs that are not installed everywhere.
    private func toolsOnly() throws -> String {
        let tools = directory.file("tools")
        mkdir(tools, 0o700)
        for tool in ["sh", "mktemp", "rm", "ls", "awk", "sed", "grep", "tr", "cat", "date", "tail"] {
            for place in ["/bin/", "/usr/bin/"] where access(place + tool, X_OK) == 0 {
                symlink(place + tool, tools + "/" + tool)
            }
        }
        return tools
    }

    @Test func `the records of a killed program are included if taffrail is installed, and counted if not`()
        throws
    {
        let logs = TemporaryDirectory()
        let page = try AcknowledgedPage(in: logs, round: "g")
        let subject = try Program.subject(
            ["flood", logs.file("app.log"), page.path, "g"], environment: ["FLOOD_WAITS": "1"])
        try #require(subject.readLine() == "ready")
        try page.waitForFirst()
        #expect(waited { access(logs.file(".taffrail/lock"), F_OK) == 0 })
        // Killed while the queue has something: the file is stopped being written by its lock.
        let state = try FileDescriptor(logs.file(".taffrail/lock"), .readWrite)
        try FileLock.acquire(state, start: 0, length: 65536)
        // Records enter the queue that can no longer be written, unless it is already full; then callers wait for
        // space.
        let before = page.counts.values.reduce(0, +)
        let limit = ContinuousClock.now + .seconds(2)
        #expect(
            waited {
                let isLater = ContinuousClock.now > limit || page.counts.values.reduce(0, +) != before
                guard isLater, let queue = (try? QueueStatus.read(directory: logs.path))?.queues.first else {
                    return false
                }
                return queue.depth > queue.capacity / 2
            })
        subject.send(SIGKILL)
        #expect(subject.end() == .killed(SIGKILL))
        FileLock.release(state, start: 0, length: 65536)

        let without = try run([logs.path])
        #expect(without.end == .exited(75))
        #expect(without.errors.contains("bytes are still in the queue of a killed program"), "\(without.errors)")
        let with = try run([logs.path], taffrail: Self.taffrail)
        #expect(with.end == .exited(0))
        #expect(with.errors == "")
        #expect(with.lines.count > without.lines.count)
        let log = FloodLog(TailOutput.unmarked(with.lines.joined(separator: "\n")))
        #expect(log.torn == [])
        #expect(log.doubled == 0)
        #expect(log.misplaced == 0)
        #expect(log.lost(acknowledged: page.counts) == 0)
    }

    /// A ring for app.log that has not been recovered.
    func ring(in logs: TemporaryDirectory, encoder: FileOptions.Format = .text) {
        mkdir(logs.file(".taffrail"), 0o700)
        var ring = CraftedRing(sinks: ["file:app.log"], encoder: encoder.rawValue)
        for n in 1...3 {
            ring.append(
                LogRecord(
                    timestamp: Timestamp(nanoseconds: 1_767_623_500_000_000_000), level: .info, message: "left \(n)",
                    attributes: n == 1 ? [] : [LogValueEntry("n", .int(Int64(n)))]))
        }
        ring.write(to: logs.file(".taffrail/0000000000000abc.ring"))
    }

    static let taffrail = Program.products + "/taffrail"

    @Test func `a killed program's records are in the followed log once, even when they are recovered meanwhile`()
        throws
    {
        let logs = TemporaryDirectory()
        try logs.append("[2026-01-05 14:30:00.000] [INFO] before\n[2026-01-05 14:30:00.000] [INFO] half", to: "app.log")
        ring(in: logs)
        func follow(_ taffrail: String, _ name: String) throws -> Program {
            try Program(
                [Self.top + "/get-logs", "-f", "--level", "info", "-o", directory.file(name), logs.path], of: "/bin/sh",
                environment: own.merging(["TAFFRAIL": taffrail, "TZ": "UTC"]) { $1 },
                errors: directory.file(name + ".errors"))
        }
        let with = try follow(Self.taffrail, "with")
        let without = try follow("", "without")
        func message(_ process: Program) -> String? {
            process.readLine()?.split(separator: "] ", maxSplits: 2).last.map(String.init)
        }
        #expect(message(with) == "before")
        #expect(message(with) == "left 1 taffrail.unrecovered=true")
        for n in 2...3 { #expect(message(with) == "left \(n) n=\(n) taffrail.unrecovered=true") }
        #expect(message(without) == "before")
        try logs.append(" and half\n", to: "app.log")
        #expect(message(with) == "half and half")
        #expect(message(without) == "half and half")
        let recover = try Program(["recover", logs.path], of: "taffrail", environment: ["TZ": "UTC"])
        #expect(recover.end() == .exited(0))
        try logs.append("[2026-01-05 14:40:00.000] [INFO] behind\n", to: "app.log")
        #expect(message(with) == "behind")
        #expect(message(without) == "left 1")
        for process in [with, without] {
            process.send(SIGTERM)
            #expect(process.end() == .exited(143))
        }
        #expect(directory.text("with.errors") == "")
        #expect(directory.text("without.errors").contains("bytes are still in the queue of a killed program"))
        #expect(directory.lines("with").count == 6)
    }

    @Test func `a log in JSON stays JSON with the records of a killed program`() throws {
        let logs = TemporaryDirectory()
        try logs.log(["before"], format: .json)
        ring(in: logs, encoder: .json)
        let result = try run([logs.path], taffrail: Self.taffrail)
        #expect(result.end == .exited(0))
        #expect(result.lines.count == 4)
        #expect(result.lines.allSatisfy { $0.hasPrefix("{\"time\":\"2026-01-05T14:3") }, "\(result.lines)")
        #expect(result.lines.last?.contains("\"attributes\":{\"n\":3,\"taffrail.unrecovered\":true}") == true)
    }

    @Test func `a killed program's records are printed in its format, even if the log is empty`() throws {
        let logs = TemporaryDirectory()
        try logs.append("", to: "app.log")
        ring(in: logs, encoder: .json)
        let result = try run([logs.path], taffrail: Self.taffrail)
        #expect(result.end == .exited(0))
        #expect(result.lines.count == 3)
        #expect(result.lines.allSatisfy { $0.hasPrefix("{\"time\":\"2026-01-05T14:3") }, "\(result.lines)")
    }

    @Test func `a block that a recovery truncates and writes again is printed once`() throws {
        let logs = TemporaryDirectory()
        func lines(_ range: ClosedRange<Int>) -> String {
            range.map { "[2026-01-05 14:30:0\($0).000] [INFO] \($0)\n" }.joined()
        }
        try logs.append(lines(1...3) + "[2026-01-05 14:30:04.000] [IN", to: "app.log")
        // Each look at the file counts.
        let looks = try environment(
            with: "sleep", "printf x >>'\(directory.file("looks"))'\nexec /bin/sleep \"$@\"")
        let follow = try Program(
            [Self.top + "/get-logs", "-f", "-o", output, logs.path], of: "/bin/sh",
            environment: own.merging(looks) { $1 }.merging(["TAFFRAIL": ""]) { $1 }, errors: directory.file("errors"))
        func awaitLooks(_ count: Int64 = 2) {
            let before = max(0, directory.size("looks"))
            #expect(waited { directory.size("looks") >= before + count })
        }
        func pulled(_ range: ClosedRange<Int>) -> Bool {
            waited { directory.text("out.log") == lines(range) }
        }
        #expect(follow.readLine()?.hasSuffix("1") == true)
        let file = try FileDescriptor(logs.file("app.log"), .write)
        let line = Int64(lines(1...1).utf8.count)
        try file.truncate(to: line)
        awaitLooks()
        try logs.append(lines(2...4), to: "app.log")
        #expect(pulled(1...4))
        awaitLooks(1)
        try file.truncate(to: 0)
        awaitLooks()
        try logs.append(lines(1...5), to: "app.log")
        #expect(pulled(1...5))
        awaitLooks(1)
        // Other lines are another log.
        try file.truncate(to: 0)
        awaitLooks()
        try logs.append(lines(6...6), to: "app.log")
        #expect(pulled(1...6))
        follow.send(SIGTERM)
        #expect(follow.end() == .exited(143))
    }

    /// An environment in which a program is found before the real one.
    func environment(with program: String, _ script: String) throws -> [String: String] {
        let stubs = directory.file("bin")
        mkdir(stubs, 0o700)
        try directory.append("#!/bin/sh\n\(script)\n", to: "bin/" + program)
        chmod(stubs + "/" + program, 0o700)
        return ["PATH": stubs + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")]
    }

    @Test func `a container's log is pulled through docker exec`() throws {
        let logs = TemporaryDirectory()
        try makeLog(in: logs)
        let path = try environment(
            with: "docker",
            """
            # docker exec -i NAME COMMAND…
            [ "$1 $2" = "exec -i" ] || exit 2
            [ "$3" = ferry ] || { echo "Error response from daemon: No such container: $3" >&2; exit 1; }
            shift 3
            exec "$@"
            """)
        let result = try run(["docker:ferry:\(logs.path)"], environment: path)
        #expect(result.end == .exited(0))
        #expect(result.messages == Self.all)
        let other = try run(["docker:tug"], environment: path)
        #expect(other.end == .exited(68))
        #expect(other.errors.contains("No such container: tug"))
        #expect(try run(["docker:ferry:/none"], environment: path).end == .exited(66))
    }

    @Test func `an app's Documents are copied from a device`() throws {
        let logs = TemporaryDirectory()
        try makeLog(in: logs)
        let path = try environment(
            with: "xcrun",
            """
            case "$*" in
            "devicectl list devices")
                echo 'Name   Hostname   Identifier                             State       Model'
                echo 'Phone  phone      0C1D2E3F-0000-1111-2222-333344445555   connected   iPhone'
                ;;
            "devicectl device copy from --device 0C1D2E3F-0000-1111-2222-333344445555 --domain-type appDataContainer --domain-identifier org.ferry --source Documents --destination "*)
                while [ $# -gt 1 ]; do shift; done
                cp -R '\(logs.path)'/. "$1"
                ;;
            *) echo "no such app" >&2; exit 1 ;;
            esac
            """)
        let result = try run(["ios:org.ferry"], environment: path)
        #expect(result.end == .exited(0))
        #expect(result.messages == Self.all)
        let other = try run(["ios:org.tug"], environment: path)
        #expect(other.end == .exited(66))
        #expect(other.errors.contains("no such app"))
    }

    @Test(.enabled(if: access("/usr/bin/shellcheck", X_OK) == 0, "shellcheck is not installed"))
    func `shellcheck has nothing to say`() throws {
        let shellcheck = try Program(["--shell=sh", Self.top + "/get-logs"], of: "/usr/bin/shellcheck")
        #expect(shellcheck.readToEnd() == "")
        #expect(shellcheck.end() == .exited(0))
    }
}
#endif
