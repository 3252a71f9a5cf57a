#if Command && Configuration
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailCommand

/// `taffrail tail` as people know it from other programs.
@Suite(.mayBlock) struct TailCommandTests {
    private let directory = TemporaryDirectory()

    init() throws {
        try directory.write(
            "[2026-01-05 14:30:00.000] [INFO] one\n[2026-01-05 14:30:02.000] [ERROR] Three\n", to: "ferry.log")
        try directory.write("[2026-01-05 14:30:01.000] [WARNING] two\n", to: "pier.log")
    }

    private func tail(
        _ arguments: String..., environment: [String: String] = [:], input: String? = nil
    ) throws -> CommandRun {
        try CommandRun(
            ["tail"] + arguments.map { $0.hasSuffix(".log") ? directory.file($0) : $0 }, in: directory,
            environment: environment, input: input)
    }

    private func messages(_ run: CommandRun) -> [String] {
        run.output.split(separator: "\n").map { String($0.split(separator: " ").last ?? "") }
    }

    @Test func `a count may be given as for tail`() throws {
        #expect(try messages(tail("-1", "ferry.log")) == ["Three"])
        #expect(try messages(tail("-n1", "ferry.log")) == ["Three"])
        #expect(try messages(tail("-n", "1", "ferry.log")) == ["Three"])
        #expect(TailCommand.arguments(["tail", "-3", "a"]) == ["tail", "-n", "3", "a"])
        #expect(TailCommand.arguments(["tail", "-n", "-n3", "-na"]) == ["tail", "-n", "-n3", "-na"])
        #expect(TailCommand.arguments(["tail", "--lines", "-5", "-6"]) == ["tail", "--lines", "-5", "-n", "6"])
        let run = try tail("-n", "-5", "ferry.log")
        #expect(run.end == .exited(64) && run.errors.contains("-n must not be negative"), "\(run.errors)")
        #expect(
            TailCommand.arguments(["tail", "--since", "-10", "--", "-3"]) == ["tail", "--since", "-10", "--", "-3"])
        #expect(TailCommand.arguments(["replay", "-3"]) == ["replay", "-3"])
    }

    @Test func `lines of several logs have their names in front, unless that is not wanted`() throws {
        let merged = try tail("ferry.log", "pier.log")
        #expect(
            merged.output == """
                ferry.log | [2026-01-05 14:30:00.000] [INFO] one
                pier.log  | [2026-01-05 14:30:01.000] [WARNING] two
                ferry.log | [2026-01-05 14:30:02.000] [ERROR] Three
                """)
        #expect(try !tail("--no-prefix", "ferry.log", "pier.log").output.contains(" | "))
        #expect(try !tail("--json", "ferry.log", "pier.log").output.contains(" | "))
        #expect(try !tail("ferry.log").output.contains(" | "))
        #expect(try tail(directory.path).output.contains(#/pier\.log +\| /#))
    }

    @Test func `logs of the same name have their paths in front, in every line`() throws {
        for other in ["a", "b"] {
            mkdir(directory.file(other), 0o755)
            try directory.write("[2026-01-05 14:30:01.000] [INFO] \(other)\n", to: "\(other)/ferry.log")
        }
        let (here, a, b) = (directory.file("ferry.log"), directory.file("a/ferry.log"), directory.file("b/ferry.log"))
        #expect(
            try tail("ferry.log", "a/ferry.log", "b/ferry.log").output == """
                \(here)   | [2026-01-05 14:30:00.000] [INFO] one
                \(a) | [2026-01-05 14:30:01.000] [INFO] a
                \(b) | [2026-01-05 14:30:01.000] [INFO] b
                \(here)   | [2026-01-05 14:30:02.000] [ERROR] Three
                """)
    }

    @Test func `a configuration beside the logs is no log`() throws {
        try directory.write("level: info\n", to: "taffrail.yaml")
        #expect(try messages(tail(directory.path)) == ["one", "two", "Three"])
        #expect(try tail(directory.file("taffrail.yaml")).output == "level: info")
    }

    @Test func `the standard input is merged with logs`() throws {
        let run = try tail("-", "ferry.log", input: "2026-01-05 14:30:01 between\nno time\nlast")
        #expect(
            run.output == """
                ferry.log | [2026-01-05 14:30:00.000] [INFO] one
                -         | 2026-01-05 14:30:01 between
                -         | no time
                -         | last
                ferry.log | [2026-01-05 14:30:02.000] [ERROR] Three
                """)
        let long = String(repeating: "x", count: 300_000)
        #expect(try tail("-", input: "\(long)\n\(long)").output == "\(long)\n\(long)")
    }

    @Test func `the help lists the formats of other programs`() throws {
        let help = try tail("--help").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for name in ["access log (Apache, nginx)", "syslog (RFC 5424)", "glog, klog (Kubernetes)", "Tomcat"] {
            #expect(help.contains(name), "\(help)")
        }
    }

    @Test func `expressions ignore case if requested, and exclude`() throws {
        #expect(try messages(tail("--grep", "three", "ferry.log")) == [])
        #expect(try messages(tail("-i", "--grep", "three", "ferry.log")) == ["Three"])
        #expect(try messages(tail("-i", "--exclude", "THREE", "ferry.log")) == ["one"])
        #expect(try messages(tail("-1", "-i", "--exclude", "THREE", "ferry.log")) == ["one"])
        #expect(try tail("--exclude", "(", "ferry.log").end == .exited(64))
    }

    @Test func `colours are written if requested`() throws {
        #expect(try tail("--color", "always", "ferry.log").output.contains("\u{1b}[31m"))
        #expect(
            try tail("--colour", "always", "ferry.log", environment: ["NO_COLOR": "1"]).output.contains("\u{1b}[31m"))
        #expect(try !tail("--color", "auto", "ferry.log").output.contains("\u{1b}"))
    }

    @Test(arguments: [["tail", "ferry.log"], ["logs", "query"], ["history", "list"], ["history", "purge", "--yes"]])
    func `a time that cannot be parsed is reported with the accepted forms`(command: [String]) throws {
        let run = try CommandRun(command + ["--until", "soon"], in: directory)
        #expect(run.end == .exited(64))
        #expect(
            run.errors.contains("'soon' is invalid for '--until <time>': not a time such as 2026-01-05, "),
            "\(run.errors)")
    }

    @Test func `a missing log does not keep the others from being shown`() throws {
        let run = try tail("none.log", "ferry.log")
        #expect(run.end == .exited(66) && messages(run) == ["one", "Three"])
        #expect(run.errors == "taffrail: \(directory.file("none.log")): No such file or directory\n")
        let nothing = try tail("none.log")
        #expect(nothing.end == .exited(66) && nothing.output == "")
    }

    @Test(
        .enabled(
            if: geteuid() != 0 || Program.areThere("setpriv"), "root may read everything, and setpriv is not installed")
    )
    func `a log that this user may not read is an exit status of its own`() throws {
        chmod(directory.path, 0o755)
        chmod(directory.file("ferry.log"), 0)
        let command = try #require(Program.path("taffrail"))
        let words = geteuid() == 0 ? ["setpriv", "--reuid=65534", "--clear-groups", "--"] : ["env"]
        for path in [directory.file("ferry.log"), directory.path] {
            let program = try Program(
                Array(words.dropFirst()) + [command, "tail", path], of: words[0],
                environment: CommandRun.environment(directory), errors: directory.file("errors"))
            let output = program.readToEnd()
            #expect(program.end() == .exited(77))
            #expect(output.contains("two") == (path == directory.path) && !output.contains("Three"))
            #expect(directory.text("errors").contains("ferry.log: Permission denied"))
        }
    }

    @Test func `a message that ends like an attribute reads back as a message`() throws {
        for message in ["tz=EST5EDT", "request served by pool=main rc=200"] {
            #expect(
                try CommandRun(["log", "info", message, "n=1", "--file", directory.file("app.log")], in: directory).end
                    == .exited(0))
        }
        #expect(
            directory.lines("app.log").map { $0.dropFirst(33) } == [
                "tz\\=EST5EDT n=1", "request served by pool=main rc\\=200 n=1",
            ])
        let json = try tail("--json", "app.log").output
        #expect(json.contains(#""message":"tz=EST5EDT","attributes":{"n":1}"#))
        #expect(json.contains(#""message":"request served by pool=main rc=200","attributes":{"n":1}"#))
        #expect(try tail("--format", "logfmt", "app.log").output.contains(#"msg="tz=EST5EDT" n=1"#))
        #expect(try tail("app.log").output == directory.lines("app.log").joined(separator: "\n"))
        let verified = try tail("--verify", "app.log")
        #expect(verified.end == .exited(0))
        #expect(verified.output.hasSuffix("app.log: complete\n  2 lines in 1 file, written without a queue"))
    }

    @Test func `a log that does not exist yet is waited for`() async throws {
        let process = try Program(
            ["tail", "-F", directory.file("late.log")], of: "taffrail", errors: directory.file("errors"))
        defer { kill(process.pid, SIGKILL) }
        #expect(await eventually { directory.text("errors").contains("late.log: No such file or directory; waiting") })
        try directory.write("[2026-01-05 14:30:00.000] [INFO] here\n", to: "late.log")
        let line = try await blocking { process.readLine() }
        #expect(line == "[2026-01-05 14:30:00.000] [INFO] here")
    }

    @Test func `a time before now may be given with its sign`() throws {
        #expect(try tail("--since", "-10m", "ferry.log").end == .exited(0))
        #expect(
            try messages(
                tail("--since", "1767623401", "--until", "@1767623499", "ferry.log", environment: ["TZ": "UTC"])) == [
                    "Three"
                ])
    }

    @Test func `a program's own levels, times and attributes are logged`() throws {
        let input = """
            {"level":"error","msg":"x","time":"2026-01-05T14:30:00Z","user":"a"}
            <4>ice
            plain

            """
        let run = try CommandRun(
            ["log", "notice", "--stdin", "--parse", "--file", directory.file("app.log")], in: directory,
            environment: ["TZ": "UTC"], input: input)
        #expect(run.end == .exited(0), "\(run.errors)")
        let lines = directory.text("app.log").split(separator: "\n").filter { !$0.hasSuffix("Logger initialized") }
        #expect(lines.first == "[2026-01-05 14:30:00.000] [ERROR] x user=a")
        #expect(lines.dropFirst().map { $0.dropFirst(26) } == ["[WARNING] ice", "[NOTICE] plain"])
        #expect(try CommandRun(["log", "info", "x", "--parse"], in: directory).end == .exited(64))
    }
}
#endif
