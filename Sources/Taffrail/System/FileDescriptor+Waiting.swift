internal import Glibc

extension FileDescriptor {
    /// Writes all bytes to an open file, and waits for one that does not block: other programs may have made a shared
    /// terminal or pipe so.
    ///
    /// - Parameter patience: The longest time of each wait; `nil`: no limit.
    /// - Returns: The number of bytes written, and the error number that stopped it, or 0.
    package static func write(
        all bytes: UnsafeRawBufferPointer, to number: CInt, patience: Duration?
    ) -> (written: Int, code: CInt) {
        var written = 0
        while true {
            let (count, code) = write(all: UnsafeRawBufferPointer(rebasing: bytes[written...]), to: number)
            written += count
            guard code == EAGAIN else { return (written, code) }
            var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
            guard poll(&request, 1, patience?.pollTimeout ?? -1) != 0 else { return (written, code) }
        }
    }
}
