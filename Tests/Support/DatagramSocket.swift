internal import Foundation
internal import Glibc
internal import Taffrail

/// A socket in the file system that receives datagrams, like journald's or the one that systemd passes to a service.
package final class DatagramSocket: Sendable {
    private struct State {
        var datagrams: [String] = []
        /// The number of datagrams that have been read.
        var taken = 0
    }

    private let descriptor: Int32
    private let state = Locked(State())

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

    /// The datagrams received so far, without waiting.
    package var datagrams: [String] {
        state.withLock { state in
            receive(&state)
            return state.datagrams
        }
    }

    /// The datagrams received since the last call, as lines.
    package func read() -> String {
        state.withLock { state in
            receive(&state)
            let news = state.datagrams[state.taken...].map { $0 + "\n" }
            state.taken = state.datagrams.count
            return news.joined()
        }
    }

    private func receive(_ state: inout State) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return }
            state.datagrams.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }
}
