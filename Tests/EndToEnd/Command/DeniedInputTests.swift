#if Command && Configuration && Store
import Glibc
import TaffrailTestSupport
import Testing

/// A file that this user may not read has the same exit status in each command.
@Suite(.mayBlock) struct DeniedInputTests {
    private let directory = TemporaryDirectory()

    @Test(
        .enabled(
            if: geteuid() != 0 || Program.areThere("setpriv"), "root may read everything, and setpriv is not installed"),
        arguments: [
            ["track", "stats", "drive.gpx"], ["convert", "drive.gpx", "-", "--to", "csv"], ["replay", "drive.gpx"],
            ["recordings", "info", "drive.json"], ["recordings", "verify", "drive.json"],
            ["history", "list", "--store", "track.sqlite"], ["logs", "query", "--store", "logs.sqlite"],
        ])
    func `a file that this user may not read has an exit status of its own`(arguments: [String]) throws {
        chmod(directory.path, 0o755)
        for name in arguments where name.contains(".") {
            try directory.write("x\n", to: name)
            chmod(directory.file(name), 0)
        }
        let command = try #require(Program.path("taffrail"))
        let words = geteuid() == 0 ? ["setpriv", "--reuid=65534", "--clear-groups", "--"] : ["env"]
        let paths = arguments.map { $0.contains(".") ? directory.file($0) : $0 }
        let program = try Program(
            Array(words.dropFirst()) + [command] + paths, of: words[0],
            environment: CommandRun.environment(directory), errors: directory.file("errors"))
        #expect(program.readToEnd() == "")
        #expect(program.end() == .exited(77))
        #expect(directory.text("errors").contains(": Permission denied"))
    }

    @Test func `a missing source that is also the destination is a missing input`() throws {
        let path = directory.file("drive.gpx")
        let run = try CommandRun(["convert", path, path, "--force"], in: directory)
        #expect(run.end == .exited(66), "\(run.errors)")
    }
}
#endif
