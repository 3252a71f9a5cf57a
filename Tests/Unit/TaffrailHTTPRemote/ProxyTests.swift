#if HTTP && Command && Configuration
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Requests by way of a proxy of the environment.
@Suite(.mayBlock, .enabled(if: Program.areThere("python3"), "python3 is not installed"))
struct ProxyTests {
    private static func log(
        _ message: String, to url: String, _ tls: String = "", environment: [String: String]
    ) async throws -> String {
        let folder = TemporaryDirectory()
        try folder.write(
            """
            plugins:
              http: { url: "\(url)", encoding: ndjson, compression: none, delay: 0, drain: 30s\(tls), spool: { directory: \(folder.file("spool")) } }
            """, to: "taffrail.yaml")
        let result = try await Program.run(
            ["log", "info", message, "--config", folder.file("taffrail.yaml")], in: folder, environment: environment)
        return result.errors
    }

    @Test func `a proxy gets requests for hosts without an exception`() async throws {
        let server = try FaultServer()
        let proxy = try await ProxyServer()
        let environment = ["http_proxy": "http://127.0.0.1:\(proxy.port)"]
        let errors = try await Self.log("by way of the proxy", to: server.url, environment: environment)
        #expect(
            server.requests.flatMap(\.lines).map { $0["message"] as? String } == ["by way of the proxy"], "\(errors)")
        #expect(proxy.requests == ["CONNECT 127.0.0.1:\(server.port) HTTP/1.1"])
        for exceptions in ["127.0.0.1", "example.org, 127.0.0.1", "*"] {
            _ = try await Self.log(
                "directly", to: server.url, environment: environment.merging(["NO_PROXY": exceptions]) { $1 })
        }
        #expect(server.requests.count == 4)
        #expect(proxy.requests.count == 1, "\(proxy.requests)")
    }

    @Test func `a proxy that demands a password gets it, and it is not printed`() async throws {
        let server = try FaultServer()
        let proxy = try await ProxyServer(demanding: "ferry:hunter@2")
        let address = "http://ferry:hunter%402@127.0.0.1:\(proxy.port)"
        let errors = try await Self.log("with a password", to: server.url, environment: ["http_proxy": address])
        #expect(server.requests.flatMap(\.lines).map { $0["message"] as? String } == ["with a password"], "\(errors)")
        let wrong = try await Self.log(
            "with another", to: server.url,
            environment: ["http_proxy": "http://ferry:hunter3@127.0.0.1:\(proxy.port)"])
        #expect(server.requests.count == 1)
        #expect(wrong.contains("records remain") && !wrong.contains("hunter"), "\(wrong)")
    }

    @Test(.enabled(if: Program.areThere("openssl", "faketime"), "openssl or faketime is not installed"))
    func `a proxy connects to a server with TLS, and does not see the request`() async throws {
        let folder = try TLSTests.certificates()
        let server = try await TLSServer(folder, certificate: "good")
        let proxy = try await ProxyServer()
        let tls = ", tls: { authority: \"\(folder.file("authority.pem"))\" }"
        let url = "https://127.0.0.1:\(server.port)/"
        let errors = try await Self.log(
            "by way of the proxy", to: url, tls, environment: ["HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)"])
        #expect(server.count == 1, "\(errors)")
        #expect(proxy.requests == ["CONNECT 127.0.0.1:\(server.port) HTTP/1.1"])
    }
}
#endif
