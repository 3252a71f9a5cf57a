import Glibc

@testable import Taffrail

/// Files compressed by gzip(1), which the reader did not write.
enum Gzip {
    /// Compresses a file in place.
    static func compress(_ path: String) throws {
        let gzip = try SubjectProcess(["-n", path], of: "/usr/bin/gzip")
        guard gzip.wait() == .exited(0) else { throw SystemError("gzip \(path)", code: EIO) }
    }

    /// Changes a byte in the middle of a file, or cuts it there.
    static func damage(_ path: String, cut: Bool) throws {
        let file = try FileDescriptor(path, .readWrite)
        let middle = try file.status().size / 2
        if cut { return try file.truncate(to: middle) }
        let zeros = [UInt8](repeating: 0xFF, count: 16)
        _ = zeros.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, off_t(middle)) }
    }
}
