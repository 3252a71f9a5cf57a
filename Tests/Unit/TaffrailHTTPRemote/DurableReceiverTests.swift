#if HTTP && Command && Configuration
import Glibc
import TaffrailTestSupport
import Testing

/// The receiver of the tests that kill both ends: what they find depends on it.
@Suite(.mayBlock) struct DurableReceiverTests {
    private let folder = TemporaryDirectory()
    private let line = "{\"run\":\"a\",\"seq\":1,\"message\":\"one\"}\n"

    /// Makes a socket, and calls `body` with it and an address on loopback.
    private static func withSocket<R>(_ port: Int, _ body: (CInt, UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Sends the start of a request on a connection of its own, and returns what is answered; `nil`: it cannot connect.
    private static func answer(to start: String, at port: Int) -> String? {
        withSocket(port) { descriptor, address, length -> String? in
            guard connect(descriptor, address, length) == 0 else { return nil }
            let bytes = Array(start.utf8)
            guard send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else { return nil }
            // As the system does for a program that is killed.
            shutdown(descriptor, CInt(SHUT_WR))
            var answer: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 10)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
                answer += buffer[..<count]
            }
        }
    }

    @Test(.enabled(if: Program.areThere("python3"), "python3 is not installed"))
    func `a request whose sender is killed in the middle of it is neither stored nor confirmed`() async throws {
        let receiver = try await DurableReceiver(in: folder)
        let head = "POST / HTTP/1.1\r\nIdempotency-Key: \"http-a-1-1\"\r\nContent-Length: \(line.utf8.count)\r\n"
        for coding in ["", "Content-Encoding: gzip\r\n"] {
            #expect(Self.answer(to: head + coding + "\r\n", at: receiver.port) == "")
        }
        #expect(Self.answer(to: head + "\r\n" + line.prefix(10), at: receiver.port) == "")
        #expect(receiver.size == 0)
        // The next run sends it again, with the same key.
        for _ in 0..<2 {
            let answer = Self.answer(to: head + "\r\n" + line, at: receiver.port)
            #expect(answer?.hasPrefix("HTTP/1.1 200 ") == true)
        }
        #expect(receiver.records.map(\.message) == ["one"])
    }

    @Test(.enabled(if: Program.areThere("python3"), "python3 is not installed"))
    func `while it is down no other server gets its port, and its records`() async throws {
        let receiver = try await DurableReceiver(in: folder)
        receiver.kill()
        let isFree = Self.withSocket(receiver.port) { bind($0, $1, $2) == 0 }
        #expect(!isFree)
        #expect(Self.answer(to: "", at: receiver.port) == nil)
        let port = receiver.port
        try await receiver.start()
        #expect(receiver.port == port)
    }
}
#endif
