internal import Taffrail

/// A descriptor for writing lines.
struct ConsoleStream {
    let descriptor: CInt
    /// The value of an environment variable; `nil` if it is missing or empty.
    let variable: (String) -> String?

    /// Whether it is a terminal that supports colours.
    var showsColors: Bool { Environment.showsColors(on: descriptor, variable: variable) }

    /// Whether it is connected to journald: `JOURNAL_STREAM` contains the device and inode of the stream that systemd
    /// connected.
    var isJournal: Bool {
        guard let wanted = variable("JOURNAL_STREAM"), let status = FileStatus.of(descriptor) else { return false }
        return wanted == "\(status.device):\(status.inode)"
    }

    /// The reason for a partial write.
    struct Failure: Error {
        let code: CInt
        /// The number of bytes written.
        let written: Int
    }

    /// Writes all bytes.
    ///
    /// Waits at most a second for a non-blocking descriptor, such as a terminal that another program has made
    /// non-blocking.
    func write(_ bytes: [UInt8]) throws(Failure) {
        let (written, code) = bytes.withUnsafeBytes {
            FileDescriptor.write(all: $0, to: descriptor, patience: .seconds(1))
        }
        guard code == 0 else { throw Failure(code: code, written: written) }
    }
}
