internal import Synchronization
package import Taffrail

/// Carries a failure from one thread to another.
package final class FailureBox: Sendable {
    private let failure = Mutex<SystemError?>(nil)

    /// Nothing has failed.
    package init() {}

    /// The failure, if there was one.
    package var value: SystemError? { failure.withLock { $0 } }

    /// Sets it.
    package func set(_ value: SystemError) { failure.withLock { $0 = value } }
}
