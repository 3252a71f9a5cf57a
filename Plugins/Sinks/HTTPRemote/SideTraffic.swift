#if HTTP
internal import Synchronization

/// Bytes that were sent beside the batches of a spool, until they are counted with those. Any thread may call.
final class SideTraffic: Sendable {
    private let bytes = Atomic<Int>(0)

    /// Adds what was sent.
    func add(_ count: Int) { bytes.wrappingAdd(max(0, count), ordering: .relaxed) }

    /// What was added since the last call.
    func take() -> Int { bytes.exchange(0, ordering: .relaxed) }
}
#endif
