#if Store
internal import Dispatch
internal import Taffrail

/// Work that is done in the background within a limited time, as CoreLocation programs know it from `BGProcessingTask`.
public final class BackgroundTask: Sendable {
    /// What kind of work it is.
    public let identifier: String

    private struct State {
        var expiration: (@Sendable () -> Void)?
        var isExpired = false
        var success: Bool?
        var completion: (@Sendable (Bool) -> Void)?
    }

    private let state: Locked<State>

    /// Creates a task.
    ///
    /// - Parameter completion: Called once, by ``setTaskCompleted(success:)``.
    public init(identifier: String, completion: (@Sendable (Bool) -> Void)? = nil) {
        self.identifier = identifier
        state = Locked(State(completion: completion))
    }

    /// Called when the time is over: the work must stop soon. Set on a task that has expired, it is called at once.
    public var expirationHandler: (@Sendable () -> Void)? {
        get { state.withLock { $0.expiration } }
        set {
            let isExpired = state.withLock { state in
                state.expiration = newValue
                return state.isExpired && state.success == nil
            }
            if isExpired { newValue?() }
        }
    }

    /// Ends the task. A second call does nothing.
    public func setTaskCompleted(success: Bool) {
        let completion = state.withLock { state in
            guard state.success == nil else { return nil as (@Sendable (Bool) -> Void)? }
            state.success = success
            state.expiration = nil
            return state.completion
        }
        completion?(success)
    }

    /// Whether it was completed, and how; `nil` before.
    public var success: Bool? { state.withLock { $0.success } }

    /// Ends the task's time.
    public func expire() {
        let handler = state.withLock { state in
            guard state.success == nil, !state.isExpired else { return nil as (@Sendable () -> Void)? }
            state.isExpired = true
            return state.expiration
        }
        handler?()
    }
}

/// Starts background tasks when they are due, each on a thread of its own.
///
/// It lives as long as the program; a daemon that does not run all the time uses a systemd timer instead.
public final class BackgroundTaskScheduler: Sendable {
    /// The scheduler of the program.
    public static let shared = BackgroundTaskScheduler()

    private struct State {
        var handlers: [String: @Sendable (BackgroundTask) -> Void] = [:]
        /// For each identifier, the number of the submission that counts.
        var pending: [String: Int] = [:]
        var next = 0
    }

    private let state = Locked(State())
    private let limit: Duration
    private let wait: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    /// Creates a scheduler.
    ///
    /// - Parameter limit: How long a task may work before it expires. Default 30 s.
    public convenience init(limit: Duration = .seconds(30)) {
        self.init(limit: limit) { delay, body in
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(delay.nanoseconds)), execute: body)
        }
    }

    /// - Parameter wait: Calls a function after a time.
    package init(limit: Duration, wait: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void) {
        self.limit = limit
        self.wait = wait
    }

    /// Sets what is done for an identifier.
    public func register(_ identifier: String, _ handler: @escaping @Sendable (BackgroundTask) -> Void) {
        state.withLock { $0.handlers[identifier] = handler }
    }

    /// Has a task started after a time; an earlier submission of the identifier that still waits is replaced.
    public func submit(_ identifier: String, after delay: Duration) {
        let number = state.withLock { state in
            state.next += 1
            state.pending[identifier] = state.next
            return state.next
        }
        wait(delay) { [weak self] in self?.start(identifier, number) }
    }

    /// What waits for its time.
    public var pending: [String] { state.withLock { $0.pending.keys.sorted() } }

    private func start(_ identifier: String, _ number: Int) {
        let handler = state.withLock { state in
            guard state.pending[identifier] == number else { return nil as (@Sendable (BackgroundTask) -> Void)? }
            state.pending[identifier] = nil
            return state.handlers[identifier]
        }
        guard let handler else { return }
        let task = BackgroundTask(identifier: identifier)
        wait(limit) { [weak task] in task?.expire() }
        if !DedicatedThread.start({ handler(task) }) {
            Diagnostics.report("no thread can be started for the background task \(identifier)")
        }
    }
}
#endif
