internal import Synchronization
package import TaffrailText

/// Carries a failure from one thread to another.
package final class FailureBox: Sendable {
    private let failure = Mutex<SystemFailure?>(nil)

    /// Nothing has failed.
    package init() {}

    /// The failure, if there was one.
    package var value: SystemFailure? { failure.withLock { $0 } }

    /// Sets it.
    package func set(_ value: SystemFailure) { failure.withLock { $0 = value } }
}
