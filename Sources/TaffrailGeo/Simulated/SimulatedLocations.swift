internal import Synchronization

/// What the input `simulated` shows, changeable while it runs: what `xcrun simctl location set|start|clear` does.
///
/// Any thread.
public final class SimulatedLocations: Sendable {
    /// What the program's input shows.
    public static let shared = SimulatedLocations()

    private struct State {
        var route: SimulatedRoute?
        var generation = 0
    }

    private let state = Mutex(State())

    /// Shows nothing.
    public init() {}

    /// Shows a place, or starts a route from its beginning.
    public func set(_ route: SimulatedRoute) {
        state.withLock { state in
            state.route = route
            state.generation += 1
        }
    }

    /// Shows nothing: there is no position until ``set(_:)``.
    public func clear() {
        state.withLock { state in
            state.route = nil
            state.generation += 1
        }
    }

    /// What is shown, and how often that has changed.
    package var current: (route: SimulatedRoute?, generation: Int) { state.withLock { ($0.route, $0.generation) } }
}
