#if Store
internal import Taffrail

/// Background work with a time limit, modelled on `BGProcessingTask`.
public final class BackgroundTask: Sendable {
    /// The kind of work.
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
    /// - Parameters:
    ///   - identifier: The name of the task.
    ///   - completion: Called once, by ``setTaskCompleted(success:)``.
    public init(identifier: String, completion: (@Sendable (Bool) -> Void)? = nil) {
        self.identifier = identifier
        state = Locked(State(completion: completion))
    }

    /// Called when the time has expired; the work must then stop soon. If set on an expired task, it is called
    /// immediately.
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

    /// Whether the task succeeded; `nil` before it is completed.
    public var success: Bool? { state.withLock { $0.success } }

    /// Expires the task.
    public func expire() {
        let handler = state.withLock { state in
            guard state.success == nil, !state.isExpired else { return nil as (@Sendable () -> Void)? }
            state.isExpired = true
            return state.expiration
        }
        handler?()
    }
}
#endif
