internal import Dispatch
internal import Synchronization
internal import Taffrail
internal import TaffrailText

/// Makes a file survive power loss in the background, one step at a time.
final class BackgroundSync: Sendable {
    private struct State {
        var isRunning = false
        var isWanted = false
        var isArmed = false
        var failure: SystemError?
    }

    private let file: FileHandle
    private let state = Mutex(State())
    private static let queue = DispatchQueue(label: "taffrail.recording.sync", qos: .utility)

    /// Takes a second descriptor of a file that another object writes.
    init(path: String) throws(SystemError) { file = FileHandle(try FileDescriptor(reading: path)) }

    /// The error of the last step, once.
    func takeFailure() -> SystemError? {
        state.withLock { state in
            defer { state.failure = nil }
            return state.failure
        }
    }

    /// Synchronises soon. A running step does not count, because it may have started too early.
    func request() {
        let starts = state.withLock { state in
            state.isWanted = true
            guard !state.isRunning else { return false }
            state.isRunning = true
            return true
        }
        if starts { Self.queue.async { self.run() } }
    }

    /// Synchronises after a delay, unless that is already scheduled.
    func request(after nanoseconds: Int64) {
        let arms = state.withLock { state in
            defer { state.isArmed = true }
            return !state.isArmed
        }
        guard arms else { return }
        Self.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) { [weak self] in
            guard let self else { return }
            state.withLock { $0.isArmed = false }
            request()
        }
    }

    private func run() {
        while state.withLock({ state in
            guard state.isWanted else {
                state.isRunning = false
                return false
            }
            state.isWanted = false
            return true
        }) {
            do throws(SystemError) { try file.file.synchronize(withAttributes: true) } catch {
                state.withLock { $0.failure = error }
            }
        }
    }
}

/// An open file that several threads may share.
private final class FileHandle: Sendable {
    let file: FileDescriptor
    init(_ file: consuming FileDescriptor) { self.file = file }
}
