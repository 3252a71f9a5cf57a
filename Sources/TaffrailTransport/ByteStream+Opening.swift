internal import Glibc
package import Taffrail
package import TaffrailText

extension ByteStream {
    /// Opens a stream for reading: connects, listens for datagrams, or configures a serial line.
    ///
    /// - Parameters:
    ///   - timeout: The time limit for connecting, once the host's addresses are known.
    ///   - interrupt: Ends the wait for the addresses and for a connection.
    ///   - resolver: Finds the addresses.
    package static func open(
        _ address: StreamAddress, timeout: Duration, interrupt: Interrupt, resolver: HostResolver = .shared
    ) throws(SystemError) -> ByteStream {
        switch address {
        case .tcp(let host, let port):
            let targets = try resolver.resolve(host, port, datagrams: false, interrupt: interrupt)
            return try connect(address, targets, timeout: timeout, interrupt: interrupt)
        case .udp(let host, let port):
            return try listen(address, try resolver.resolve(host, port, datagrams: true, interrupt: interrupt))
        case .serial(let path, let baud): return try serial(address, path, baud)
        case .file(let path): return try file(address, path)
        }
    }

    private static func file(_ address: StreamAddress, _ path: String) throws(SystemError) -> ByteStream {
        let name = path == "-" ? "/dev/stdin" : path
        // A pipe without a writer must not block the thread.
        let descriptor = Glibc.open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError("open \(path)") }
        return ByteStream(descriptor: descriptor, address: address, isFinite: true)
    }

    /// Returns a line in raw mode: eight bits, no parity, no echo, no translation.
    private static func serial(
        _ address: StreamAddress, _ path: String, _ baud: Int
    ) throws(SystemError) -> ByteStream {
        guard let speed = StreamAddress.speeds[baud] else {
            throw SystemError("set \(path) to \(baud) bits per second", code: EINVAL)
        }
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw SystemError("open \(path)") }
        let stream = ByteStream(descriptor: descriptor, address: address)
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { throw SystemError("open \(path) as a serial line") }
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        cfsetispeed(&settings, speed)
        cfsetospeed(&settings, speed)
        guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else { throw SystemError("set \(path) up") }
        return stream
    }

    private static func connect(
        _ address: StreamAddress, _ targets: [SocketAddress], timeout: Duration, interrupt: Interrupt
    ) throws(SystemError) -> ByteStream {
        var failure: SystemError?
        for target in targets {
            let descriptor = SocketAddress.makeSocket(target.family, SocketAddress.stream)
            guard descriptor >= 0 else {
                // The kernel may not support one family, which is not why another address has failed.
                failure = failure ?? SystemError("connect to \(address)")
                continue
            }
            let stream = ByteStream(descriptor: descriptor, address: address)
            SocketAddress.prepare(descriptor)
            var code = target.withAddress { Glibc.connect(descriptor, $0, $1) } == 0 ? 0 : errno
            if code == EINPROGRESS {
                switch interrupt.wait(for: descriptor, writing: true, timeout: timeout) {
                case .interrupted: throw SystemError("connect to \(address)", code: ECANCELED)
                case .timeout: code = ETIMEDOUT
                case .ready: code = SocketAddress.error(descriptor)
                }
            }
            if code == 0 { return stream }
            failure = SystemError("connect to \(address)", code: code)
        }
        throw failure ?? SystemError("connect to \(address)", code: EHOSTUNREACH)
    }

    private static func listen(
        _ address: StreamAddress, _ targets: [SocketAddress]
    ) throws(SystemError) -> ByteStream {
        var failure: SystemError?
        for target in targets {
            let descriptor = SocketAddress.makeSocket(target.family, SocketAddress.datagram)
            guard descriptor >= 0 else {
                failure = failure ?? SystemError("listen on \(address)")
                continue
            }
            let stream = ByteStream(descriptor: descriptor, address: address)
            SocketAddress.prepare(descriptor)
            if target.withAddress({ bind(descriptor, $0, $1) }) == 0 { return stream }
            failure = SystemError("listen on \(address)")
        }
        throw failure ?? SystemError("listen on \(address)", code: EADDRNOTAVAIL)
    }
}
