#if Command && Configuration && Store
import Glibc
import TaffrailTestSupport
import Testing

/// A file or directory that this user may not read has the same exit status in each command.
@Suite(
    .mayBlock,
    .enabled(
        if: geteuid() != 0 || Program.areThere("setpriv"), "root may read everything, and setpriv is not installed"))
struct DeniedInputTests {
    private let directory = TemporaryDirectory()

    /// The program that runs the command as a user other than root, with its arguments.
    private func lesser(_ arguments: [String]) throws -> (program: String, arguments: [String]) {
        chmod(directory.path, 0o755)
        let command = try #require(Program.path("taffrail"))
        let words = geteuid() == 0 ? ["setpriv", "--reuid=65534", "--clear-groups", "--"] : ["env"]
        return (words[0], Array(words.dropFirst()) + [command] + arguments)
    }

    /// Runs the command as a user other than root.
    private func taffrail(_ arguments: [String]) throws -> (end: Program.End, output: String, errors: String) {
        let lesser = try lesser(arguments)
        let program = try Program(
            lesser.arguments, of: lesser.program, environment: CommandRun.environment(directory),
            errors: directory.file("errors"))
        let output = program.readToEnd()
        return (program.end(), output, directory.text("errors"))
    }

    @Test(arguments: [
        ["track", "stats", "drive.gpx"], ["convert", "drive.gpx", "-", "--to", "csv"], ["replay", "drive.gpx"],
        ["recordings", "info", "drive.json"], ["recordings", "verify", "drive.json"],
        ["history", "list", "--store", "track.sqlite"], ["logs", "query", "--store", "logs.sqlite"],
        ["geocoder", "info", "--database", "geocoder.db"],
    ])
    func `a file that this user may not read has an exit status of its own`(arguments: [String]) throws {
        for name in arguments where name.contains(".") {
            try directory.write("x\n", to: name)
            chmod(directory.file(name), 0)
        }
        let run = try taffrail(arguments.map { $0.contains(".") ? directory.file($0) : $0 })
        #expect(run.end == .exited(77) && run.output == "", "\(run.errors)")
        #expect(run.errors.contains(": Permission denied"))
    }

    @Test(arguments: [
        ["recover", "DIR"], ["status", "DIR"], ["tail", "DIR"], ["tail", "DIR/ferry.log"], ["tail", "--verify", "DIR"],
        ["tail", "--verify", "DIR/ferry.log"], ["rotate", "DIR/ferry.log"], ["spool", "list", "--directory", "DIR"],
        ["recordings", "list", "--directory", "DIR"], ["recordings", "verify", "--directory", "DIR"],
        ["recordings", "repair", "--directory", "DIR"], ["recordings", "info", "x.json", "--directory", "DIR"],
        ["geocoder", "info", "--database", "DIR/geocoder.db"],
        ["ctl", "--socket", "DIR/ferry.control", "status"],
    ])
    func `so has a directory that this user may not read`(arguments: [String]) throws {
        let denied = directory.file("denied")
        mkdir(denied, 0)
        let run = try taffrail(arguments.map { $0.replacing("DIR", with: denied) })
        #expect(run.end == .exited(77) && run.output == "", "\(run.errors)")
        #expect(run.errors.contains(": Permission denied"))
    }

    #if Server
    @Test func `view has the same exit status for a directory that this user may not read`() throws {
        let denied = directory.file("denied")
        mkdir(denied, 0)
        let run = try taffrail(["view", denied])
        #expect(run.end == .exited(77) && run.errors.contains(": Permission denied"), "\(run.errors)")
    }
    #endif

