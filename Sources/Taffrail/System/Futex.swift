internal import CTaffrail
internal import Glibc
internal import Synchronization

/// A 32-bit word that threads of this process can wait on.
package struct Futex: @unchecked Sendable {
    private let word: UnsafeMutablePointer<UInt32>

    /// A word at an address, which must remain mapped.
    package init(_ address: UnsafeMutableRawPointer) {
        word = address.assumingMemoryBound(to: UInt32.self)
    }

    @inline(__always)
    private var atomic: UnsafeMutablePointer<Atomic<UInt32>> {
        UnsafeMutableRawPointer(word).assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    /// The word's value now.
    package var value: UInt32 { atomic.pointee.load(ordering: .acquiring) }

    /// Sleeps while the word is `expected`, at most `nanoseconds` (`nil`: without a limit).
    ///
    /// - Returns: Whether the time limit was reached.
    @discardableResult
    package func wait(while expected: UInt32, nanoseconds: Int64? = nil) -> Bool {
        taffrail_futex_wait(word, expected, nanoseconds ?? -1) == ETIMEDOUT
    }

    /// Changes the word and wakes all waiting threads.
    @inline(never)
    package func advance() {
        atomic.pointee.wrappingAdd(1, ordering: .releasing)
        taffrail_futex_wake(word, CInt.max)
    }
}

extension UnsafeMutableRawPointer {
    /// The eight bytes at the address, for atomic operations.
    @inline(__always)
    var atomic64: UnsafeMutablePointer<Atomic<UInt64>> { assumingMemoryBound(to: Atomic<UInt64>.self) }
}

/// A word in memory shared with other processes: stored atomically, after all earlier stores.
enum SharedWord {
    @inline(__always)
    static func store(_ value: UInt64, at address: UnsafeMutableRawPointer) {
        address.atomic64.pointee.store(value, ordering: .releasing)
    }

    @inline(__always)
    static func load(_ address: UnsafeMutableRawPointer) -> UInt64 {
        address.atomic64.pointee.load(ordering: .acquiring)
    }
}
