#if Configuration
internal import Taffrail
internal import TaffrailText

/// Calls back when a file has changed, on a separate thread.
///
/// It watches the directories on the path of the file, including those that its links refer to, because editors replace
/// files, and deployments replace links and whole directories. A change is reported only if the path leads to other
/// contents.
final class ConfigurationWatch: Sendable {
    private let stop = Interrupt()

    /// The time without events after which the file counts as written.
    private static let quiet = Duration.milliseconds(50)

    /// Starts watching; `nil` if the system refuses.
    ///
    /// - Parameter seen: The state in which the file was read; a later change is reported.
    init?(file: String, seen: FileStatus.Version?, changed: @escaping @Sendable () -> Void) {
        guard stop.canWake, let directories = WatchedDirectories(file: file) else { return nil }
        let loop = Loop(file: file, seen: seen, directories: directories, stop: stop, changed: changed)
        nonisolated(unsafe) let started = loop
        guard DedicatedThread.start({ started.run() }) else { return nil }
    }

    deinit { stop.trigger() }

    private final class Loop {
        private let file: String
        private let directories: WatchedDirectories
        private let stop: Interrupt
        private let changed: @Sendable () -> Void
        private var seen: FileStatus.Version?
        private var cannotWatch = false

        init(
            file: String, seen: FileStatus.Version?, directories: WatchedDirectories, stop: Interrupt,
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
                var outcome = Interrupt.Outcome.ready
                while outcome == .ready {
                    if directories.takeEvents() { watchAgain() }
                    outcome = stop.wait(for: directories.descriptor, timeout: ConfigurationWatch.quiet)
                }
                guard outcome == .timeout else { return }
                // A temporarily missing file is not a new configuration.
                if let now = FileStatus.version(of: file), now != seen {
                    seen = now
                    changed()
                }
            } while waitForChange()
        }

        /// Waits for a change in the directories. Returns `false` at the end.
        private func waitForChange() -> Bool {
            while stop.wait(for: directories.descriptor, timeout: nil) == .ready {
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
    }
}
#endif
