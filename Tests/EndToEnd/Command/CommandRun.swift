#if Command && Configuration
import Foundation
import Glibc
import TaffrailTestSupport

@testable import Taffrail

/// The result of a call of the command.
struct CommandRun {
    let end: Program.End
    let output: String
    let errors: String

    /// Runs `taffrail` to its end, with nothing of the tests' own environment that it would heed.
    init(
        _ arguments: [String], in directory: TemporaryDirectory, environment: [String: String] = [:],
        input: String? = nil
    ) throws {
        let name = "errors-\(UInt32.random(in: 0 ... .max))"
        defer { unlink(directory.file(name)) }
        var descriptor: CInt?
        if let input {
            try directory.append(input, to: name + ".in")
            descriptor = open(directory.file(name + ".in"), O_RDONLY | O_CLOEXEC)
            unlink(directory.file(name + ".in"))
        }
        defer { if let descriptor { close(descriptor) } }
        let process = try Program(
            arguments, of: "taffrail", environment: Self.environment(directory).merging(environment) { $1 },
            input: descriptor, errors: directory.file(name))
        output = process.readToEnd()
        end = process.end()
        errors = directory.text(name)
    }

    /// An environment with no configuration and no log but the test's.
    static func environment(_ directory: TemporaryDirectory) -> [String: String] {
        var empty: [String: String] = [:]
        for name in [
            "TAFFRAIL_CONFIG", "TAFFRAIL_LEVEL", "TAFFRAIL_FILE", "LOGS_DIRECTORY", "XDG_CONFIG_HOME", "NOTIFY_SOCKET",
            "JOURNAL_STREAM",
        ] { empty[name] = "" }
        return empty.merging(["HOME": directory.path, "XDG_STATE_HOME": directory.path + "/state"]) { $1 }
    }
}

/// Tests of the command in a directory of their own.
protocol CommandTests {
    var directory: TemporaryDirectory { get }
}

extension CommandTests {
    /// Runs `taffrail` to its end.
    func taffrail(
        _ arguments: String..., environment: [String: String] = [:], input: String? = nil
    ) throws -> CommandRun {
        try CommandRun(arguments, in: directory, environment: environment, input: input)
    }

    /// Writes the configuration, in which `DIR` is the directory, and returns its path.
    func configure(_ text: String) throws -> String {
        try RunningCommand.replace(text, in: directory)
        return directory.file("taffrail.yaml")
    }
}

/// `taffrail run` with a configuration, until it is terminated.
final class RunningCommand {
    let directory: TemporaryDirectory
    private let process: Program
    var pid: pid_t { process.pid }

    /// Writes the configuration, in which `DIR` is the directory, and starts.
    init(_ configuration: String, in directory: TemporaryDirectory, environment: [String: String] = [:]) throws {
        self.directory = directory
        try Self.replace(configuration, in: directory)
        process = try Program(
            ["run", "--config", directory.file("taffrail.yaml")], of: "taffrail",
            environment: CommandRun.environment(directory).merging(environment) { $1 },
            errors: directory.file("errors"))
    }

    /// Replaces the configuration as an editor does.
    static func replace(_ configuration: String, in directory: TemporaryDirectory) throws {
        try directory.append(configuration.replacing("DIR", with: directory.path), to: "new.yaml")
        rename(directory.file("new.yaml"), directory.file("taffrail.yaml"))
    }

    func replace(_ configuration: String) throws { try Self.replace(configuration, in: directory) }
    func send(_ signal: CInt) { process.send(signal) }
    var errors: String { directory.text("errors") }

    func end(_ signal: CInt = SIGTERM) -> Program.End {
        process.send(signal)
        return process.end()
    }
}
#endif
