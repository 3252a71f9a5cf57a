internal import CTaffrail
internal import Synchronization

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

    @inline(never)
    private func take(until deadline: Int64?) -> Bool {
        if word.pointee.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged { return true }
        while word.pointee.exchange(2, ordering: .acquiring) != 0 {
            let left = deadline.map { $0 - SystemClock.monotonicNanoseconds() }
            if let left, left <= 0 { return false }
            Futex(address).wait(while: 2, nanoseconds: left)
        }
        return true
    }

    @inline(never)
    private func release() {
        if word.pointee.exchange(0, ordering: .releasing) == 2 {
            taffrail_futex_wake(address.assumingMemoryBound(to: UInt32.self), 1)
        }
    }
}
