internal import Synchronization

/// The home of this program's device, which policies of pings use. Any thread may call.
public final class Home: Sendable {
    /// The home of the program. `taffrail run` reads it at the start, and `taffrail home` changes it.
    public static let shared = Home()

    private let state = Mutex<Coordinate?>(nil)

    /// Creates a separate home, for tests.
    public init() {}

    /// Where it is; `nil`: it is not known.
    public var coordinate: Coordinate? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
