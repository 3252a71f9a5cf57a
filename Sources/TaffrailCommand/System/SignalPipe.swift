internal import Glibc
internal import Taffrail
internal import TaffrailText

/// Signals as bytes in a pipe, so that a plain loop can wait for them.
struct SignalPipe {
    private let reading: CInt

    // A signal handler can only access globals; written once, before the first handler is installed.
    private nonisolated(unsafe) static var writing: CInt = -1

    /// SIGTERM and SIGINT, which request the end of a program.
    static let requests = [SIGTERM, SIGINT]
    /// The signals that end a program by default: also SIGHUP, when its terminal is closed.
    static let endings = requests + [SIGHUP]

    /// Installs the handlers.
    init?(_ signals: [CInt]) {
        guard let ends = PipeEnds() else { return nil }
        // A handler must not block, however many signals arrive.
        _ = fcntl(ends.writing, F_SETFL, O_NONBLOCK)
        reading = ends.reading
        Self.writing = ends.writing
        for number in signals {
            signal(number) { number in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = Glibc.write(SignalPipe.writing, &byte, 1)
                errno = saved
            }
        }
    }

    /// Waits for the next signal, up to a time limit.
    func next(timeout: Duration) -> CInt? {
        var waiting = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, timeout.pollTimeout) == 1 ? next() : nil
    }

    /// Waits for the next signal.
    func next() -> CInt? {
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(reading, &byte, 1)
            if count == 1 { return CInt(byte) }
            guard count < 0 && errno == EINTR else { return nil }
        }
    }
}
