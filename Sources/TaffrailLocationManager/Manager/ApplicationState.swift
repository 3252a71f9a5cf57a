internal import Taffrail

/// Whether the program is in the foreground or in the background.
///
/// A service is always in the foreground unless it changes this state. Sources use the state to save power: they may
/// deliver positions less often in the background. Any thread may call.
public final class ApplicationState: Sendable {
    /// The states.
    public enum State: Sendable, Hashable {
        /// In use, or working as a service.
        case foreground
        /// Not in use.
        case background
    }

    /// The state of this program.
    public static let shared = ApplicationState()

    private struct Observers {
        var current = State.foreground
        var nextID = 0
        var closures: [Int: @Sendable (State) -> Void] = [:]
    }

    private let observers = Locked(Observers())

    /// Creates a separate state, for tests.
    public init() {}

    /// The current state.
    public var current: State { observers.withLock { $0.current } }

    /// Enters the background. Observers are called before it returns.
    public func enterBackground() { enter(.background) }

    /// Enters the foreground. Observers are called before it returns.
    public func enterForeground() { enter(.foreground) }

    private func enter(_ state: State) {
        let closures = observers.withLock { observers in
            guard observers.current != state else { return [@Sendable (State) -> Void]() }
            observers.current = state
            return observers.closures.sorted { $0.key < $1.key }.map(\.value)
        }
        for closure in closures { closure(state) }
    }

    /// Calls `change` on every change, on the thread that causes it.
    ///
    /// - Returns: A token for ``removeObserver(_:)``.
    @discardableResult
    public func addObserver(_ change: @escaping @Sendable (State) -> Void) -> Int {
        observers.withLock { observers in
            observers.nextID += 1
            observers.closures[observers.nextID] = change
            return observers.nextID
        }
    }

    /// Removes an observer.
    public func removeObserver(_ observer: Int) { observers.withLock { $0.closures[observer] = nil } }
}
