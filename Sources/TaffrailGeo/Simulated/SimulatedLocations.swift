internal import Taffrail

/// The position of an input `simulated`, which can be changed while it runs, as with `xcrun simctl location`.
///
/// Any thread may call.
public final class SimulatedLocations: Sendable {
    /// The position of the input with the name `simulated`.
    public static let shared = SimulatedLocations()
    private static let others = Locked([String: SimulatedLocations]())

    /// Returns the position of the input with a name in the configuration.
    public static func named(_ name: String) -> SimulatedLocations {
        if name == "simulated" { return shared }
        return others.withLock { others in
            if let known = others[name] { return known }
            let new = SimulatedLocations()
            others[name] = new
            return new
        }
    }

    private struct State {
        var route: SimulatedRoute?
        var generation = 0
    }

    private let state = Locked(State())

    /// Creates an instance without a position.
    public init() {}

    /// Sets a fixed position, or starts a route.
    public func set(_ route: SimulatedRoute) {
        state.withLock { state in
            state.route = route
            state.generation += 1
        }
    }

    /// Sets a position unless it has changed since ``current`` returned this number of changes.
    package func set(_ route: SimulatedRoute, ifStillAt generation: Int) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.route = route
            state.generation += 1
        }
    }

    /// Removes the position until ``set(_:)``.
    public func clear() {
        state.withLock { state in
            state.route = nil
            state.generation += 1
        }
    }

    /// The current route, and the number of changes.
    package var current: (route: SimulatedRoute?, generation: Int) { state.withLock { ($0.route, $0.generation) } }
}
