internal import Glibc

/// The process's standard streams, as plain descriptors.
enum StandardStream {
    /// Writes all bytes to a descriptor.
    ///
    /// - Returns: `false` on failure.
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

    /// Prints a line to stderr, prefixed by the command's name unless it starts with a file name.
    static func complain(_ line: String, isPrefixed: Bool = true) {
        var text = "\(isPrefixed ? "taffrail: " : "")\(line)\n"
        text.withUTF8 { _ = write(UnsafeRawBufferPointer($0), to: 2) }
    }

    /// Makes writing to a closed pipe return an error instead of ending the program.
    static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }
}
