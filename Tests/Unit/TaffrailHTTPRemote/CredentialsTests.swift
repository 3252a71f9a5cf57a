#if HTTP && Command && Configuration
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// How a program authenticates itself, as a configuration has it, and what it prints of that.
@Suite(.mayBlock) struct CredentialsTests {
    struct Way: CustomTestStringConvertible {
        let options: String
        let header: String
        var testDescription: String { options }
    }

    static let ways = [
        Way(options: "token: hunter2", header: "Bearer hunter2"),
        Way(options: "token_environment: COLLECTOR_TOKEN", header: "Bearer hunter2"),
        Way(options: "token_credential: collector", header: "Bearer hunter2"),
        Way(options: "token_file: DIR/credentials/collector", header: "Bearer hunter2"),
        Way(options: "user: ferry, password: hunter2", header: "Basic ZmVycnk6aHVudGVyMg=="),
        Way(options: "headers: { Authorization: \"Token hunter2\", X-Key: hunter2 }", header: "Token hunter2"),
    ]

    private static func prepared(
        _ folder: TemporaryDirectory, _ way: Way, url: String
    ) throws -> (config: String, environment: [String: String]) {
        try FileManager.default.createDirectory(
            atPath: folder.file("credentials"), withIntermediateDirectories: true)
        try folder.write("hunter2\n", to: "credentials/collector")
        let options = way.options.replacing("DIR", with: folder.path)
        try folder.write(
            """
            plugins:
              file: { path: \(folder.file("app.log")) }
              http: { url: "\(url)", encoding: ndjson, delay: 0s, drain: 30s, longest_retry: 1s, \(options), spool: { directory: \(folder.file(".taffrail/http.spool")) } }
            """, to: "taffrail.yaml")
        return (
            folder.file("taffrail.yaml"),
            ["COLLECTOR_TOKEN": "hunter2", "CREDENTIALS_DIRECTORY": folder.file("credentials")]
        )
    }

    @Test(arguments: ways) func `a request has what the configuration demands`(way: Way) async throws {
        let (folder, server) = (TemporaryDirectory(), try FaultServer())
        let (config, environment) = try Self.prepared(folder, way, url: server.url)
        let log = try await Program.run(
            ["log", "info", "with a secret", "--config", config], in: folder, environment: environment)
        #expect(log.code == 0 && !log.errors.contains("hunter2"), "\(log.errors)")
        #expect(
            server.requests.map { $0.headers["authorization"] } == [way.header],
            "\(log.errors)\(folder.text(".taffrail/http.status"))")
        if way.options.hasPrefix("headers") { #expect(server.requests.first?.headers["x-key"] == "hunter2") }
    }

    @Test(arguments: ways) func `no command prints a secret, and none is stored`(way: Way) async throws {
        let (folder, server) = (TemporaryDirectory(), try FaultServer())
        let (config, environment) = try Self.prepared(folder, way, url: server.url)
        // It returns what it got, and accepts nothing.
        server.reply { .answer(401, body: "no \($0.headers["authorization"] ?? "")") }
        for arguments in [
            ["check"], ["log", "info", "one"], ["status"], ["spool", "list"], ["spool", "export"],
            ["recover", folder.path],
        ] {
            let result = try await Program.run(
                arguments + ["--config", config], in: folder, environment: environment)
            let printed = result.output + result.errors
            #expect(!printed.contains("hunter2") && !printed.contains("aHVudGVyMg"), "\(arguments): \(printed)")
        }
        #expect(!server.requests.isEmpty && folder.text(".taffrail/http.status").contains("returned 401"))
        let state = folder.file(".taffrail")
        for name in try FileManager.default.subpathsOfDirectory(atPath: state) {
            let bytes = (try? folder.bytes(".taffrail/" + name)) ?? []
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains("hunter2") && !text.contains("aHVudGVyMg"), "\(name)")
        }
    }

    @Test func `a certificate that is not verified is reported`() async throws {
        let (folder, server) = (TemporaryDirectory(), try FaultServer())
        for isInsecure in [false, true] {
            let way = Way(options: "tls: { insecure: \(isInsecure) }", header: "")
            let (config, environment) = try Self.prepared(folder, way, url: server.url)
            let log = try await Program.run(
                ["log", "info", "x", "--config", config], in: folder, environment: environment)
            let warning = "the certificate of http://127.0.0.1:\(server.port) is not verified, as configured"
            #expect(log.code == 0 && log.errors.contains(warning) == isInsecure, "\(log.errors)")
        }
    }

    @Test func `a key in a header is not printed, also without the word before it`() async throws {
        let trial = try HTTPTrial { $0.headers = ["Authorization": Secret("ApiKey hunter2")] }
        trial.server.reply { request in
            let key = request.headers["authorization"]?.split(separator: " ").last ?? ""
            return .answer(401, body: "unknown key \(key)")
        }
        try trial.write(1)
        #expect(await eventually { trial.folder.text(".taffrail/http.status").contains("returned 401") })
        let status = trial.folder.text(".taffrail/http.status")
        #expect(status.contains("returned 401: unknown key (secret)") && !status.contains("hunter"), "\(status)")
    }

    @Test func `a token that is missing is reported, and what waits is kept`() async throws {
        let (folder, server) = (TemporaryDirectory(), try FaultServer())
        for (option, problem) in [
            ("token_environment: NO_SUCH_TOKEN", "the variable NO_SUCH_TOKEN is not set"),
            ("token_credential: collector", "the program has no systemd credentials"),
            ("token_file: DIR/missing", "token_file: "),
        ] {
            let (config, _) = try Self.prepared(folder, Way(options: option, header: ""), url: server.url)
            let log = try await Program.run(
                ["log", "info", option, "--config", config], in: folder)
            #expect(log.code == 0)
            #expect(folder.text(".taffrail/http.status").contains(problem), "\(folder.text(".taffrail/http.status"))")
        }
        #expect(server.requests.isEmpty)
        #expect(try SpoolInspection(folder.file(".taffrail/http.spool")).summary().records == 3)
    }
}
#endif
