internal import Taffrail

/// Compresses ended recordings in the background, one after the other; a locked one is tried again after the others.
///
/// Uses a separate thread that exists only while recordings wait, because Dispatch does not work in a forked child. The
/// next run compresses what is left when the program ends: see ``RecordingSession/tidy(queues:compressing:)``.
final class RecordingCompressor: Sendable {
    private struct State {
        var paths: [(path: String, isRetry: Bool)] = []
        var isRunning = false

        /// Removes the first recording; `nil`, and the end of the thread, if there is none.
        mutating func next() -> (path: String, isRetry: Bool)? {
            isRunning = !paths.isEmpty
            return isRunning ? paths.removeFirst() : nil
        }
    }

    /// Compresses a recording and deletes the original.
    typealias Compress = @Sendable (_ path: String) throws(SystemError) -> Void

    private let state = Locked(State())
    private let pause: @Sendable () -> Void
    private let compress: Compress

    /// - Parameters:
    ///   - pause: Waits before a second attempt.
    ///   - compress: The compression.
    init(
        pause: @escaping @Sendable () -> Void = { SystemClock.sleep(for: .milliseconds(100)) },
        compress: @escaping Compress = { path throws(SystemError) in try RecordingArchive.compress(path) }
    ) {
        self.pause = pause
        self.compress = compress
    }

    /// Compresses recordings soon; failures are reported.
    func add(_ paths: [String]) {
        guard !paths.isEmpty else { return }
        let starts = state.withLock { state in
            state.paths += paths.map { ($0, false) }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard starts else { return }
        guard !DedicatedThread.start(named: "taffrail-gzip", takesSignals: false, { self.run() }) else { return }
        state.withLock { $0.isRunning = false }
        Diagnostics.report("cannot start a thread, so recordings are not compressed yet")
    }

    private func run() {
        while let (path, isRetry) = state.withLock({ $0.next() }) {
            if isRetry { pause() }
            do throws(SystemError) { try compress(path) } catch {
                if error.isBusy {
                    // Another process may be testing the lock, which takes a moment, or compressing the recording.
                    if !isRetry { state.withLock { $0.paths.append((path, true)) } }
                } else if !error.isMissing {
                    Diagnostics.report("not compressed: \(error)")
                }
            }
        }
    }
}
