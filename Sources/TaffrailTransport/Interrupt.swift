internal import CTaffrail
internal import Glibc
internal import Synchronization
internal import Taffrail

/// Wakes a thread that waits for bytes or for time to pass, once and for good.
package final class Interrupt: Sendable {
    private let ends: (read: Int32, write: Int32)
    private let triggered = Atomic<Bool>(false)

    /// Makes an interrupt that has not happened.
    package init() {
        var ends: [Int32] = [-1, -1]
        _ = taffrail_pipe(&ends)
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    /// Whether it has happened.
    package var isTriggered: Bool { triggered.load(ordering: .acquiring) }

    /// Makes it happen.
    package func trigger() {
        guard !triggered.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var byte: UInt8 = 1
        _ = write(ends.write, &byte, 1)
    }

    /// What ended a wait.
    package enum Outcome: Sendable { case ready, timeout, interrupted }

    /// Waits until a descriptor is ready, a time is over, or the interrupt happens.
    ///
    /// - Parameters:
    ///   - descriptor: Negative: none.
    ///   - nanoseconds: At most so long; `nil`: for ever.
    package func wait(for descriptor: Int32 = -1, writing: Bool = false, nanoseconds: Int64?) -> Outcome {
        let deadline = nanoseconds.map { SystemClock.monotonicNanoseconds() + max(0, $0) }
        while true {
            var polls = [
                pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(writing ? POLLOUT : POLLIN), revents: 0),
            ]
            var milliseconds: Int32 = -1
            if let deadline {
                milliseconds = Int32(
                    clamping: (max(0, deadline - SystemClock.monotonicNanoseconds()) + 999_999) / 1_000_000)
            }
            let count = poll(&polls, 2, milliseconds)
            if isTriggered { return .interrupted }
            if count > 0 && polls[1].revents != 0 { return .ready }
            if let deadline, SystemClock.monotonicNanoseconds() >= deadline { return .timeout }
            if count < 0 && errno != EINTR { return .timeout }
        }
    }
}
