internal import Synchronization

/// A word in memory shared with other processes: stored atomically, after all earlier stores.
enum SharedWord {
    @inline(__always)
    static func store(_ value: UInt64, at place: UnsafeMutableRawPointer) {
        place.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(value, ordering: .releasing)
    }

    @inline(__always)
    static func load(_ place: UnsafeMutableRawPointer) -> UInt64 {
        place.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.load(ordering: .acquiring)
    }
}