    @Test func `a named recording requires no permission to list its directory`() throws {
        mkdir(directory.file("drives"), 0o755)
        try directory.write(#"{"metadata":{"version":"1.0"},"events":[]}"#, to: "drives/drive.json")
        chmod(directory.file("drives/drive.json"), 0o644)
        chmod(directory.file("drives"), 0o111)
        defer { chmod(directory.file("drives"), 0o755) }
        let run = try taffrail(["recordings", "info", "drive.json", "--directory", directory.file("drives")])
        #expect(run.end == .exited(0) && run.output.hasPrefix("drive.json\n"), "\(run.errors)")
    }

    @Test func `queues in a directory that this user may not read are not counted as recovered`() throws {
        mkdir(directory.file(".taffrail"), 0)
        let run = try taffrail(["recover", directory.path])
        #expect(run.end == .exited(65), "\(run.errors)")
        #expect(run.errors.contains("\(directory.path)/.taffrail: Permission denied"))
    }

    @Test(arguments: [false, true])
    func `a log is printed without the queues that only its owner may read`(isListable: Bool) throws {
        let logs = directory.file("logs")
        mkdir(logs, 0o755)
        chmod(logs, 0o755)
        try directory.write("[2026-01-05 14:30:00.000] [INFO] moored\n", to: "logs/ferry.log")
        chmod(logs + "/ferry.log", 0o644)
        mkdir(logs + "/.taffrail", isListable ? 0o755 : 0)
        if isListable {
            let ring = "logs/.taffrail/0000000000000abc.ring"
            try directory.write("x", to: ring)
            chmod(directory.file(ring), 0)
        }
        for path in [logs + "/ferry.log", logs] {
            let run = try taffrail(["tail", path])
            #expect(run.end == .exited(0) && run.output.hasSuffix("moored") && run.errors.isEmpty, "\(run)")
        }
    }

    @Test func `queues that only their owner may read are reported if a directory has no log`() throws {
        let logs = directory.file("logs")
        mkdir(logs, 0o755)
        mkdir(logs + "/.taffrail", 0)
        let run = try taffrail(["tail", logs])
        #expect(run.end == .exited(65) && run.output == "", "\(run)")
        #expect(run.errors.contains("\(logs)/.taffrail: Permission denied"), "\(run)")
    }

    @Test(arguments: [false, true])
    func `a log whose state is private is followed across compression and deletion`(isDeleted: Bool) throws {
        func write(_ text: String, to name: String) throws {
            try directory.write("[2026-01-05 14:30:00.000] [INFO] \(text)\n", to: "logs/" + name)
            chmod(directory.file("logs/" + name), 0o644)
        }
        mkdir(directory.file("logs"), 0o755)
        mkdir(directory.file("logs/.taffrail"), 0)
        try write("one", to: "ferry.log")
        let lesser = try lesser(["tail", "-f", directory.file("logs/ferry.log")])
        let tail = try Program(
            lesser.arguments, of: lesser.program, in: directory, environment: CommandRun.environment(directory))
        #expect(waited { directory.lines("output").count == 1 })
        // It sees only the results, as a program that waits for the reader of its output.
        var stopped = siginfo_t()
        tail.send(SIGSTOP)
        try #require(waitid(P_PID, id_t(tail.pid), &stopped, WSTOPPED) == 0)
        let rotated = ["1.000Z-0001", "2.000Z-0001"].map { directory.file("logs/ferry-20260105T14300\($0).log") }
        rename(directory.file("logs/ferry.log"), rotated[0])
        try write("two", to: "ferry.log")
        rename(directory.file("logs/ferry.log"), rotated[1])
        try write("three", to: "ferry.log")
        if isDeleted { unlink(rotated[0]) } else { try Gzip.compress(rotated[0]) }
        try Gzip.compress(rotated[1])
        tail.send(SIGCONT)
        #expect(waited { directory.text("output").hasSuffix("three\n") })
        #expect(directory.lines("output").map { $0.split(separator: " ").last ?? "" } == ["one", "two", "three"])
        #expect(directory.text("errors") == "")
    }

    @Test func `a missing source that is also the destination is a missing input`() throws {
        let path = directory.file("drive.gpx")
        let run = try CommandRun(["convert", path, path, "--force"], in: directory)
        #expect(run.end == .exited(66), "\(run.errors)")
    }
}
#endif
