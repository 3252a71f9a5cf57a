internal import Glibc
internal import Taffrail

/// A descriptor of the process that lines are written to.
struct ConsoleStream {
    let descriptor: CInt
    /// The value of an environment variable; `nil` when it is missing or empty.
    let variable: (String) -> String?

    /// Whether a person with a terminal that knows colours looks on.
    var showsColors: Bool {
        guard isatty(descriptor) == 1, variable("NO_COLOR") == nil else { return false }
        return variable("TERM") != "dumb"
    }

    /// Whether it goes to journald: `JOURNAL_STREAM` has the device and inode of what systemd connected.
    var isJournal: Bool {
        guard let wanted = variable("JOURNAL_STREAM") else { return false }
        var info = stat()
        return fstat(descriptor, &info) == 0 && wanted == "\(info.st_dev):\(info.st_ino)"
    }

    /// The process's own environment.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// Why not everything was written.
    struct Failure: Error {
        let code: CInt
        /// How many bytes were.
        let written: Int
    }

    /// Writes all bytes.
    ///
    /// A descriptor that does not block (a terminal shared with a program that asked for that) is waited for, at
    /// most a second.
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
