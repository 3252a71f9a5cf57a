internal import Glibc
internal import Taffrail
internal import TaffrailTransport

/// Returns a loopback port without a listener, a different one with each call.
///
/// It is below the range from which the system picks ports (/proc/sys/net/ipv4/ip_local_port_range), so that nothing
/// else takes it before the program under test does.
package func freePort() throws -> Int {
    for _ in 0..<FreePorts.count {
        let port = FreePorts.next()
        guard let server = try? StreamServer(host: "127.0.0.1", port: port) else { continue }
        server.close(timeout: .zero)
        return port
    }
    throw SystemError("find a free port", code: EADDRINUSE)
}

private enum FreePorts {
    static let count = 12_000
    /// Concurrent test runs begin at different ports.
    private static let last = Locked(Int(getpid()) * 101 % count)

    static func next() -> Int {
        last.withLock { last in
            last = (last + 1) % count
            return 20_000 + last
        }
    }
}
