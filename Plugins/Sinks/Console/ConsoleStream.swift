internal import Glibc
internal import Taffrail

/// A descriptor for writing lines.
struct ConsoleStream {
    let descriptor: CInt
    /// The value of an environment variable; `nil` when it is missing or empty.
    let variable: (String) -> String?

    /// Whether it is a terminal that supports colours.
    var showsColors: Bool {
        guard isatty(descriptor) == 1, variable("NO_COLOR") == nil else { return false }
        return variable("TERM") != "dumb"
    }

    /// Whether it goes to journald: `JOURNAL_STREAM` contains the device and inode of the stream that systemd
    /// connected.
    var isJournal: Bool {
        guard let wanted = variable("JOURNAL_STREAM") else { return false }
        var info = stat()
        return fstat(descriptor, &info) == 0 && wanted == "\(info.st_dev):\(info.st_ino)"
    }

    /// Returns the environment of the process.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// The reason of a partial write.
    struct Failure: Error {
        let code: CInt
        /// The number of bytes written.
        let written: Int
    }

    /// Writes all bytes.
    ///
    /// Waits at most a second for a non-blocking descriptor (a terminal shared with a program that made it so).
    func write(_ bytes: [UInt8]) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { Glibc.write(descriptor, $0 + written, buffer.count - written) } ?? 0
            }
            if count > 0 {
                written += count
            } else if count < 0 && errno == EINTR {
                continue
            } else if count < 0 && errno == EAGAIN {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&request, 1, 1000) != 0 else { throw Failure(code: EAGAIN, written: written) }
            } else {
                throw Failure(code: errno, written: written)
            }
        }
    }
}
