#if HTTP
internal import Synchronization

/// Counts bytes that are sent in addition to the batches of a spool. May be used on any thread.
final class SideTraffic: Sendable {
    private let bytes = Atomic<Int>(0)

    /// Adds sent bytes.
    func add(_ count: Int) { bytes.wrappingAdd(max(0, count), ordering: .relaxed) }

    /// Returns the bytes added since the last call.
    func take() -> Int { bytes.exchange(0, ordering: .relaxed) }
}
#endif
