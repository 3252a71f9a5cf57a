#if Command
internal import ArgumentParser
#endif
@preconcurrency internal import Glibc
internal import Taffrail

/// The process's standard streams, as plain descriptors.
///
/// Other programs share them, and may have made them non-blocking, as ssh does.
enum StandardStream {
    /// Writes all bytes to a descriptor.
    ///
    /// - Returns: The error number that stopped it, or 0.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> CInt {
        FileDescriptor.write(all: bytes, to: descriptor, patience: nil).code
    }

    /// Waits until a descriptor that does not block can be read or written.
    ///
    /// - Parameter event: `POLLIN` or `POLLOUT`.
    static func wait(for event: CInt, of descriptor: CInt) {
        var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        poll(&request, 1, -1)
    }

    /// Writes text to a descriptor, as far as possible.
    static func write(_ text: String, to descriptor: CInt) {
        var text = text
        text.withUTF8 { _ = write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    /// Prints a line to stderr, prefixed by the command's name unless it starts with a file name.
    static func report(_ line: String, isPrefixed: Bool = true) {
        write("\(isPrefixed ? "taffrail: " : "")\(line)\n", to: 2)
    }

    #if Command
    /// Writes what has been printed and is still buffered; a reader that has closed the pipe is not a failure.
    ///
    /// - Throws: Exit status 74 if anything that was printed could not be written; the reason has been printed on
    ///   stderr.
    static func flush() throws(ExitCode) {
        errno = 0
        guard fflush(stdout) != 0 || ferror(stdout) != 0, errno != EPIPE else { return }
        throw unwritten(errno)
    }

    /// Reports that stdout could not be written, and returns exit status 74.
    ///
    /// - Parameter code: The error number; 0 if unknown.
    static func unwritten(_ code: CInt) -> ExitCode {
        .inputOutput.reporting("cannot write the output" + (code == 0 ? "" : ": \(Errno.text(code))"))
    }
    #endif

    /// Whether a descriptor is a terminal.
    static func isTerminal(_ descriptor: CInt) -> Bool { isatty(descriptor) == 1 }

    /// The error number of writing to a pipe that its reader has closed.
    static var closedPipe: CInt { EPIPE }

    /// Makes writing to a closed pipe return an error instead of ending the program.
    static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }
}
