/// A word that threads wait on.
package final class WakeUp: Sendable {
    nonisolated(unsafe) private let base: UnsafeMutableRawPointer

    package init() {
        base = .allocate(byteCount: 8, alignment: 8)
        base.storeBytes(of: 0, as: UInt64.self)
    }

    deinit { base.deallocate() }

    package var value: UInt32 { Futex(base).value }

    /// The word's address, for code in C.
    var address: UnsafePointer<UInt32> { UnsafePointer(base.assumingMemoryBound(to: UInt32.self)) }

    /// Changes the word and wakes the waiting threads.
    package func advance() { Futex(base).advance() }

    /// Waits while the word has a value.
    package func wait(while value: UInt32, nanoseconds: Int64?) {
        Futex(base).wait(while: value, nanoseconds: nanoseconds)
    }
}
