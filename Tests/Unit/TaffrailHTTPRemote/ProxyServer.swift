#if HTTP
import TaffrailTestSupport
import Testing

/// A proxy in Python that connects for those who ask it to.
final class ProxyServer {
    private let folder: TemporaryDirectory
    let port: Int
    private let program: Program

    private static let script = """
        import base64, http.server, select, socket, sys
        wanted = base64.b64encode(sys.argv[1].encode()).decode() if len(sys.argv) > 1 else None
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_CONNECT(self):
                print(self.requestline, flush=True)
                if wanted and self.headers.get("Proxy-Authorization") != "Basic " + wanted:
                    self.send_response(407)
                    self.send_header("Proxy-Authenticate", "Basic")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                host, port = self.path.rsplit(":", 1)
                other = socket.create_connection((host, int(port)))
                self.send_response(200)
                self.end_headers()
                self.close_connection = True
                while True:
                    for end in select.select([self.connection, other], [], [])[0]:
                        data = end.recv(65536)
                        if not data:
                            return
                        (other if end is self.connection else self.connection).sendall(data)
            def log_message(self, *arguments):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    /// - Parameter credentials: The user and the password that it demands, with a colon between them.
    init(demanding credentials: String? = nil) async throws {
        let folder = TemporaryDirectory()
        self.folder = folder
        program = try Program(["-c", Self.script] + (credentials.map { [$0] } ?? []), of: "python3", in: folder)
        try #require(await eventually { folder.text("output").contains("\n") }, "\(folder.text("errors"))")
        port = Int(folder.text("output").prefix { $0 != "\n" }) ?? 0
    }

    /// The first lines of the requests that it has got.
    var requests: [String] { folder.text("output").split(separator: "\n").dropFirst().map(String.init) }
}
#endif
