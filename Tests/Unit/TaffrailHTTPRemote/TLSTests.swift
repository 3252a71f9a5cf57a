#if HTTP
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// An HTTPS server in Python, with certificates of an authority of its own.
final class TLSServer {
    let folder: TemporaryDirectory
    let port: Int
    private let program: Program

    private static let script = """
        import http.server, ssl, sys
        certificate, key, authority = sys.argv[1:]
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_POST(self):
                sys.stdout.write(self.rfile.read(int(self.headers["Content-Length"])).decode())
                sys.stdout.flush()
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()
            def log_message(self, *arguments):
                pass
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        if authority:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(authority)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    /// - Parameters:
    ///   - name: The certificate of the server, in `folder`.
    ///   - authority: The authority of clients, if they need a certificate.
    init(_ folder: TemporaryDirectory, certificate name: String, clients authority: String = "") async throws {
        self.folder = folder
        try? FileManager.default.removeItem(atPath: folder.file("output"))
        program = try Program(
            [
                "-c", Self.script, folder.file(name + ".pem"), folder.file(name + ".key"),
                authority.isEmpty ? "" : folder.file(authority + ".pem"),
            ], of: "python3", in: folder)
        let output = folder
        let isUp = await eventually { output.text("output").contains("\n") }
        try #require(isUp, "\(folder.text("errors"))")
        port = Int(output.text("output").prefix { $0 != "\n" }) ?? 0
    }

    /// How many records have arrived.
    var count: Int { folder.text("output").components(separatedBy: "\"seq\":").count - 1 }
}

@Suite(
    .mayBlock, .enabled(if: Program.areThere("openssl", "python3", "faketime"), "openssl or faketime is not installed"))
struct TLSTests {
    /// An authority, and certificates of it: `good`, `other` for another name, `old`, which has expired, and `client`.
    static func certificates() throws -> TemporaryDirectory {
        let folder = TemporaryDirectory()
        func openssl(_ arguments: [String], at time: String? = nil) throws {
            let result =
                try time.map { try Program.run([$0, "openssl"] + arguments, of: "faketime") }
                ?? Program.run(arguments, of: "openssl")
            try #require(result.code == 0, "\(arguments): \(result.errors)")
        }
        for authority in ["authority", "stranger"] {
            try openssl([
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=\(authority)", "-keyout", folder.file(authority + ".key"), "-out",
                folder.file(authority + ".pem"),
            ])
        }
        for (name, names, time) in [
            ("good", "IP:127.0.0.1", nil), ("other", "DNS:elsewhere.example", nil),
            ("old", "IP:127.0.0.1", "2020-01-01 00:00:00"), ("client", "DNS:ferry", nil),
        ] {
            try openssl([
                "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=\(name)",
                "-keyout",
                folder.file(name + ".key"), "-out", folder.file(name + ".csr"),
            ])
            try folder.write("subjectAltName=\(names)\n", to: name + ".ext")
            try openssl(
                [
                    "x509", "-req", "-in", folder.file(name + ".csr"), "-CA", folder.file("authority.pem"), "-CAkey",
                    folder.file("authority.key"), "-CAcreateserial", "-days", "2", "-extfile",
                    folder.file(name + ".ext"), "-out", folder.file(name + ".pem"),
                ], at: time)
        }
        return folder
    }

    private static func trial(
        _ server: TLSServer, _ change: @escaping (inout HTTPTLSOptions) -> Void = { _ in }
    ) throws -> HTTPTrial {
        try HTTPTrial { options in
            options.url = "https://127.0.0.1:\(server.port)/"
            options.compression = .none
            options.tls.authority = server.folder.file("authority.pem")
            change(&options.tls)
        }
    }

    private static func problem(_ trial: HTTPTrial) -> String {
        let status = trial.folder.text(".taffrail/http.status")
        return status.components(separatedBy: "\"last_error\":\"").dropFirst().first.map {
            String($0.prefix { $0 != "\"" })
        } ?? ""
    }

    @Test func `records are sent only to a server with a certificate of the authority`() async throws {
        let folder = try Self.certificates()
        let good = try await TLSServer(folder, certificate: "good")
        let trial = try Self.trial(good)
        try trial.write(3)
        #expect(await eventually { good.count == 3 }, "\(Self.problem(trial))")
        for name in ["other", "old"] {
            let server = try await TLSServer(folder, certificate: name)
            let trial = try Self.trial(server)
            try trial.write(3)
            #expect(await eventually { !Self.problem(trial).isEmpty })
            // Without the library's error numbers and source files.
            #expect(!Self.problem(trial).contains(".cc:"), "\(Self.problem(trial))")
            let reason = name == "old" ? ": TLS: certificate verify failed" : "failedToValidateHostname"
            #expect(Self.problem(trial).contains(reason), "\(Self.problem(trial))")
            #expect(server.count == 0, "\(name)")
            #expect(trial.drops.isEmpty)
        }
        // Of an authority that is not trusted, and of the system's authorities.
        let server = try await TLSServer(folder, certificate: "good")
        for authority in [folder.file("stranger.pem"), nil] {
            let trial = try Self.trial(server) { $0.authority = authority }
            try trial.write(3)
            #expect(await eventually { !Self.problem(trial).isEmpty })
            #expect(Self.problem(trial).hasSuffix(": TLS: certificate verify failed"), "\(Self.problem(trial))")
            #expect(server.count == 0)
        }
        let careless = try Self.trial(server) {
            $0.authority = nil
            $0.insecure = true
        }
        try careless.write(3)
        #expect(await eventually { server.count == 3 })
    }

    @Test func `a server that demands a certificate gets it`() async throws {
        let folder = try Self.certificates()
        let server = try await TLSServer(folder, certificate: "good", clients: "authority")
        let stranger = try Self.trial(server)
        try stranger.write(3)
        #expect(
            await eventually { Self.problem(stranger).contains("certificate required") }, "\(Self.problem(stranger))")
        let known = try Self.trial(server) {
            $0.certificate = folder.file("client.pem")
            $0.key = folder.file("client.key")
        }
        try known.write(3)
        #expect(await eventually { server.count == 3 }, "\(Self.problem(known))")
        let lost = try Self.trial(server) {
            $0.certificate = folder.file("missing.pem")
            $0.key = folder.file("client.key")
        }
        try lost.write(3)
        #expect(await eventually { Self.problem(lost).hasPrefix("tls: a certificate or key cannot be read") })
        #expect(server.count == 3)
    }

    @Test func `a certificate that has been renewed is used without a restart`() async throws {
        let folder = try Self.certificates()
        let server = try await TLSServer(folder, certificate: "good", clients: "authority")
        func use(authority: String) throws {
            try folder.write(try folder.bytes(authority + ".pem"), to: "trusted.pem")
        }
        func use(certificate: String) throws {
            for type in ["pem", "key"] {
                try folder.write(try folder.bytes("\(certificate).\(type)"), to: "own.\(type)")
            }
        }
        try use(authority: "authority")
        try use(certificate: "stranger")
        let trial = try Self.trial(server) {
            $0.authority = folder.file("trusted.pem")
            $0.certificate = folder.file("own.pem")
            $0.key = folder.file("own.key")
        }
        try trial.write(3)
        #expect(await eventually { !Self.problem(trial).isEmpty })
        // One after the other: the sink may read one file before a change and the next one after it.
        try use(authority: "stranger")
        #expect(
            await eventually { Self.problem(trial).contains("certificate verify failed") }, "\(Self.problem(trial))")
        try use(certificate: "client")
        #expect(server.count == 0)
        try use(authority: "authority")
        #expect(await eventually { server.count == 3 }, "\(Self.problem(trial))")
        #expect(trial.drops.isEmpty)
    }
}
#endif
