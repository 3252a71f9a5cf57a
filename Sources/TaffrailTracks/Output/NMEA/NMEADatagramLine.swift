internal import Glibc
package import Taffrail
internal import TaffrailTransport

/// Sends one datagram per epoch.
package final class NMEADatagramLine: NMEALine {
    private let descriptor: Int32
    private let target: SocketAddress
    package let name: String
    package let listeners: Int? = nil
    package let isDrained = true
    package let leadIn = Duration.seconds(1)

    package init(host: String, port: Int) throws(SystemError) {
        name = "\(StreamAddress.udp(host: host, port: port))"
        guard let target = try SocketAddress.resolve(host, port, datagrams: true).first else {
            throw SystemError("find the host \(host)", code: EHOSTUNREACH)
        }
        self.target = target
        descriptor = socket(target.family, SocketAddress.datagram | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("open a socket for \(name)") }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { Glibc.close(descriptor) }

    package func send(_ bytes: [UInt8]) throws(SystemError) {
        let sent = target.withAddress { sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) }
        // A refused datagram is not an error, and the error may belong to the previous one.
        guard sent < 0, errno != ECONNREFUSED, errno != EAGAIN else { return }
        throw SystemError("send to \(name)")
    }

    package func close() {}
}
