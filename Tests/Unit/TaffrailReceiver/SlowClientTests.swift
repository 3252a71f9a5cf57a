#if Server
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailServer

/// Bodies without an end, for clients that do not read them.
@Suite(.mayBlock) struct SlowClientTests {
    /// Answers each request with as many bytes as the client takes.
    private final class Source: ServerApplication {
        let parts = Locked(0)
        let isEnded = Locked(false)

        func route(_ request: ServerRequest) throws(Problem) -> ServerRoute {
            ServerRoute(bodyLimit: 0) { [self] _ in
                var answer = ServerAnswer(200, ServerStream.mediaType)
                answer.stream = ServerStream(
                    next: {
                        guard !self.isEnded.withLock({ $0 }) else { return nil }
                        self.parts.withLock { $0 += 1 }
                        return SharedBytes([UInt8](repeating: 0x61, count: 16 << 10))
                    }, end: { self.end() })
                return answer
            }
        }

        func answered(_ status: Int) {}

        func end() { isEnded.withLock { $0 = true } }
    }

    @Test func `little is made and kept for a client that does not read`() async throws {
        let source = Source()
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let server = HTTPServer(ServerSettings(host: "127.0.0.1", port: 0), source) { listening.yield($0) }
        let running = Task { try await server.run() }
        let port = try #require(await ports.first { _ in true })
        let connection = try Connection(port: port, bufferSize: 4_096)
        connection.send(Array("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        var seen = -1
        while true {
            let parts = source.parts.withLock { $0 }
            if parts > 0 && parts == seen { break }
            seen = parts
            try await Task.sleep(for: .milliseconds(500))
        }
        // Without limits, the kernel alone takes 4 MiB for each such client.
        #expect(seen * 16 <= 1_024, "\(seen * 16) KiB")
        running.cancel()
        _ = connection
        try await running.value
    }
}
#endif
