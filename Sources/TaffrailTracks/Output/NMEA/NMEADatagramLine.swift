internal import Glibc
package import Taffrail
internal import TaffrailTransport

/// Sends one datagram per epoch.
///
/// Epochs are lost while the network is down. The first lost epoch is reported, and the first one that is sent again.
package final class NMEADatagramLine: NMEALine {
    /// Sends a datagram through a socket; returns 0 or an error number.
    typealias Transmit = @Sendable (_ descriptor: Int32, _ bytes: [UInt8], _ target: SocketAddress) -> Int32

    private let descriptor: Int32
    private let target: SocketAddress
    private let transmit: Transmit
    /// Whether the last epoch was lost.
    private let isCutOff = Locked(false)
    package let name: String
    package let listeners: Int? = nil
    package let isDrained = true
    package let leadIn = Duration.seconds(1)

    /// The errors of a network that is down, and of a system that is short of memory or refuses a packet. The socket
    /// remains usable.
    private static let passing: Set<Int32> = [
        EADDRNOTAVAIL, EHOSTDOWN, EHOSTUNREACH, ENETDOWN, ENETUNREACH, ENOBUFS, ENODEV, ENOMEM, EPERM,
    ]

    private static let systemTransmit: Transmit = { descriptor, bytes, target in
        target.withAddress { sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) < 0 ? errno : 0 }
    }

    package convenience init(host: String, port: Int) throws(SystemError) {
        try self.init(host: host, port: port, transmit: Self.systemTransmit)
    }

    init(host: String, port: Int, transmit: @escaping Transmit) throws(SystemError) {
        name = "\(StreamAddress.udp(host: host, port: port))"
        guard let target = try SocketAddress.resolve(host, port, datagrams: true).first else {
            throw SystemError("find the host \(host)", code: EHOSTUNREACH)
        }
        self.target = target
        self.transmit = transmit
        descriptor = socket(target.family, SocketAddress.datagram | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("open a socket for \(name)") }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { Glibc.close(descriptor) }

    package func send(_ bytes: [UInt8]) throws(SystemError) {
        var code = transmit(descriptor, bytes, target)
        while code == EINTR { code = transmit(descriptor, bytes, target) }
        // A refused datagram is not an error, and the error may belong to the previous one.
        guard code != ECONNREFUSED, code != EAGAIN else { return }
        let isLost = code != 0
        guard !isLost || Self.passing.contains(code) else { throw SystemError("send to \(name)", code: code) }
        let wasLost = isCutOff.withLock { isCutOff in
            defer { isCutOff = isLost }
            return isCutOff
        }
        guard isLost != wasLost else { return }
        let news = isLost ? "lost: \(SystemError("send", code: code).reason)" : "sent again"
        Diagnostics.report("\(name): positions are \(news)")
    }

    package func close() {}
}
