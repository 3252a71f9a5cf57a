import Synchronization

/// A clock that a test sets.
final class SetClock: Sendable {
    private let time: Atomic<Int64>

    /// Starts at a time in seconds since 1970.
    init(_ seconds: Int64 = 1_767_623_400) { time = Atomic(seconds * 1_000_000_000) }

    var now: Int64 { time.load(ordering: .relaxed) }
    func advance(seconds: Int64) { time.wrappingAdd(seconds * 1_000_000_000, ordering: .relaxed) }
    func set(seconds: Int64) { time.store(seconds * 1_000_000_000, ordering: .relaxed) }
}
