internal import Glibc

/// A client of a socket in the file system.
package final class LocalClient {
    private let descriptor: Int32

    package init?(_ path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0, Self.withAddress(path, { connect(descriptor, $0, $1) }) == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Sends a line and reads one.
    package func ask(_ line: String) -> String? {
        let bytes = Array((line + "\n").utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return nil }
        var answer: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1, byte != 10 { answer.append(byte) }
        return answer.isEmpty ? nil : String(decoding: answer, as: UTF8.self)
    }

    /// Sends a line and reads nothing. Returns `false` when the other side has closed the connection.
    package func send(_ line: String) -> Bool {
        let bytes = Array((line + "\n").utf8)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) > 0
    }

    /// A socket bound to the path, as left by a killed program.
    package static func bind(_ path: String) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        return withAddress(path) { Glibc.bind(descriptor, $0, $1) } == 0 ? descriptor : nil
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
