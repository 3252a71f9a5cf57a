internal import Synchronization

extension UnsafeMutableRawPointer {
    /// The eight bytes at the address, for atomic operations.
    @inline(__always)
    var atomic64: UnsafeMutablePointer<Atomic<UInt64>> { assumingMemoryBound(to: Atomic<UInt64>.self) }
}
