internal import Glibc
internal import Synchronization
internal import Taffrail

/// Wakes a thread that waits for bytes or for a time limit. It can be triggered once, and then remains triggered.
package final class Interrupt: Sendable {
    private let pipe = WakePipe()
    private let triggered = Atomic<Bool>(false)

    /// Creates an interrupt that has not been triggered.
    package init() {}

    /// Whether a thread that waits can be woken; `false` if the system could not create a pipe. It then notices
    /// ``trigger()`` only after its wait.
    package var canWake: Bool { pipe.descriptor >= 0 }

    /// Whether it has been triggered.
    package var isTriggered: Bool { triggered.load(ordering: .acquiring) }

    /// Triggers it.
    package func trigger() {
        if !triggered.exchange(true, ordering: .acquiringAndReleasing) { pipe.signal() }
    }

    /// The result of a wait.
    package enum Outcome: Sendable { case ready, timeout, interrupted }

    /// Waits until a descriptor is ready, a time limit is reached, or the interrupt is triggered.
    ///
    /// - Parameters:
    ///   - descriptor: Negative: none.
    ///   - timeout: The time limit; `nil`: none.
    package func wait(for descriptor: Int32 = -1, writing: Bool = false, timeout: Duration?) -> Outcome {
        let deadline = timeout.map { SystemClock.monotonicNanoseconds(after: $0) }
        while true {
            var polls = [
                pollfd(fd: pipe.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(writing ? POLLOUT : POLLIN), revents: 0),
            ]
            let left = deadline.map { Duration.nanoseconds($0 - SystemClock.monotonicNanoseconds()) }
            let count = poll(&polls, 2, left?.pollTimeout ?? -1)
            if isTriggered { return .interrupted }
            if count > 0 && polls[1].revents != 0 { return .ready }
            if let deadline, SystemClock.monotonicNanoseconds() >= deadline { return .timeout }
            if count < 0 && errno != EINTR { return .timeout }
        }
    }
}
