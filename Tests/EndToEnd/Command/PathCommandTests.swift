#if Command && Configuration
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Paths and files as people get them wrong: each is an error at once, and nothing is created.
@Suite(.mayBlock) struct PathCommandTests: CommandTests {
    let directory = TemporaryDirectory()

    @Test(arguments: [
        ("~/app.log", "starts with ~, which only a shell expands: write ${HOME}"),
        ("$HOME/app.log", "starts with $, which only a shell expands: write ${NAME}"),
        ("/dev/stdout", "is not a regular file and cannot be rotated: use the sink \"console\""),
    ]) func `a path that cannot be meant as it is written is rejected with a hint`(path: String, hint: String) throws {
        let checked = try taffrail("check", configure("plugins: { file: { path: \(path) } }"))
        #expect(checked.end == .exited(78) && checked.errors.contains(hint))
        let flag = try taffrail("log", "info", "x", "--file", path)
        #expect(flag.end == .exited(64) && flag.errors.contains(hint))
        #expect(directory.names == ["taffrail.yaml"])
    }

    @Test func `a variable of the environment is expanded in a path`() throws {
        let file = try configure("plugins: { file: { path: \"${HOME}/logs/app.log\" } }")
        #expect(try taffrail("log", "info", "x", "--config", file).end == .exited(0))
        #expect(directory.text("logs/app.log").contains("[INFO] x"))
    }

    @Test(arguments: [[], ["--stdin"]]) func `at most the last directory of a log that is named is created`(
        _ flags: [String]
    ) throws {
        let arguments = ["log", "info"] + (flags.isEmpty ? ["x"] : flags)
        for environment in [[:], ["TAFFRAIL_FILE": directory.file("no/such/app.log")]] {
            let file = environment.isEmpty ? ["--file", directory.file("no/such/app.log")] : []
            let run = try CommandRun(arguments + file, in: directory, environment: environment, input: "x\n")
            #expect(run.end == .exited(73) && run.errors.contains("no such directory: \(directory.file("no"))"))
        }
        #expect(directory.names == [])
        let made = try CommandRun(arguments + ["--file", directory.file("new/app.log")], in: directory, input: "x\n")
        #expect(made.end == .exited(0) && directory.text("new/app.log").contains("[INFO] x"))
    }

    @Test func `a first start whose log cannot be opened fails at once and names it`() throws {
        mkdir(directory.file("taken"), 0o700)
        let file = try configure("plugins:\n  file: { path: DIR/taken }")
        let message = "\(file):2:3: file: path: \(directory.file("taken")) is a directory; name a file in it"
        for arguments in [["run"], ["log", "info", "x"], ["log", "info", "--stdin"]] {
            let run = try CommandRun(arguments + ["--config", file], in: directory, input: "x\n")
            #expect(run.end == .exited(78))
            #expect(run.errors.hasPrefix(message))
        }
        let checked = try taffrail("check", file)
        #expect(checked.end == .exited(78) && checked.errors.hasPrefix(message))
    }

    @Test func `without plugins in the configuration, check prints the destination of records`() throws {
        let run = try taffrail("check", configure(""))
        let log = directory.file("state/taffrail/app.log")
        #expect(run.end == .exited(0) && run.output == "ok")
        #expect(
            run.errors.contains("taffrail.yaml:1:1: warning: \"plugins:\" is missing; records are written to \(log)"))
    }

    @Test func `a byte order mark is not part of a configuration`() throws {
        #expect(try taffrail("check", configure("\u{FEFF}plugins: { file: { path: DIR/app.log } }")).output == "ok")
    }

    @Test func `wrong usage is reported with the usage of the subcommand`() throws {
        for arguments in [["log", "info", "x", "foo"], ["log", "info"]] {
            let run = try CommandRun(arguments, in: directory)
            #expect(run.end == .exited(64))
            #expect(run.errors.hasPrefix("Error: "))
            #expect(run.errors.contains("\nUsage: taffrail log <level> [<message> ...] "))
            #expect(run.errors.hasSuffix("\n  See 'taffrail log --help' for more information.\n"))
        }
    }

    @Test func `without a configuration the searched paths are listed`() throws {
        for command in ["run", "check"] {
            let run = try taffrail(command)
            #expect(run.end == .exited(66))
            #expect(run.errors.contains("looked for taffrail.yaml, \(directory.path)/.config/taffrail/taffrail.yaml, "))
        }
    }
}
#endif
