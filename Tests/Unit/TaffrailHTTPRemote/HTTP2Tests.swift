#if HTTP
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// A server of HTTP/2 alone over TLS, by a library that is not ours: Python's h2.
final class HTTP2Server {
    enum Fault: String, CaseIterable {
        case none
        /// Every third request is refused before it is processed.
        case refused
        /// Every third request is reset after it has been stored.
        case reset
        /// A connection ends after two requests.
        case goAway
    }

    let folder: TemporaryDirectory
    let port: Int
    private let program: Program

    static let isPossible = (try? Program.run(["-c", "import h2"], of: "python3").code) == 0

    private static let script = """
        import json, socket, ssl, sys, threading
        import h2.config, h2.connection, h2.events
        certificate, key, fault = sys.argv[1:]
        lock = threading.Lock()
        count = 0

        def finish(connection, stream, headers, body, served):
            global count
            with lock:
                count += 1
                number = count
            if fault == "refused" and number % 3 == 0:
                connection.reset_stream(stream, error_code=7)
                return
            line = {"key": headers.get("idempotency-key"), "body": bytes(body).decode()}
            sys.stdout.write(json.dumps(line) + "\\n")
            sys.stdout.flush()
            if fault == "reset" and number % 3 == 0:
                connection.reset_stream(stream, error_code=2)
                return
            connection.send_headers(stream, [(":status", "200"), ("content-length", "0")], end_stream=True)
            if fault == "goAway" and served == 2:
                connection.close_connection()

        def serve(plain):
            sock = context.wrap_socket(plain, server_side=True)
            assert sock.selected_alpn_protocol() == "h2"
            connection = h2.connection.H2Connection(
                config=h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
            connection.initiate_connection()
            sock.sendall(connection.data_to_send())
            requests, served = {}, 0
            while True:
                data = sock.recv(65536)
                if not data:
                    return
                for event in connection.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        requests[event.stream_id] = (dict(event.headers), bytearray())
                    elif isinstance(event, h2.events.DataReceived):
                        requests[event.stream_id][1].extend(event.data)
                        connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                    elif isinstance(event, h2.events.StreamEnded):
                        served += 1
                        finish(connection, event.stream_id, *requests.pop(event.stream_id), served)
                sock.sendall(connection.data_to_send())
                if fault == "goAway" and served == 2:
                    sock.unwrap()
                    return

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.set_alpn_protocols(["h2"])
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """

    init(_ folder: TemporaryDirectory, _ fault: Fault) async throws {
        self.folder = folder
        program = try Program(
            ["-c", Self.script, folder.file("good.pem"), folder.file("good.key"), fault.rawValue], of: "python3",
            in: folder)
        let output = folder
        let isUp = await eventually { output.text("output").contains("\n") }
        try #require(isUp, "\(folder.text("errors"))")
        port = Int(output.text("output").prefix { $0 != "\n" }) ?? 0
    }

    /// The keys of the requests that it has stored, with the numbers of their records, in order.
    var requests: [(key: String, numbers: [Int])] {
        folder.text("output").split(separator: "\n").dropFirst().compactMap { line in
            guard let request = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: String],
                let key = request["key"], let body = request["body"]
            else { return nil }
            let records = body.split(separator: "\n").compactMap {
                (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
            }
            return (key, records.compactMap { $0["seq"] as? Int })
        }
    }
}

@Suite(
    .mayBlock, .enabled(if: Program.areThere("openssl", "python3", "faketime"), "openssl or faketime is not installed"),
    .enabled(if: HTTP2Server.isPossible, "python3-h2 is not installed"))
struct HTTP2Tests {
    @Test(arguments: HTTP2Server.Fault.allCases)
    func `HTTP/2 is spoken where the server prefers it, and a stream or connection that ends is repeated`(
        fault: HTTP2Server.Fault
    ) async throws {
        let folder = try TLSTests.certificates()
        let server = try await HTTP2Server(folder, fault)
        let trial = try HTTPTrial { options in
            options.url = "https://127.0.0.1:\(server.port)/"
            options.compression = .none
            options.tls.authority = folder.file("authority.pem")
        }
        for number in 1...8 {
            try trial.write(10)
            let isThere = await eventually { Set(server.requests.flatMap(\.numbers)).count == 10 * number }
            #expect(isThere, "\(trial.folder.text(".taffrail/http.status")) \(folder.text("errors"))")
        }
        #expect(await eventually { SpoolCursorFile.read(directory: trial.spool)?.flying == nil })
        let requests = server.requests
        let keys = Dictionary(grouping: requests, by: \.key)
        // Only a request whose answer was lost came twice, with the same records.
        if fault == .none || fault == .refused { #expect(keys.count == requests.count) }
        if fault == .reset { #expect(keys.values.contains { $0.count == 2 }) }
        #expect(keys.values.allSatisfy { Set($0.map(\.numbers)).count == 1 })
        var known: Set<String> = []
        #expect(requests.filter { known.insert($0.key).inserted }.flatMap(\.numbers) == Array(1...80))
        #expect(trial.drops.isEmpty)
    }
}
#endif
