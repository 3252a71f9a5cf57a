internal import Glibc
package import Taffrail

extension FileDescriptor {
    /// Duplicates the descriptor.
    ///
    /// - Parameter path: Its name in messages.
    package static func duplicate(_ number: CInt, path: String) throws(SystemError) -> FileDescriptor {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError("open \(path)") }
        return FileDescriptor(copy, path: path)
    }
}
