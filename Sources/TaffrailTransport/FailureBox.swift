internal import Synchronization
package import Taffrail

/// Passes a failure from one thread to another.
package final class FailureBox: Sendable {
    private let failure = Mutex<SystemError?>(nil)

    /// No failure.
    package init() {}

    /// The failure, if any.
    package var value: SystemError? { failure.withLock { $0 } }

    /// Sets the failure.
    package func set(_ value: SystemError) { failure.withLock { $0 = value } }
}
