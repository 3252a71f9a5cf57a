#if Configuration
#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Calls back when a file has changed, on a thread of its own.
///
/// The directory is watched, because editors replace files; what counts is whether the name leads to other contents,
/// so that a link that is pointed elsewhere is seen too.
final class ConfigurationWatch: Sendable {
    private let stopping: CInt

    /// How long it must be quiet before the file counts as written, in milliseconds.
    private static let quiet: CInt = 50

    /// Starts watching; `nil` where the system cannot.
    init?(file: String, changed: @escaping @Sendable () -> Void) {
        #if canImport(Glibc)
        let directory = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
        let events = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        guard events >= 0 else { return nil }
        let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_ATTRIB)
        var ends: [CInt] = [-1, -1]
        guard inotify_add_watch(events, directory, mask) >= 0, pipe(&ends) == 0 else {
            close(events)
            return nil
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopping = ends[1]
        let loop = Loop(file: file, events: events, end: ends[0], changed: changed)
        let start = Unmanaged.passRetained(loop)
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Loop>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, start.toOpaque())
        guard result == 0 else {
            start.release()
            close(ends[1])
            return nil
        }
        pthread_detach(thread)
        #else
        return nil
        #endif
    }

    deinit { close(stopping) }

    #if canImport(Glibc)
    private final class Loop {
        private let file: String
        private let events: CInt
        private let end: CInt
        private let changed: @Sendable () -> Void
        private var seen: Identity?

        init(file: String, events: CInt, end: CInt, changed: @escaping @Sendable () -> Void) {
            self.file = file
            self.events = events
            self.end = end
            self.changed = changed
            seen = Identity(file)
        }

        deinit {
            close(events)
            close(end)
        }

        func run() {
            while wait(milliseconds: -1) == .event {
                var answer = Answer.event
                while answer == .event {
                    drain()
                    answer = wait(milliseconds: ConfigurationWatch.quiet)
                }
                guard answer == .quiet else { return }
                // A file that is away for the moment is no new configuration.
                guard let now = Identity(file), now != seen else { continue }
                seen = now
                changed()
            }
        }

        private enum Answer { case event, quiet, end }

        private func wait(milliseconds: CInt) -> Answer {
            var requests = [
                pollfd(fd: events, events: Int16(POLLIN), revents: 0), pollfd(fd: end, events: 0, revents: 0),
            ]
            while poll(&requests, 2, milliseconds) < 0 { guard errno == EINTR else { return .end } }
            if requests[1].revents != 0 { return .end }
            return requests[0].revents != 0 ? .event : .quiet
        }

        private func drain() {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while read(events, &buffer, buffer.count) > 0 {}
        }
    }

    /// What tells one state of a file from another.
    private struct Identity: Equatable {
        let device: UInt
        let inode: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int

        init?(_ file: String) {
            var info = stat()
            guard stat(file, &info) == 0 else { return nil }
            device = UInt(info.st_dev)
            inode = UInt(info.st_ino)
            size = Int(info.st_size)
            seconds = info.st_mtim.tv_sec
            nanoseconds = info.st_mtim.tv_nsec
        }
    }
    #endif
}
#endif
