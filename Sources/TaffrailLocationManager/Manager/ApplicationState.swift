internal import Synchronization

/// Whether the program is in front of somebody or in the background.
///
/// A server is always in the foreground unless it says otherwise. What saves power asks here: a source may deliver less
/// often in the background. Any thread.
public final class ApplicationState: Sendable {
    /// The states.
    public enum State: Sendable, Hashable {
        /// Somebody uses it, or it does its work as a service.
        case foreground
        /// Nobody does.
        case background
    }

    /// The state of this program.
    public static let shared = ApplicationState()

    private struct Observers {
        var current = State.foreground
        var nextID = 0
        var closures: [Int: @Sendable (State) -> Void] = [:]
    }

    private let observers = Mutex(Observers())

    /// Makes a state of one's own, as tests do.
    public init() {}

    /// The state now.
    public var current: State { observers.withLock { $0.current } }

    /// Goes to the background. Observers are told before the call returns.
    public func enterBackground() { enter(.background) }

    /// Comes to the foreground. Observers are told before the call returns.
    public func enterForeground() { enter(.foreground) }

    private func enter(_ state: State) {
        let told = observers.withLock { observers in
            guard observers.current != state else { return [@Sendable (State) -> Void]() }
            observers.current = state
            return observers.closures.sorted { $0.key < $1.key }.map(\.value)
        }
        for closure in told { closure(state) }
    }

    /// Calls `change` on every change, on the thread that makes it.
    ///
    /// - Returns: What ``removeObserver(_:)`` takes.
    @discardableResult
    public func addObserver(_ change: @escaping @Sendable (State) -> Void) -> Int {
        observers.withLock { observers in
            observers.nextID += 1
            observers.closures[observers.nextID] = change
            return observers.nextID
        }
    }

    /// Calls it no more.
    public func removeObserver(_ observer: Int) { observers.withLock { $0.closures[observer] = nil } }
}
