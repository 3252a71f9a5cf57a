internal import Foundation
internal import Glibc

/// A socket of the file system that datagrams come to, as to journald's.
package final class DatagramSocket {
    private let descriptor: Int32

    package init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { throw POSIXError(.ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit { close(descriptor) }

    /// The data received so far, without waiting.
    package func read() -> String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var text = ""
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return text }
            text += String(decoding: buffer[..<count], as: UTF8.self) + "\n"
        }
    }
}
