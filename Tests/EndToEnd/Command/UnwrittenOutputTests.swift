#if Command && Configuration
import Glibc
import TaffrailTestSupport
import Testing

/// Output that cannot be written is an error of each command.
@Suite(.mayBlock) struct UnwrittenOutputTests: CommandTests {
    let directory = TemporaryDirectory()

    @Test(arguments: [
        ["plugins"], ["tail", "--verify", "DIR/app.log"], ["tail", "DIR/app.log"], ["status", "DIR"],
        ["recordings", "list", "--directory", "DIR", "--format", "json"],
    ])
    func `output that cannot be written has exit status 74 and a reason`(arguments: [String]) throws {
        #expect(try taffrail("log", "info", "--file", directory.file("app.log"), "hello").end == .exited(0))
        symlink("/dev/full", directory.file("output"))
        let process = try Program(
            arguments.map { $0.replacing("DIR", with: directory.path) }, in: directory,
            environment: CommandRun.environment(directory))
        #expect(process.end() == .exited(74))
        #expect(directory.text("errors").contains("No space left on device"))
    }

    #if Store
    @Test func `records of a store that cannot be written have exit status 74 and a reason`() throws {
        let store = directory.file("logs.sqlite")
        let config = try configure("plugins:\n  log-store: { path: \(store) }\n")
        #expect(try taffrail("log", "info", "--config", config, "one").end == .exited(0))
        symlink("/dev/full", directory.file("output"))
        let process = try Program(
            ["logs", "query", "--store", store], in: directory, environment: CommandRun.environment(directory))
        #expect(process.end() == .exited(74))
        #expect(directory.text("errors") == "taffrail: cannot write the output: No space left on device\n")
    }
    #endif
}
#endif
