internal import Glibc
internal import Synchronization
package import Taffrail
internal import TaffrailText

/// Sentences at a pseudo-terminal, for programs that expect a serial line.
///
/// Input from the other side is discarded: gpsd queries receivers for their type.
package final class NMEATerminalLine: NMEALine {
    private let descriptor: Int32
    private let link: String?
    private let stop = Interrupt()
    package let name: String
    /// gpsd tries several line speeds before it accepts the data.
    package let leadIn = Duration.seconds(4)
    private let device: String
    /// The number of bytes that the other side has not read, and the time of the last change.
    private let backlog = Locked<(count: Int32, since: Int64)>((0, 0))
    /// Whether the other side has not read for too long, so that writes do not wait for it.
    private let isStuck = Atomic<Bool>(false)

    /// The time after which writes no longer wait for a side that does not read.
    private static let patience = Duration.seconds(1)

    /// Opens a pseudo-terminal.
    ///
    /// - Parameter link: A symbolic link to create; an existing link is replaced.
    package init(link: String?) throws(SystemError) {
        self.link = link
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError("open a pseudo-terminal") }
        do throws(SystemError) {
            device = try Self.prepare(descriptor)
            if let link { try Self.link(device, at: link) }
            let (descriptor, stop) = (descriptor, stop)
            guard DedicatedThread.start({ Self.drain(descriptor, stop) }) else {
                if let link { unlink(link) }
                throw SystemError("start a thread for \(device)", code: EAGAIN)
            }
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        name = if let link { "\(link) (\(device))" } else { device }
    }

    /// Linux's TIOCSPTLCK and TIOCGPTN, which are macros: the lock and the number of the other side.
    private static let lockRequest: UInt = 0x4004_5431
    private static let numberRequest: UInt = 0x8004_5430

    /// Unlocks and configures the other side, and closes it, because only then is it visible whether another program has
    /// it open.
    ///
    /// - Returns: Its path.
    private static func prepare(_ descriptor: Int32) throws(SystemError) -> String {
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard ioctl(descriptor, lockRequest, &isLocked) == 0, ioctl(descriptor, numberRequest, &number) == 0 else {
            throw SystemError("open a pseudo-terminal")
        }
        let device = "/dev/pts/\(number)"
        let other = open(device, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard other >= 0 else { throw SystemError("open \(device)") }
        defer { Glibc.close(other) }
        var settings = termios()
        guard tcgetattr(other, &settings) == 0 else { throw SystemError("set \(device) up") }
        cfmakeraw(&settings)
        cfsetspeed(&settings, speed_t(B9600))
        guard tcsetattr(other, TCSANOW, &settings) == 0 else { throw SystemError("set \(device) up") }
        return device
    }

    /// Creates a symbolic link, or replaces one.
    private static func link(_ device: String, at link: String) throws(SystemError) {
        if (try? FileStatus.of(link))??.isSymbolicLink == true { unlink(link) }
        guard symlink(device, link) == 0 else { throw SystemError("create the link \(link)") }
    }

    /// Reads until the interrupt is triggered, then closes the line.
    private static func drain(_ descriptor: Int32, _ stop: Interrupt) {
        var buffer = [UInt8](repeating: 0, count: 1_024)
        while !stop.isTriggered {
            // Without another side only a delay is needed.
            let isOpen = hasOtherSide(descriptor)
            let outcome = stop.wait(for: isOpen ? descriptor : -1, timeout: .milliseconds(50))
            if outcome == .ready { _ = read(descriptor, &buffer, buffer.count) }
        }
        Glibc.close(descriptor)
    }

    private static func hasOtherSide(_ descriptor: Int32) -> Bool {
        var check = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&check, 1, 0) >= 0 && Int32(check.revents) & POLLHUP == 0
    }

    /// Whether the other side has read everything, or has not read for a second. Unread bytes may be in either queue.
    package var isDrained: Bool {
        guard Self.hasOtherSide(descriptor) else { return true }
        let other = open(device, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard other >= 0 else { return true }
        defer { Glibc.close(other) }
        var total: Int32 = 0
        for queue in [descriptor, other] {
            var count: Int32 = 0
            let request = queue == other ? UInt(FIONREAD) : UInt(TIOCOUTQ)
            if ioctl(queue, request, &count) == 0 { total &+= max(0, count) }
        }
        guard total > 0 else { return true }
        let now = SystemClock.monotonicNanoseconds()
        return backlog.withLock { backlog in
            if backlog.count != total { backlog = (total, now) }
            return now - backlog.since >= Self.patience.nanoseconds
        }
    }

    package var listeners: Int? { Self.hasOtherSide(descriptor) ? 1 : 0 }

    /// Writes if another program reads: as on a serial line, unread data is lost.
    package func send(_ bytes: [UInt8]) throws(SystemError) {
        guard Self.hasOtherSide(descriptor) else { return }
        let patience: Duration = isStuck.load(ordering: .relaxed) ? .zero : Self.patience
        let deadline = SystemClock.monotonicNanoseconds(after: patience)
        var done = 0
        while true {
            let (count, code) = bytes.withUnsafeBytes {
                FileDescriptor.write(all: UnsafeRawBufferPointer(rebasing: $0[done...]), to: descriptor)
            }
            done += count
            if count > 0 { isStuck.store(false, ordering: .relaxed) }
            if code == 0 || code == EIO { return }
            guard code == EAGAIN else { throw SystemError("write to \(name)", code: code) }
            guard Self.hasOtherSide(descriptor) else { return }
            guard SystemClock.monotonicNanoseconds() < deadline else { return isStuck.store(true, ordering: .relaxed) }
            _ = stop.wait(for: descriptor, writing: true, timeout: .milliseconds(20))
        }
    }

    package func close() {
        if let link { unlink(link) }
        stop.trigger()
    }
}
