internal import Foundation

/// Holds the answers of a ``FaultServer`` back until ``release()``.
package final class HeldAnswers: Sendable {
    private let gate = DispatchSemaphore(value: 0)

    package init() {}

    /// Waits for ``release()``, on the thread of a connection.
    package func wait() {
        gate.wait()
        gate.signal()
    }

    /// Lets all connections continue, including later ones.
    package func release() { gate.signal() }
}
