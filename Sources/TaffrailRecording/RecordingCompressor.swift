internal import Taffrail

/// Compresses ended recordings in the background, one after the other.
///
/// Uses a separate thread that exists only while recordings wait, because Dispatch does not work in a forked child. The
/// next run compresses what is left when the program ends: see ``RecordingSession/tidy(queues:compressing:)``.
final class RecordingCompressor: Sendable {
    private struct State {
        var paths: [String] = []
        var isRunning = false

        /// Removes the first recording; `nil`, and the end of the thread, if there is none.
        mutating func next() -> String? {
            isRunning = !paths.isEmpty
            return isRunning ? paths.removeFirst() : nil
        }
    }

    private let state = Locked(State())

    /// Compresses recordings soon; failures are reported.
    func add(_ paths: [String]) {
        guard !paths.isEmpty else { return }
        let starts = state.withLock { state in
            state.paths += paths
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard starts else { return }
        guard !DedicatedThread.start(named: "taffrail-gzip", takesSignals: false, { self.run() }) else { return }
        state.withLock { $0.isRunning = false }
        Diagnostics.report("cannot start a thread, so recordings are not compressed yet")
    }

    private func run() {
        while let path = state.withLock({ $0.next() }) {
            do throws(SystemError) { try RecordingArchive.compress(path) } catch {
                // Another process may be compressing it, or have deleted it.
                if !error.isBusy && !error.isMissing { Diagnostics.report("not compressed: \(error)") }
            }
        }
    }
}
