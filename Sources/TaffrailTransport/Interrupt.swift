internal import CTaffrail
internal import Glibc
internal import Synchronization
internal import Taffrail

/// Wakes a thread that waits for bytes or for a time limit. It can be triggered once, and stays triggered.
package final class Interrupt: Sendable {
    private let ends: (read: Int32, write: Int32)
    /// A forked child may have closed the pipe, and opened other files under these numbers.
    private let process = ThisProcess.id
    private let triggered = Atomic<Bool>(false)

    /// Creates an interrupt that has not been triggered.
    package init() {
        var ends: [Int32] = [-1, -1]
        _ = taffrail_pipe(&ends)
        self.ends = (ends[0], ends[1])
    }

    deinit {
        guard process == ThisProcess.id else { return }
        close(ends.read)
        close(ends.write)
    }

    /// Whether it has been triggered.
    package var isTriggered: Bool { triggered.load(ordering: .acquiring) }

    /// Triggers it.
    package func trigger() {
        guard !triggered.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // The threads that wait are the parent's.
        guard process == ThisProcess.id else { return }
        var byte: UInt8 = 1
        _ = write(ends.write, &byte, 1)
    }

    /// The result of a wait.
    package enum Outcome: Sendable { case ready, timeout, interrupted }

    /// Waits until a descriptor is ready, a time limit is reached, or the interrupt is triggered.
    ///
    /// - Parameters:
    ///   - descriptor: Negative: none.
    ///   - nanoseconds: The time limit; `nil`: none.
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
