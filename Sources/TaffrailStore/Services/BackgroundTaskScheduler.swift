#if Store
internal import Dispatch
internal import Taffrail

/// Starts background tasks when they are due, each on its own thread.
///
/// Pending tasks are lost when the program ends; a program that does not run permanently should use a systemd timer
/// instead.
public final class BackgroundTaskScheduler: Sendable {
    /// The shared scheduler.
    public static let shared = BackgroundTaskScheduler()

    private struct State {
        var handlers: [String: @Sendable (BackgroundTask) -> Void] = [:]
        /// For each identifier, the number of the submission in effect.
        var pending: [String: Int] = [:]
        var next = 0
    }

    private let state = Locked(State())
    private let limit: Duration
    private let wait: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    /// Creates a scheduler.
    ///
    /// - Parameter limit: The time limit of a task. Default 30 s.
    public convenience init(limit: Duration = .seconds(30)) {
        self.init(limit: limit) { delay, body in
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(delay.nanoseconds)), execute: body)
        }
    }

    /// - Parameter wait: Calls a function after a delay.
    package init(limit: Duration, wait: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void) {
        self.limit = limit
        self.wait = wait
    }

    /// Sets the handler for an identifier.
    public func register(_ identifier: String, _ handler: @escaping @Sendable (BackgroundTask) -> Void) {
        state.withLock { $0.handlers[identifier] = handler }
    }

    /// Schedules a task to start after a delay; a pending submission of the same identifier is replaced.
    public func submit(_ identifier: String, after delay: Duration) {
        let number = state.withLock { state in
            state.next += 1
            state.pending[identifier] = state.next
            return state.next
        }
        wait(delay) { [weak self] in self?.start(identifier, number) }
    }

    /// The pending tasks.
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
