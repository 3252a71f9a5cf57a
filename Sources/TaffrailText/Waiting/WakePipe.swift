internal import Glibc
internal import Taffrail

/// Wakes a polling thread, any number of times.
package final class WakePipe: Sendable {
    /// Readable after a wake-up; negative if the system could not create a pipe.
    package let descriptor: CInt
    private let end: CInt
    /// A forked child may have closed the pipe, and opened other files under these numbers.
    private let process = ThisProcess.id

    package init() {
        let ends = PipeEnds()
        (descriptor, end) = (ends?.reading ?? -1, ends?.writing ?? -1)
        for end in [descriptor, end] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        guard process == ThisProcess.id else { return }
        close(descriptor)
        close(end)
    }

    package func signal() {
        // The polling thread belongs to the parent.
        guard process == ThisProcess.id else { return }
        var byte: UInt8 = 1
        _ = write(end, &byte, 1)
    }

    package func clear() {
        var buffer = [UInt8](repeating: 0, count: 64)
        while buffer.withUnsafeMutableBytes({ read(descriptor, $0.baseAddress, $0.count) }) > 0 {}
    }
}
