internal import CTaffrail
package import Glibc
package import Taffrail
internal import TaffrailText

/// A numeric address of a host and port.
package struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private let length: socklen_t

    /// Copies an address in the system's form.
    init(_ address: UnsafeRawBufferPointer) {
        let bytes = address.prefix(MemoryLayout<sockaddr_storage>.size)
        length = socklen_t(bytes.count)
        withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes) }
    }

    package var family: Int32 { Int32(storage.ss_family) }

    static let stream = Int32(SOCK_STREAM.rawValue)
    package static let datagram = Int32(SOCK_DGRAM.rawValue)

    /// Creates a non-blocking socket that children do not inherit, not even those forked at the same time.
    ///
    /// - Returns: Its descriptor, or -1 with the reason in `errno`.
    static func makeSocket(_ family: Int32, _ kind: Int32) -> Int32 {
        socket(family, kind | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    }

    /// Accepts a connection that is non-blocking and not inherited by children.
    ///
    /// - Returns: Its descriptor, or -1 with the reason in `errno`.
    static func accept(_ listener: Int32) -> Int32 { taffrail_accept(listener) }

    /// Returns all addresses of a host, in the system's order. It blocks while the system queries name servers; see
    /// ``HostResolver``.
    package static func resolve(
        _ host: String, _ port: Int, datagrams: Bool, listening: Bool = false
    ) throws(SystemError) -> [SocketAddress] {
        let (addresses, result) = find(host, port, datagrams: datagrams, listening ? AI_PASSIVE : 0)
        guard result == 0 else {
            let reason = gai_strerror(result).map { String(cString: $0) } ?? "error \(result)"
            throw SystemError("find the host \(host) (\(reason))", code: EHOSTUNREACH)
        }
        return addresses
    }

    /// Returns the address of a host that is itself a numeric address, without blocking; `nil` for a name.
    static func numeric(_ host: String, _ port: Int, datagrams: Bool) -> [SocketAddress]? {
        let (addresses, result) = find(host, port, datagrams: datagrams, AI_NUMERICHOST)
        return result == 0 ? addresses : nil
    }

    private static func find(
        _ host: String, _ port: Int, datagrams: Bool, _ flags: Int32
    ) -> (addresses: [SocketAddress], result: Int32) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = datagrams ? datagram : stream
        hints.ai_flags = flags
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, "\(port)", &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard result == 0 else { return ([], result) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr {
                addresses.append(
                    SocketAddress(UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))))
            }
            next = entry.ai_next
        }
        return (addresses, 0)
    }

    /// Calls `body` with the address in the system's form.
    package func withAddress<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// Configures an Internet socket: its port is reusable at once, and packets are not delayed.
    static func prepare(_ descriptor: Int32) {
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        // Between programs on one machine or vehicle packets must not be delayed.
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Binds a socket to the address, and closes it.
    ///
    /// - Throws: If no server can listen there: another one does, or the address is not one of this machine.
    package func checkBinding() throws(SystemError) {
        let descriptor = Self.makeSocket(family, Self.stream)
        guard descriptor >= 0 else { throw SystemError("create a socket") }
        defer { close(descriptor) }
        Self.prepare(descriptor)
        guard withAddress({ bind(descriptor, $0, $1) }) == 0 else { throw SystemError("bind a socket") }
    }

    /// Returns the port that a socket is bound to.
    static func port(_ descriptor: Int32) -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return 0 }
        // IPv4 and IPv6 have the port at the same offset, in network order.
        return withUnsafeBytes(of: &storage) { Int($0[2]) << 8 | Int($0[3]) }
    }

    /// Returns the error of a pending connection.
    static func error(_ descriptor: Int32) -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        return code
    }
}
