package import Taffrail

/// Finds the addresses of hosts, on threads of its own: the system's look-up may block for as long as a name server is
/// silent, and cannot be ended.
///
/// A look-up whose caller was interrupted continues until the system answers; then its result is dropped. An endpoint has
/// one look-up at a time: later callers wait for the one that is running. Any thread may call.
package final class HostResolver: Sendable {
    /// Returns all addresses of a host and port, for datagrams or streams. It may block.
    package typealias LookUp =
        @Sendable (_ host: String, _ port: Int, _ datagrams: Bool) throws(SystemError) -> [SocketAddress]

    private struct Endpoint: Hashable, Sendable {
        var host: String
        var port: Int
        var datagrams: Bool
        /// A forked child does not have its parent's threads.
        var process = ThisProcess.id
    }

    /// A look-up on its thread.
    private final class Running: Sendable {
        let result = Locked<Result<[SocketAddress], SystemError>?>(nil)
        /// Readable once there is a result.
        let end = WakePipe()
    }

    private let lookUp: LookUp
    private let running = Locked<[Endpoint: Running]>([:])

    /// The system's.
    package static let shared = HostResolver { host, port, datagrams throws(SystemError) in
        try SocketAddress.resolve(host, port, datagrams: datagrams)
    }

    package init(_ lookUp: @escaping LookUp) { self.lookUp = lookUp }

    /// Returns all addresses of a host, in the system's order.
    ///
    /// - Throws: `ECANCELED` once the interrupt is triggered.
    package func resolve(
        _ host: String, _ port: Int, datagrams: Bool, interrupt: Interrupt
    ) throws(SystemError) -> [SocketAddress] {
        // Needs no name server.
        if let addresses = SocketAddress.numeric(host, port, datagrams: datagrams) { return addresses }
        guard let running = start(Endpoint(host: host, port: port, datagrams: datagrams)) else {
            // Without another thread, use this one.
            return try lookUp(host, port, datagrams)
        }
        while true {
            if let result = running.result.withLock({ $0 }) { return try result.get() }
            if interrupt.wait(for: running.end.descriptor, nanoseconds: nil) == .interrupted {
                throw SystemError("find the host \(host)", code: Errno.cancelled)
            }
        }
    }

    /// Starts a look-up, or returns the one that is running; `nil` when the system refuses a thread or a pipe.
    private func start(_ endpoint: Endpoint) -> Running? {
        running.withLock { running in
            if let other = running[endpoint] { return other }
            let new = Running()
            let isStarted =
                new.end.descriptor >= 0 && DedicatedThread.start(takesSignals: false) { self.run(new, endpoint) }
            guard isStarted else { return nil }
            running[endpoint] = new
            return new
        }
    }

    private func run(_ new: Running, _ endpoint: Endpoint) {
        let result: Result<[SocketAddress], SystemError>
        do throws(SystemError) {
            result = .success(try lookUp(endpoint.host, endpoint.port, endpoint.datagrams))
        } catch {
            result = .failure(error)
        }
        new.result.withLock { $0 = result }
        // Later requests start another one.
        running.withLock { $0[endpoint] = nil }
        new.end.signal()
    }
}
