internal import Taffrail
internal import TaffrailText

/// Makes a file survive power loss in the background, one step at a time.
///
/// Uses separate threads that exist only for this, because Dispatch does not work in a forked child, and would write to
/// descriptors that the child may have closed and opened again.
final class BackgroundSync: Sendable {
    private let work: Work
    /// Ends the wait of ``request(after:)``.
    private let end = Interrupt()

    /// Takes a second descriptor of a file that another object writes.
    init(path: String) throws(SystemError) { work = Work(try FileDescriptor(path, .read, closedInChildren: true)) }

    deinit { end.trigger() }

    /// The error of the first failed step: later steps do not write the lost data again.
    var failure: SystemError? { work.state.withLock { $0.failure } }

    /// Synchronizes soon. A running step does not count, because it may have started too early.
    func request() {
        guard work.begin() else { return }
        if !Self.start({ [work] in work.run() }) { work.state.withLock { $0.isRunning = false } }
    }

    /// Synchronizes after a delay, unless that is already scheduled.
    func request(after delay: Duration) {
        let arms = work.state.withLock { state in
            defer { state.isArmed = true }
            return !state.isArmed
        }
        guard arms else { return }
        let isStarted = Self.start { [work, end] in
            guard end.wait(timeout: delay) == .timeout else { return }
            work.state.withLock { $0.isArmed = false }
            if work.begin() { work.run() }
        }
        if !isStarted { work.state.withLock { $0.isArmed = false } }
    }

    private static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        DedicatedThread.start(named: "taffrail-sync", takesSignals: false, body)
    }
}

/// The common state of the threads.
private final class Work: Sendable {
    struct State {
        var isRunning = false
        var isWanted = false
        var isArmed = false
        var failure: SystemError?
    }

    private let file: FileDescriptor
    let state = Locked(State())

    init(_ file: consuming FileDescriptor) { self.file = file }

    /// Requests a step.
    ///
    /// - Returns: Whether the caller must call ``run()``.
    func begin() -> Bool {
        state.withLock { state in
            state.isWanted = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
    }

    /// Synchronizes as long as steps are requested.
    func run() {
        while state.withLock({ state in
            guard state.isWanted else {
                state.isRunning = false
                return false
            }
            state.isWanted = false
            return true
        }) {
            do throws(SystemError) { try file.synchronize(withAttributes: true) } catch {
                state.withLock { $0.failure = $0.failure ?? error }
            }
        }
    }
}
