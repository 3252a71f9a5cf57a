internal import Foundation
internal import Glibc
internal import Taffrail
internal import TaffrailText

/// An HTTP server on loopback whose answers a test determines.
package final class FaultServer: Sendable {
    package struct Request: Sendable {
        package var line = ""
        package var headers: [String: String] = [:]
        package var body: [UInt8] = []

        /// The body without gzip.
        package var plainBody: [UInt8] {
            guard headers["content-encoding"] == "gzip" else { return body }
            let folder = TemporaryDirectory()
            guard (try? folder.write(body, to: "body.gz")) != nil,
                let file = try? FileDescriptor(folder.file("body.gz"), .read)
            else { return [] }
            return (try? GzipSource(file).readAll(limit: 1 << 30)) ?? []
        }

        /// The bodies' lines as JSON objects.
        package var lines: [[String: Any]] {
            plainBody.split(separator: 10).compactMap {
                (try? JSONSerialization.jsonObject(with: Data($0))) as? [String: Any]
            }
        }

        package var key: String { headers["idempotency-key"] ?? "" }
    }

    package enum Reply: Sendable {
        case answer(Int, headers: [String: String] = [:], body: String = "")
        /// These bytes, and the end of the connection.
        case raw(String)
        /// No answer, until the client closes the connection.
        case hang
        /// The end of the connection.
        case close
    }

    private struct State {
        var requests: [Request] = []
        var reply: @Sendable (Request) -> Reply = { _ in .answer(200) }
        var connections: Set<CInt> = []
        var isClosed = false
        /// The number of requests that have begun to arrive.
        var begun = 0
        /// What the body of a request waits for, if it is read slowly.
        var slowness: HeldAnswers?
    }

    package let port: UInt16
    private let listener: CInt
    /// Reserves the port, even after the end, so that the next server that requests any port does not receive and
    /// answer requests for this one.
    private let reserved: ReservedPort?
    private let state = Locked(State())

    package init(port wanted: UInt16 = 0) throws {
        let reserved: ReservedPort? = try wanted == 0 ? ReservedPort() : nil
        self.reserved = reserved
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        listener = descriptor
        var one: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = (reserved.map { UInt16($0.number) } ?? wanted).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> CInt in
                guard bind(descriptor, address, length) == 0, listen(descriptor, 64) == 0 else { return -1 }
                return getsockname(descriptor, address, &length)
            }
        }
        guard result == 0 else { throw POSIXError(.EADDRINUSE) }
        port = UInt16(bigEndian: address.sin_port)
        _ = DedicatedThread.start { [weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                guard let self,
                    self.state.withLock({ state in
                        if !state.isClosed { state.connections.insert(connection) }
                        return !state.isClosed
                    })
                else {
                    Glibc.close(connection)
                    return
                }
                _ = DedicatedThread.start { self.serve(connection) }
            }
        }
    }

    deinit { stop() }

    /// Ends the server: connections are refused from now on.
    package func stop() {
        let connections = state.withLock { state -> Set<CInt> in
            guard !state.isClosed else { return [] }
            state.isClosed = true
            shutdown(listener, CInt(SHUT_RDWR))
            Glibc.close(listener)
            return state.connections
        }
        for connection in connections { shutdown(connection, CInt(SHUT_RDWR)) }
    }

    package var url: String { "http://127.0.0.1:\(port)/v1/logs" }
    /// The received requests.
    package var requests: [Request] { state.withLock { $0.requests } }

    /// The number of requests that have begun to arrive.
    package var begun: Int { state.withLock { $0.begun } }

    /// Reads bodies slowly from now on, and only after a release.
    package func readSlowly(after gate: HeldAnswers) { state.withLock { $0.slowness = gate } }

    package func reply(_ body: @escaping @Sendable (Request) -> Reply) { state.withLock { $0.reply = body } }

    // MARK: Connections

    private func serve(_ connection: CInt) {
        defer {
            state.withLock { _ = $0.connections.remove(connection) }
            Glibc.close(connection)
        }
        var buffer: [UInt8] = []
        while let request = read(connection, &buffer) {
            let reply = state.withLock { state in
                state.requests.append(request)
                return state.reply
            }
            switch reply(request) {
            case .answer(let status, let headers, let body):
                guard write(connection, Self.answer(status, headers, body)) else { return }
            case .raw(let text):
                _ = write(connection, text)
                shutdown(connection, CInt(SHUT_WR))
                return
            case .hang:
                var byte: UInt8 = 0
                while recv(connection, &byte, 1, 0) > 0 {}
                return
            case .close: return
            }
        }
    }

    private static func answer(_ status: Int, _ headers: [String: String], _ body: String) -> String {
        var text = "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        return text + "\r\n" + body
    }

    private func write(_ connection: CInt, _ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return send(connection, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
    }

    private func read(_ connection: CInt, _ buffer: inout [UInt8]) -> Request? {
        while true {
            if let end = Self.endOfHead(buffer) {
                var request = Request()
                let lines = String(decoding: buffer[..<end], as: UTF8.self).components(separatedBy: "\r\n")
                request.line = lines[0]
                for line in lines.dropFirst() {
                    let parts = line.split(separator: ":", maxSplits: 1)
                    guard parts.count == 2 else { continue }
                    request.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
                }
                let length = Int(request.headers["content-length"] ?? "") ?? 0
                let slowness = state.withLock { state in
                    state.begun += 1
                    return state.slowness
                }
                slowness?.wait()
                while buffer.count < end + 4 + length {
                    guard receive(connection, &buffer, isSlow: slowness != nil) else { return nil }
                }
                request.body = Array(buffer[(end + 4)..<(end + 4 + length)])
                buffer.removeSubrange(..<(end + 4 + length))
                return request
            }
            guard receive(connection, &buffer) else { return nil }
        }
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...(bytes.count - 4)).first {
            bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
        }
    }

    private func receive(_ connection: CInt, _ buffer: inout [UInt8], isSlow: Bool = false) -> Bool {
        var chunk = [UInt8](repeating: 0, count: isSlow ? 1 << 10 : 1 << 16)
        if isSlow { usleep(100) }
        let count = recv(connection, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffer += chunk[..<count]
        return true
    }
}
