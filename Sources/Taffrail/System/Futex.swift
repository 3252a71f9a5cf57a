internal import CTaffrail
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
        taffrail_futex_wait(word, expected, nanoseconds ?? -1) == ETIMEDOUT_CODE
    }

    /// Changes the word and wakes all waiting threads.
    package func advance() {
        atomic.pointee.wrappingAdd(1, ordering: .releasing)
        taffrail_futex_wake(word, CInt.max)
    }
}

private let ETIMEDOUT_CODE: CInt = 110

extension Futex {
    /// A zeroed word in memory of its own.
    final class Word: Sendable {
        nonisolated(unsafe) let address: UnsafeMutablePointer<UInt32>

        init() {
            address = .allocate(capacity: 1)
            address.initialize(to: 0)
        }

        deinit { address.deallocate() }

        var futex: Futex { Futex(address) }
    }
}

/// A lock made of one zeroed word: it can be placed in memory that a fork wipes, where it is then free.
struct WordLock: @unchecked Sendable {
    private let address: UnsafeMutableRawPointer

    init(_ address: UnsafeMutableRawPointer) { self.address = address }

    /// Runs `body` while no other thread runs here. Not recursive.
    func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        _ = take(until: nil)
        defer { release() }
        return try body()
    }

    /// Runs `body` while no other thread runs here. Not recursive.
    ///
    /// - Parameter deadline: When to give up, on the monotonic clock.
    /// - Returns: `nil` if another thread held the lock until then.
    func withLock<R, E: Error>(until deadline: Int64, _ body: () throws(E) -> R) throws(E) -> R? {
        guard take(until: deadline) else { return nil }
        defer { release() }
        return try body()
    }

    // 0 free, 1 taken, 2 taken with waiters.
    private var word: UnsafeMutablePointer<Atomic<UInt32>> { address.assumingMemoryBound(to: Atomic<UInt32>.self) }

    private func take(until deadline: Int64?) -> Bool {
        if word.pointee.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged { return true }
        while word.pointee.exchange(2, ordering: .acquiring) != 0 {
            let left = deadline.map { $0 - SystemClock.monotonicNanoseconds() }
            if let left, left <= 0 { return false }
            Futex(address).wait(while: 2, nanoseconds: left)
        }
        return true
    }

    private func release() {
        if word.pointee.exchange(0, ordering: .releasing) == 2 {
            taffrail_futex_wake(address.assumingMemoryBound(to: UInt32.self), 1)
        }
    }
}

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
