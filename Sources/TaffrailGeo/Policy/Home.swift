internal import Taffrail

/// The home of this program's device, which ping policies use. Any thread may call.
public final class Home: Sendable {
    /// The home of the program. `taffrail run` reads it at the start, and `taffrail home` changes it.
    public static let shared = Home()

    private struct State {
        var coordinate: Coordinate?
        /// Whether the home has been set, cleared or restored.
        var isKnown = false
    }

    private let state = Locked(State())

    /// Creates a separate home, for tests.
    public init() {}

    /// The coordinate of the home; `nil` if unknown.
    public var coordinate: Coordinate? {
        get { state.withLock { $0.coordinate } }
        set { state.withLock { $0 = State(coordinate: newValue, isKnown: true) } }
    }

    /// Continues with the home of an earlier run, unless it has been set, cleared or restored in this run.
    ///
    /// - Parameter directories: The state directories that may contain it; the first one that does counts.
    package func restore(from directories: [String]) {
        guard !state.withLock({ $0.isKnown }) else { return }
        guard let found = directories.lazy.compactMap({ HomeFile(in: $0).load() }).first else { return }
        state.withLock { if !$0.isKnown { $0 = State(coordinate: found, isKnown: true) } }
    }
}
