#if Configuration
internal import Glibc
internal import Taffrail
internal import TaffrailText

/// Calls back when a file has changed, on a separate thread.
///
/// It watches the directories on the path of the file, including those that its links refer to, because editors replace
/// files, and deployments replace links and whole directories. A change is reported only if the path leads to other
/// contents.
final class ConfigurationWatch: Sendable {
    private let stop = WakePipe()

    /// The time without events after which the file counts as written.
    private static let quiet = Duration.milliseconds(50)

    /// Starts watching; `nil` if the system refuses.
    ///
    /// - Parameter seen: The state in which the file was read; a later change is reported.
    init?(file: String, seen: FileStatus.Version?, changed: @escaping @Sendable () -> Void) {
        guard stop.descriptor >= 0, let directories = WatchedDirectories(file: file) else { return nil }
        let loop = Loop(file: file, seen: seen, directories: directories, stop: stop, changed: changed)
        nonisolated(unsafe) let started = loop
        guard DedicatedThread.start({ started.run() }) else { return nil }
    }

    deinit { stop.signal() }

    private final class Loop {
        private let file: String
        private let directories: WatchedDirectories
        private let stop: WakePipe
        private let changed: @Sendable () -> Void
        private var seen: FileStatus.Version?
        private var cannotWatch = false

        init(
            file: String, seen: FileStatus.Version?, directories: WatchedDirectories, stop: WakePipe,
            changed: @escaping @Sendable () -> Void
        ) {
            self.file = file
            self.directories = directories
            self.stop = stop
            self.changed = changed
            self.seen = seen
        }

        func run() {
            // Check at once: a change since the file was read raises no event.
            repeat {
                var answer = Answer.event
                while answer == .event {
                    if directories.takeEvents() { watchAgain() }
                    answer = wait(timeout: ConfigurationWatch.quiet)
                }
                guard answer == .quiet else { return }
                // A temporarily missing file is not a new configuration.
                if let now = FileStatus.version(of: file), now != seen {
                    seen = now
                    changed()
                }
            } while waitForChange()
        }

        /// Waits for a change in the directories. Returns `false` at the end.
        private func waitForChange() -> Bool {
            while wait(timeout: nil) == .event {
                guard directories.takeEvents() else { continue }
                // Before anything else, so that later events in a new directory are seen.
                watchAgain()
                return true
            }
            return false
        }

        private func watchAgain() {
            let isWatched = directories.update()
            if !isWatched && !cannotWatch {
                Diagnostics.report("\(file) can no longer be watched; it is reloaded only on demand")
            }
            cannotWatch = !isWatched
        }

        private enum Answer { case event, quiet, end }

        private func wait(timeout: Duration?) -> Answer {
            var requests = [
                pollfd(fd: directories.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            while poll(&requests, 2, timeout?.pollTimeout ?? -1) < 0 { guard errno == EINTR else { return .end } }
            if requests[1].revents != 0 { return .end }
            return requests[0].revents != 0 ? .event : .quiet
        }
    }
}
#endif
