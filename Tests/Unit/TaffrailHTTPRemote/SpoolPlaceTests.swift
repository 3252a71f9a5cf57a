#if HTTP && Command && Configuration
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

/// Where a spool is that the configuration does not name.
@Suite(.mayBlock) struct SpoolPlaceTests {
    private let folder = TemporaryDirectory()
    private let home = TemporaryDirectory()

    /// A configuration whose destination is away.
    private func configuration(_ name: String, log: String?) throws -> String {
        let file = log.map { "  file: { path: \(folder.file($0)) }\n" } ?? ""
        try folder.write(
            "plugins:\n\(file)  http: { url: \"http://127.0.0.1:9/\", encoding: ndjson, drain: 0s }\n", to: name)
        return folder.file(name)
    }

    /// Runs the command as a program with a log directory of its own.
    private func taffrail(_ arguments: String...) throws -> (code: CInt, output: String, errors: String) {
        try Program.run(arguments, environment: ["LOGS_DIRECTORY": home.path])
    }

    @Test func `a spool is beside the log of its configuration, and each log has its own`() throws {
        for log in ["ferry.log", "tug.log"] {
            let config = try configuration(log + ".yaml", log: log)
            let logged = try taffrail("log", "info", "from \(log)", "--config", config)
            #expect(logged.code == 0, "\(logged.errors)")
            let spool = folder.file(".taffrail/\(log).http.spool")
            #expect(try SpoolInspection(spool).summary().records == 1)
            // Another program finds it by the same configuration.
            let list = try Program.run(
                ["spool", "list", "--config", config], environment: ["LOGS_DIRECTORY": folder.file("other")])
            #expect(list.output.contains(spool) && list.output.contains("1 record, "), "\(list.output)\(list.errors)")
            let checked = try taffrail("check", config)
            #expect(checked.output == "ok\n" && !checked.errors.contains("spool"), "\(checked.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: home.file(".taffrail")))
    }

    @Test func `without a log file it is in the log directory of the program, of which check warns`() throws {
        let config = try configuration("taffrail.yaml", log: nil)
        let spool = home.file(".taffrail/http.spool")
        let checked = try taffrail("check", config)
        #expect(checked.code == 0 && checked.output == "ok\n")
        #expect(
            checked.errors.contains(":2:3: warning: http: without a sink file, the spool is \(spool)"),
            "\(checked.errors)")
        #expect(try taffrail("log", "info", "one", "--config", config).code == 0)
        #expect(try SpoolInspection(spool).summary().records == 1)
        try folder.write(
            "plugins: { http: { url: \"http://127.0.0.1:9/\", spool: { directory: \(folder.file("spool")) } } }\n",
            to: "named.yaml")
        let named = try taffrail("check", folder.file("named.yaml"))
        #expect(named.output == "ok\n" && named.errors == "", "\(named.errors)")
    }

    @Test func `recovery appends to the spool of the run that was killed`() async throws {
        let config = try configuration("taffrail.yaml", log: "ferry.log")
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let program = try Program(
            ["log", "info", "--stdin", "--tee", "--config", config], in: folder,
            environment: ["LOGS_DIRECTORY": home.path], output: "echo", input: ends[0])
        close(ends[0])
        let text = Array((1...100).map { "line \($0)\n" }.joined().utf8)
        #expect(write(ends[1], text, text.count) == text.count)
        #expect(await eventually { folder.lines("echo").count == 100 })
        program.kill()
        close(ends[1])
        // It has another log directory, so that only the configuration shows the way.
        let recovered = try await Program.run(
            ["recover", folder.path, "--config", config], in: folder,
            environment: ["LOGS_DIRECTORY": folder.file("other")])
        #expect(recovered.code == 0, "\(recovered.errors)")
        let spool = folder.file(".taffrail/ferry.log.http.spool")
        #expect(try SpoolInspection(spool).summary().records == 100)
        #expect(folder.lines("ferry.log").count == 100)
    }
}
#endif
