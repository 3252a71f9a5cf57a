internal import Glibc
internal import Taffrail

/// Files compressed by gzip(1) instead of Taffrail.
package enum Gzip {
    /// Compresses a file in place.
    package static func compress(_ path: String) throws {
        let gzip = try Program(["-n", path], of: "/usr/bin/gzip")
        guard gzip.end() == .exited(0) else { throw SystemError("gzip \(path)", code: EIO) }
    }

    /// Changes a byte in the middle of a file, or truncates it there.
    package static func damage(_ path: String, cut: Bool) throws {
        let file = try FileDescriptor(path, .readWrite)
        let middle = try file.status().size / 2
        if cut { return try file.truncate(to: middle) }
        let zeros = [UInt8](repeating: 0xFF, count: 16)
        _ = zeros.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, off_t(middle)) }
    }
}
