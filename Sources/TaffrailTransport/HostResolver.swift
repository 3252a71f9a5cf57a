internal import Synchronization
package import Taffrail
package import TaffrailText

/// Finds the addresses of hosts on its own threads: the system's lookup may block until a name server answers, and
/// cannot be interrupted.
///
/// An endpoint has one lookup at a time; later callers join the running lookup. A lookup whose caller was interrupted
/// continues until the system answers. A retry may therefore join an earlier lookup and get its answer. A lookup that
/// never returns blocks its endpoint until the process ends. Any thread may call.
package final class HostResolver: Sendable {
    /// Returns all addresses of a host and port, for datagrams or streams. It may block.
    package typealias Lookup =
        @Sendable (_ host: String, _ port: Int, _ datagrams: Bool) throws(SystemError) -> [SocketAddress]

    private struct Endpoint: Hashable, Sendable {
        var host: String
        var port: Int
        var datagrams: Bool
    }

    /// A lookup on its thread.
    private final class Running: Sendable {
        let result = Locked<Result<[SocketAddress], SystemError>?>(nil)
        /// Readable once there is a result.
        let end = WakePipe()
    }

    /// The running lookups of a process.
    ///
    /// A forked child gets its own table: it lacks the parent's threads, and one may have held the lock at the fork.
    private final class Table: Sendable {
        let process = ThisProcess.id
        let running = Locked<[Endpoint: Running]>([:])
    }

    private let lookUp: Lookup
    private let currentTable = Atomic(Unmanaged.passRetained(Table()))

    /// Uses the system's lookup.
    package static let shared = HostResolver { host, port, datagrams throws(SystemError) in
        try SocketAddress.resolve(host, port, datagrams: datagrams)
    }

    package init(_ lookUp: @escaping Lookup) { self.lookUp = lookUp }

    deinit { currentTable.load(ordering: .acquiring).release() }

    /// The table of this process.
    private var table: Table {
        let current = currentTable.load(ordering: .acquiring)
        let table = current.takeUnretainedValue()
        guard table.process != ThisProcess.id else { return table }
        // The parent's table is never released: another thread of the child may be reading it.
        let new = Unmanaged.passRetained(Table())
        let (isExchanged, other) = currentTable.compareExchange(
            expected: current, desired: new, ordering: .acquiringAndReleasing)
        guard !isExchanged else { return new.takeUnretainedValue() }
        new.release()
        return other.takeUnretainedValue()
    }

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
            switch interrupt.wait(for: running.end.descriptor, timeout: nil) {
            case .ready: continue
            case .interrupted: throw SystemError("find the host \(host)", code: Errno.cancelled)
            // There is no time limit, so the system could not wait.
            case .timeout: throw SystemError("wait for the lookup of the host \(host)")
            }
        }
    }

    /// Starts a lookup, or returns the running one; `nil` if the system cannot create a thread or a pipe.
    private func start(_ endpoint: Endpoint) -> Running? {
        let table = table
        return table.running.withLock { running in
            if let other = running[endpoint] { return other }
            let new = Running()
            let isStarted =
                new.end.descriptor >= 0 && DedicatedThread.start(takesSignals: false) { self.run(new, endpoint, table) }
            guard isStarted else { return nil }
            running[endpoint] = new
            return new
        }
    }

    private func run(_ new: Running, _ endpoint: Endpoint, _ table: Table) {
        let result: Result<[SocketAddress], SystemError>
        do throws(SystemError) {
            result = .success(try lookUp(endpoint.host, endpoint.port, endpoint.datagrams))
        } catch {
            result = .failure(error)
        }
        new.result.withLock { $0 = result }
        // Later requests start another one.
        table.running.withLock { $0[endpoint] = nil }
        new.end.signal()
    }
}
