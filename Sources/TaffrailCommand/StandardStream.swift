internal import Glibc

/// The process's standard streams, as plain descriptors.
enum StandardStream {
    /// Writes bytes to a descriptor, all of them.
    ///
    /// - Returns: `false` when it takes no more.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
        }
        return true
    }

    /// Says a line on stderr, with the command's name in front unless the line starts with a file's.
    static func complain(_ line: String, isPrefixed: Bool = true) {
        var text = "\(isPrefixed ? "taffrail: " : "")\(line)\n"
        text.withUTF8 { _ = write(UnsafeRawBufferPointer($0), to: 2) }
    }

    /// Makes writing to a closed pipe an error instead of the end.
    static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }
}
