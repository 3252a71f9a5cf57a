#if Command && Configuration
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// What `taffrail log` does to the files of a log that may be another program's.
@Suite(.mayBlock) struct LogFileChoiceTests {
    private let directory = TemporaryDirectory()

    @Test(arguments: [["--file", "FILE"], ["--file", "FILE", "--keep", "3"], []], [false, true])
    func `the log of another program loses no file to a line from the command, unless a count is given`(
        _ flags: [String], _ stdin: Bool
    ) throws {
        for number in 1...9 { try directory.append("old\n", to: "app-20200101T000000.000Z-000\(number).log") }
        let run = try CommandRun(
            ["log", "info", stdin ? "--stdin" : "restarted"]
                + flags.map { $0 == "FILE" ? directory.file("app.log") : $0 },
            in: directory, environment: flags.isEmpty ? ["LOGS_DIRECTORY": directory.path] : [:], input: "restarted\n")
        #expect(run.end == .exited(0))
        #expect(directory.text("app.log").contains("restarted"))
        #expect(directory.names.filter { $0.hasPrefix("app-") }.count == (flags.contains("--keep") ? 3 : 9))
    }

    /// Fills a live file beyond the size at which a log rotates by default.
    private func fill(_ name: String) throws {
        try directory.write(String(repeating: String(repeating: "x", count: 1023) + "\n", count: 11 << 10), to: name)
    }

    @Test(
        arguments: [
            ([], [:], 0), (["--keep", "3"], [:], 1), (["--rotate-size", "10MiB"], [:], 1),
            ([], ["TAFFRAIL_ROTATE_SIZE": "10MiB"], 1), (["--stdin"], [:], 1),
        ] as [([String], [String: String], Int)])
    func `a single record rotates the log of another program only if a size or a count is given`(
        flags: [String], environment: [String: String], rotated: Int
    ) throws {
        try fill("app.log")
        let message = flags.contains("--stdin") ? [] : ["restarted"]
        let run = try CommandRun(
            ["log", "info"] + message + ["--file", directory.file("app.log")] + flags, in: directory,
            environment: environment, input: "restarted\n")
        #expect(run.end == .exited(0), "\(run)")
        #expect(directory.text("app.log").suffix(200).contains("restarted"))
        #expect(directory.names.count { $0.hasPrefix("app-") } == rotated, "\(directory.names)")
    }

    @Test func `a single record rotates the command's own log`() throws {
        mkdir(directory.file("state"), 0o700)
        mkdir(directory.file("state/taffrail"), 0o700)
        try fill("state/taffrail/app.log")
        #expect(try CommandRun(["log", "info", "restarted"], in: directory).end == .exited(0))
        let names = try Directory.entries(of: directory.file("state/taffrail")).map(\.name)
        #expect(names.count { $0.hasPrefix("app-") } == 1 && directory.text("state/taffrail/app.log").count < 1000)
    }
}
#endif
