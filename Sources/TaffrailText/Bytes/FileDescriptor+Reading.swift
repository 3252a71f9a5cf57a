internal import Glibc
package import Taffrail

extension FileDescriptor {
    /// Opens a file, a pipe or a device for reading; `-` is stdin.
    package init(reading path: String) throws(SystemError) { try self.init(path == "-" ? "/dev/stdin" : path, .read) }

    /// Whether it is a regular file, which can be read at any offset.
    package var isRegular: Bool { (try? status())?.isRegular == true }

    /// Reads at an offset with a single successful system call; `nil` if it fails.
    package func readOnce(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int? {
        let count = pread(number, buffer.baseAddress, buffer.count, off_t(offset))
        return count < 0 ? nil : count
    }

    /// Reads the next bytes, also from a pipe or a device.
    package func readNext(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            let count = Glibc.read(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if errno != EINTR { throw SystemError("read \(path)") }
        }
    }

    /// Reads the next bytes, up to the end or to a limit.
    package func readAll(limit: Int) throws(SystemError) -> [UInt8] {
        try [UInt8](limit: limit) { buffer throws(SystemError) in try readNext(into: buffer) }
    }
}
