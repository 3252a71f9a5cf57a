#if Journald
internal import Glibc
internal import Taffrail

/// A non-blocking datagram socket connected to journald.
///
/// libsystemd's `sd_journal_sendv` is not used for writing: it blocks if journald hangs, and returns 0 if journald is
/// not running.
final class JournalSocket {
    /// The length of `sun_path`, without the terminator.
    static let longestPath = 107
    private static let wantedBuffer: CInt = 8 << 20

    /// `F_ADD_SEALS`, and all of `F_SEAL_SEAL`, `_SHRINK`, `_GROW` and `_WRITE` (linux/fcntl.h), which glibc declares
    /// for GNU sources only.
    private static let addSeals: CInt = 1033
    private static let allSeals: CInt = 15

    private static let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)

    private let socket: FileDescriptor
    private var descriptor: CInt { socket.number }

    /// The result of sending a datagram.
    enum Outcome: Equatable {
        case sent
        /// journald does not read, or not fast enough.
        case full
        /// journald does not listen on the socket, with the `errno`.
        case gone(CInt)
        /// journald can never accept this entry, with the `errno`.
        case refused(CInt)
    }

    /// The reason why the connection failed.
    struct Failure: Error {
        let code: CInt
    }

    /// Connects to the socket at a path of at most ``longestPath`` bytes.
    init(path: String) throws(Failure) {
        // Options that are set in code are not checked like those of a configuration.
        guard path.utf8.count <= Self.longestPath else { throw Failure(code: ENAMETOOLONG) }
        let descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        socket = FileDescriptor(descriptor, path: path, closedInChildren: true)
        var size = Self.wantedBuffer
        // Longer entries are sent through a memfd.
        _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Failure(code: errno) }
    }

    /// Sends one entry without waiting.
    func send(_ entry: [UInt8]) -> Outcome {
        while true {
            let count = Glibc.send(descriptor, entry, entry.count, Self.flags)
            if count >= 0 { return .sent }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .full
            case EMSGSIZE, ENOBUFS: return sendSealed(entry)
            default: return .gone(errno)
            }
        }
    }

    /// Waits for buffer space, up to a time limit.
    func waitForSpace(timeout: Duration) {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // A long entry may not fit although a short one would: this wait is then only a pause.
        if poll(&request, 1, 0) > 0 {
            _ = poll(nil, 0, 1)
        } else {
            _ = poll(&request, 1, timeout.pollTimeout)
        }
    }

    /// Sends an entry that is too long for a datagram, by passing the descriptor of a sealed memory file.
    private func sendSealed(_ entry: [UInt8]) -> Outcome {
        do throws(SystemError) {
            let file = try FileDescriptor(inMemory: "an entry")
            try file.write(entry)
            guard fcntl(file.number, Self.addSeals, Self.allSeals) == 0 else { return Self.unsealed(errno) }
            return send(file)
        } catch {
            return Self.unsealed(error.code)
        }
    }

    /// Returns the result if no memory file could be created; a lack of descriptors or memory is temporary.
    static func unsealed(_ code: CInt) -> Outcome {
        switch code {
        case EMFILE, ENFILE, ENOMEM, ENOSPC: .full
        default: .refused(code)
        }
    }

    /// Sends an empty datagram with one descriptor.
    private func send(_ file: borrowing FileDescriptor) -> Outcome {
        // A cmsghdr (length, level, type) followed by one int, padded to eight bytes.
        let headLength = MemoryLayout<cmsghdr>.size
        let length = headLength + MemoryLayout<CInt>.size
        let number = file.number
        return withUnsafeTemporaryAllocation(byteCount: (length + 7) & ~7, alignment: 8) { control in
            control.initializeMemory(as: UInt8.self, repeating: 0)
            control.storeBytes(of: length, as: Int.self)
            control.storeBytes(of: CInt(SOL_SOCKET), toByteOffset: 8, as: CInt.self)
            control.storeBytes(of: CInt(SCM_RIGHTS), toByteOffset: 12, as: CInt.self)
            control.storeBytes(of: number, toByteOffset: headLength, as: CInt.self)
            var message = msghdr()
            message.msg_control = control.baseAddress
            message.msg_controllen = control.count
            while true {
                if sendmsg(descriptor, &message, Self.flags) >= 0 {
                    return .sent
                }
                switch errno {
                case EINTR: continue
                case EAGAIN, ENOBUFS, ETOOMANYREFS: return .full
                case EMSGSIZE, EINVAL, EPERM: return .refused(errno)
                default: return .gone(errno)
                }
            }
        }
    }
}
#endif
