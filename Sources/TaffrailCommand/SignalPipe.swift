internal import Glibc
internal import Taffrail

/// Signals as bytes in a pipe, so that a plain loop can wait for them.
struct SignalPipe {
    private let reading: CInt

    // A signal handler can reach nothing but globals; it is written once, before the first handler.
    private nonisolated(unsafe) static var writing: CInt = -1

    /// Takes the signals over.
    init?(_ signals: [CInt]) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A handler must not wait, whoever sends how many signals.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        reading = ends[0]
        Self.writing = ends[1]
        for number in signals {
            signal(number) { number in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = Glibc.write(SignalPipe.writing, &byte, 1)
                errno = saved
            }
        }
    }

    /// Waits for the next signal, at most for a while.
    func next(milliseconds: CInt) -> CInt? {
        var waiting = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) == 1 ? next() : nil
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

/// Tells systemd how a service does: sd_notify(3) without the library.
enum ServiceManager {
    /// How often the service has to say that it is well, where systemd asks this process for it.
    static var watchdogMilliseconds: CInt? {
        guard let text = Environment["WATCHDOG_USEC"], let microseconds = Int(text), microseconds > 0 else {
            return nil
        }
        if let process = Environment["WATCHDOG_PID"], process != "\(getpid())" { return nil }
        return CInt(clamping: microseconds / 1_000)
    }

    /// Sends a state such as `READY=1`; does nothing where nobody asked for it.
    static func notify(_ state: String) {
        guard let value = getenv("NOTIFY_SOCKET") else { return }
        let path = String(cString: value)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.hasPrefix("/") || path.hasPrefix("@"), path.utf8.count < 108 else { return }
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            room.copyBytes(from: path.utf8)
            // A name that is in no file system starts with a zero.
            if path.hasPrefix("@") { room[0] = 0 }
        }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
        let text = Array(state.utf8)
        _ = withUnsafeBytes(of: &address) { bytes in
            sendto(
                descriptor, text, text.count, CInt(MSG_NOSIGNAL),
                bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
        }
    }
}
