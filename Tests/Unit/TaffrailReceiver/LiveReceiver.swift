#if Server
import Foundation
import Glibc
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailReceiver

/// A receiver on loopback, with a log in a directory of its own.
final class LiveReceiver: Sendable {
    let folder = TemporaryDirectory()
    let pipeline: Pipeline
    let port: Int
    private let input: Task<Void, any Error>

    /// Starts it.
    init(_ options: ReceiverOptions = ReceiverOptions()) async throws {
        var options = options
        options.bind = "127.0.0.1:0"
        let log = folder.file("received.log")
        pipeline = try Pipeline(
            sinks: [.file(log, format: .json)], queue: QueueOptions(handleSignals: false),
            level: .error)
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let receiver = try ReceiverInput(options) { listening.yield($0) }
        let pipeline = pipeline
        input = Task { try await receiver.run(into: pipeline) }
        var found = 0
        for await port in ports {
            found = port
            break
        }
        port = found
    }

    /// Ends it.
    func stop() async throws {
        input.cancel()
        try await input.value
        let pipeline = pipeline
        _ = try await blocking { pipeline.shutdown() }
    }

    deinit { input.cancel() }

    /// The records in the log, as JSON.
    func records() async throws -> [[String: Any]] {
        let pipeline = pipeline
        _ = try await blocking { pipeline.flush() }
        return folder.lines("received.log").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }

    /// The messages in the log.
    func messages() async throws -> [String] { try await records().compactMap { $0["message"] as? String } }

    /// Sends bytes and reads to the end of the connection.
    func exchange(_ text: String) async throws -> String { try await exchange(Array(text.utf8)) }

    /// Sends bytes and reads to the end of the connection.
    func exchange(_ bytes: [UInt8]) async throws -> String {
        let port = port
        return try await blocking {
            let connection = try Connection(port: port)
            connection.send(bytes)
            return connection.readToEnd()
        }
    }

    /// Sends a request and reads its answer.
    func send(
        _ method: String, _ target: String, _ headers: [String] = [], body: [UInt8] = []
    ) async throws -> Answer {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n"
        for header in headers { head += header + "\r\n" }
        if !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
        return Answer(try await exchange(Array((head + "\r\n").utf8) + body))
    }

    /// Sends a request with a text.
    func post(_ target: String, _ body: String, _ headers: String...) async throws -> Answer {
        try await send("POST", target, headers, body: Array(body.utf8))
    }
}

/// An answer, as text.
struct Answer {
    let text: String

    init(_ text: String) { self.text = text }

    /// 0: there was none.
    var status: Int { text.hasPrefix("HTTP/1.1 ") ? Int(text.dropFirst(9).prefix(3)) ?? 0 : 0 }
    var body: String { text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n") }

    /// The value of a header.
    subscript(name: String) -> String? {
        text.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n").lazy.compactMap { line in
            line.lowercased().hasPrefix(name + ": ") ? String(line.dropFirst(name.count + 2)) : nil
        }.first
    }
}

/// A connection that the test controls byte by byte. Its calls block.
final class Connection {
    private let descriptor: CInt

    /// Connects.
    ///
    /// - Parameter bufferSize: The size of the buffer for what arrives; `nil`: the system's.
    init(port: Int, bufferSize: CInt? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if var bufferSize {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bufferSize, socklen_t(MemoryLayout<CInt>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit { close(descriptor) }

    /// Closes both directions.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Sends bytes; `false` when the other end has closed the connection.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads what has arrived, and forgets it.
    ///
    /// - Returns: How many bytes; 0 when the other end has closed the connection.
    func receive() -> Int {
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        return max(0, recv(descriptor, &chunk, chunk.count, 0))
    }

    /// Reads until a text has arrived, or the other end has closed the connection.
    ///
    /// - Returns: What has arrived since the last call.
    func read(until text: String) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while !String(decoding: bytes, as: UTF8.self).contains(text) {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads until the other end closes the connection.
    func readToEnd() -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }
}
#endif
