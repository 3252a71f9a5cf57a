internal import Foundation
internal import Glibc

/// A loopback port that stays reserved while its server is down.
///
/// Otherwise the system would assign it to the next server that requests any port, such as one of another test, which
/// might confirm requests meant for this one. A server that shares addresses (SO_REUSEADDR), as Python's do, can listen
/// on it.
package final class ReservedPort: Sendable {
    package let number: Int
    private let descriptor: CInt

    package init() throws {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        var one: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> CInt in
                bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        number = Int(UInt16(bigEndian: address.sin_port))
        guard result == 0 else { throw POSIXError(.EADDRINUSE) }
    }

    deinit { close(descriptor) }
}
