internal import Foundation

/// Keeps the connections of a ``FaultServer`` waiting for their answers until it is released.
package final class HeldAnswers: Sendable {
    private let gate = DispatchSemaphore(value: 0)

    package init() {}

    /// Waits for ``release()``, on the thread of a connection.
    package func wait() {
        gate.wait()
        gate.signal()
    }

    /// Lets all continue, now and later.
    package func release() { gate.signal() }
}
