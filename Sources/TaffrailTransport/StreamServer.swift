internal import Glibc
package import Taffrail
internal import TaffrailText

/// A server that sends the same bytes to every client, or different ones to each, and reads the lines that they send.
///
/// It never waits for a client: unsent bytes are buffered up to a limit, at which the client is disconnected. Any
/// thread may call.
package final class StreamServer: Sendable {
    /// A client, numbered in the order of connection.
    package typealias ClientID = Int

    /// Accepts a connection; returns its descriptor, or the negative error number.
    typealias Accept = @Sendable (_ listener: Int32) -> Int32

    private struct Client {
        var descriptor: Int32
        var pending: [UInt8] = []
        /// When it last accepted bytes, or bytes were first buffered for it; in nanoseconds of the monotonic clock.
        var progress = SystemClock.monotonicNanoseconds()
        var lines = LineSplitter(limit: StreamServer.longestLine)
        var isLost = false
    }

    private struct State {
        var clients: [ClientID: Client] = [:]
        var nextID = 1
        var isClosed = false
        /// The time until which no connection is accepted, in nanoseconds of the monotonic clock; `nil`: the last one was
        /// accepted.
        var pauseEnd: Int64?
    }

    private let listener: ByteStream
    private let handlers: Handlers
    private let state = Locked(State())
    private let wake = WakePipe()
    /// The actual port, even if 0 was requested.
    package let port: Int
    /// The path of the socket in the file system, if any.
    private let path: String?
    /// A forked child leaves the sockets to its parent: it may have other files under their numbers.
    private let process = ThisProcess.id

    private let acceptOne: Accept
    /// How long to accept no connections after the system ran out of descriptors or memory.
    private let acceptPause: Duration

    private static let pendingLimit = 8 << 20
    /// How long to wait for a client that accepts nothing.
    private static let patience = Duration.seconds(1)
    /// The maximum length of a client's line, in bytes.
    package static let longestLine = 4_096

    /// Starts listening.
    ///
    /// - Parameter port: 0 selects a free one.
    package convenience init(host: String, port: Int, handlers: Handlers = Handlers()) throws(SystemError) {
        let (listener, port) = try Self.listen(host, port)
        try self.init(listener, port: port, handlers: handlers)
    }

    /// Listens on a socket in the file system, for its owner only; ``close(timeout:)`` removes it.
    ///
    /// - Throws: Also if a program is listening there. The socket of a dead program is replaced.
    package convenience init(socket path: String, handlers: Handlers = Handlers()) throws(SystemError) {
        try self.init(try LocalSocket.listen(path), port: 0, path: path, handlers: handlers)
    }

    /// Starts listening on a free loopback port, with a custom function that accepts connections.
    convenience init(pause: Duration, handlers: Handlers, accept: @escaping Accept) throws(SystemError) {
        let (listener, port) = try Self.listen("127.0.0.1", 0)
        try self.init(listener, port: port, handlers: handlers, pause: pause, accept: accept)
    }

    private init(
        _ listener: ByteStream, port: Int, path: String? = nil, handlers: Handlers, pause: Duration = .seconds(1),
        accept: @escaping Accept = StreamServer.systemAccept
    ) throws(SystemError) {
        self.listener = listener
        self.port = port
        self.path = path
        self.handlers = handlers
        acceptPause = pause
        acceptOne = accept
        let isStarted = DedicatedThread.start { [weak self] in
            while let server = self, server.step() {}
        }
        guard isStarted else { throw SystemError("start a thread", code: EAGAIN) }
    }

    deinit {
        guard process == ThisProcess.id else { return }
        for client in state.withLock({ $0.clients }).values { Glibc.close(client.descriptor) }
    }

    private static func listen(_ host: String, _ port: Int) throws(SystemError) -> (ByteStream, Int) {
        let action = "listen on \(HostAndPort.text(host, port))"
        var failure: SystemError?
        for target in try SocketAddress.resolve(host, port, datagrams: false, listening: true) {
            let descriptor = SocketAddress.makeSocket(target.family, SocketAddress.stream)
            guard descriptor >= 0 else {
                failure = failure ?? SystemError(action)
                continue
            }
            let stream = ByteStream(descriptor: descriptor, address: .tcp(host: host, port: port))
            SocketAddress.prepare(descriptor)
            if target.withAddress({ bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 64) == 0 {
                return (stream, port == 0 ? SocketAddress.port(descriptor) : port)
            }
            failure = SystemError(action)
        }
        throw failure ?? SystemError(action, code: EADDRNOTAVAIL)
    }

    /// The number of clients.
    package var clientCount: Int { state.withLock { $0.clients.count } }

    /// Sends bytes to every client.
    package func send(_ bytes: [UInt8]) { send(bytes) { _ in true } }

    /// Sends bytes to the clients that `isWanted` chooses.
    package func send(_ bytes: [UInt8], to isWanted: (ClientID) -> Bool) {
        guard !bytes.isEmpty else { return }
        let needsThread = state.withLock { state in
            var needsThread = false
            // Not the keys themselves: while they are read, a changed client's pending bytes would be copied.
            for id in Array(state.clients.keys) where isWanted(id) {
                if Self.send(bytes, to: &state.clients[id]) { needsThread = true }
            }
            return needsThread
        }
        if needsThread { wake.signal() }
    }

    /// Whether all clients have accepted everything sent, except those that have accepted nothing for a second.
    package var isDrained: Bool {
        let stalledBefore = SystemClock.monotonicNanoseconds() - Self.patience.nanoseconds
        return state.withLock { $0.clients.values.allSatisfy { $0.pending.isEmpty || $0.progress < stalledBefore } }
    }

    /// Closes the server and all connections once everything sent has been accepted, or after a time limit.
    package func close(timeout: Duration = .seconds(1)) {
        guard process == ThisProcess.id else { return }
        let deadline = SystemClock.monotonicNanoseconds(after: timeout)
        let interrupt = Interrupt()
        while !isDrained && SystemClock.monotonicNanoseconds() < deadline {
            _ = interrupt.wait(timeout: .milliseconds(2))
        }
        state.withLock { state in
            state.isClosed = true
            for client in state.clients.values { Glibc.close(client.descriptor) }
            state.clients.removeAll()
        }
        shutdown(listener.descriptor, Int32(SHUT_RDWR))
        if let path { try? FileName.remove(path) }
        wake.signal()
    }

    /// Sends as much as a client accepts immediately, and buffers the rest.
    ///
    /// - Returns: Whether the server's thread must continue.
    private static func send(_ bytes: [UInt8], to client: inout Client?) -> Bool {
        guard client?.isLost == false else { return false }
        if client?.pending.isEmpty == true {
            let sent = bytes.withUnsafeBytes {
                Glibc.send(client?.descriptor ?? -1, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent == bytes.count { return false }
            if sent < 0 && errno != EAGAIN && errno != EINTR {
                client?.isLost = true
                return true
            }
            client?.pending += bytes[max(0, sent)...]
            client?.progress = SystemClock.monotonicNanoseconds()
        } else {
            client?.pending += bytes
        }
        if (client?.pending.count ?? 0) > pendingLimit { client?.isLost = true }
        return true
    }

    // MARK: The thread

    /// Waits for events and handles them. Returns `false` at the end.
    private func step() -> Bool {
        var polls = [
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        var ids: [ClientID] = []
        let isClosed = state.withLock { state in
            // A connection that cannot be accepted would end every wait at once.
            if let end = state.pauseEnd, end > SystemClock.monotonicNanoseconds() { polls[1].fd = -1 }
            for (id, client) in state.clients {
                ids.append(id)
                let events = client.pending.isEmpty ? POLLIN : POLLIN | POLLOUT
                polls.append(pollfd(fd: client.descriptor, events: Int16(events), revents: 0))
            }
            return state.isClosed
        }
        guard !isClosed else { return false }
        guard poll(&polls, nfds_t(polls.count), 1_000) > 0 || errno == EINTR else { return true }
        wake.clear()
        if polls[1].revents != 0 { accept() }
        for (id, poll) in zip(ids, polls.dropFirst(2)) where poll.revents != 0 { serve(id, poll.revents) }
        dropLost()
        return true
    }

    private func accept() {
        let descriptor = acceptOne(listener.descriptor)
        guard descriptor >= 0 else { return pauseAccepting(after: -descriptor) }
        SocketAddress.prepare(descriptor)
        let id = state.withLock { state in
            state.pauseEnd = nil
            defer { state.nextID += 1 }
            return state.nextID
        }
        // The greeting precedes anything that is sent to all.
        let greeting = handlers.joined(id)
        state.withLock { state in
            state.clients[id] = Client(descriptor: descriptor)
            if !greeting.isEmpty { _ = Self.send(greeting, to: &state.clients[id]) }
        }
    }

    private static let systemAccept: Accept = { listener in
        let descriptor = SocketAddress.accept(listener)
        return descriptor < 0 ? -errno : descriptor
    }

    /// Pauses after an error of accept(2) that leaves the connection waiting.
    private func pauseAccepting(after code: Int32) {
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) else { return }
        let isFirst = state.withLock { state in
            defer { state.pauseEnd = SystemClock.monotonicNanoseconds(after: acceptPause) }
            return state.pauseEnd == nil
        }
        guard isFirst else { return }
        let reason = SystemError("accept", code: code).reason
        Diagnostics.report("\(path ?? "port \(port)"): connections wait until they can be accepted: \(reason)")
    }

    private func serve(_ id: ClientID, _ events: Int16) {
        var lines: [[UInt8]] = []
        state.withLock { state in
            guard var client = state.clients[id] else { return }
            if Int32(events) & POLLOUT != 0 && !client.pending.isEmpty {
                let sent = client.pending.withUnsafeBytes {
                    Glibc.send(client.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if sent > 0 {
                    client.pending.removeFirst(sent)
                    client.progress = SystemClock.monotonicNanoseconds()
                }
                if sent < 0 && errno != EAGAIN && errno != EINTR { client.isLost = true }
            }
            if Int32(events) & (POLLIN | POLLHUP | POLLERR) != 0 { read(&client, into: &lines) }
            state.clients[id] = client
        }
        for line in lines {
            let answer = line.isEmpty ? handlers.overlong(id) : handlers.line(id, line)
            guard !answer.isEmpty else { continue }
            state.withLock { _ = Self.send(answer, to: &$0.clients[id]) }
        }
    }

    private func read(_ client: inout Client, into lines: inout [[UInt8]]) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = buffer.withUnsafeMutableBytes { Glibc.read(client.descriptor, $0.baseAddress, $0.count) }
        if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { client.isLost = true }
        for byte in buffer.prefix(max(0, count)) {
            let dropped = client.lines.dropped
            if handlers.splitsAtSemicolons, byte == UInt8(ascii: ";"), let line = client.lines.finish() {
                lines.append(line + [byte])
            } else if let line = client.lines.take(byte) {
                lines.append(line)
            } else if client.lines.dropped > dropped {
                // An empty line represents one that was too long.
                lines.append([])
            }
        }
        if handlers.isWhole(client.lines.pending), let line = client.lines.finish() { lines.append(line) }
    }

    private func dropLost() {
        let lost = state.withLock { state in
            let lost = state.clients.filter(\.value.isLost)
            for (id, client) in lost {
                Glibc.close(client.descriptor)
                state.clients[id] = nil
            }
            // The descriptor of a lost client is free for a waiting one.
            if !lost.isEmpty, state.pauseEnd != nil { state.pauseEnd = 0 }
            return lost.keys.sorted()
        }
        for id in lost { handlers.left(id) }
    }
}
