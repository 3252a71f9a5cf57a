public import Taffrail

/// A clock that only a test advances.
///
/// It is a `Clock`, so that sleeping tasks wake exactly when the test advances it, and it also provides wall-clock
/// times. Any thread may use it.
public final class ManualClock: Clock, Sendable {
    /// An instant of a manual clock.
    public struct Instant: InstantProtocol {
        /// The time since 1970.
        public let sinceEpoch: Duration

        /// Creates an instant.
        public init(sinceEpoch: Duration) { self.sinceEpoch = sinceEpoch }

        /// The instant as a record's timestamp.
        public var timestamp: Timestamp {
            let (seconds, attoseconds) = sinceEpoch.components
            return Timestamp(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        }

        /// Returns a later instant.
        public func advanced(by duration: Duration) -> Instant { Instant(sinceEpoch: sinceEpoch + duration) }
        /// Returns the duration from this instant to another.
        public func duration(to other: Instant) -> Duration { other.sinceEpoch - sinceEpoch }
        /// Returns whether `lhs` is before `rhs`.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.sinceEpoch < rhs.sinceEpoch }
    }

    private struct State {
        var now: Instant
        var nextID = 0
        var sleepers: [Int: (until: Instant, wake: CheckedContinuation<Void, any Error>)] = [:]
        var watchers: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Locked<State>

    /// Creates a clock with an initial time. Default: 2026-01-05 14:30:00 UTC.
    public init(_ start: Timestamp = Timestamp(nanoseconds: 1_767_623_400_000_000_000)) {
        state = Locked(State(now: Instant(sinceEpoch: .nanoseconds(start.nanoseconds))))
    }

    /// The current time.
    public var now: Instant { state.withLock { $0.now } }
    /// The same in nanoseconds since 1970.
    public var nanoseconds: Int64 { now.timestamp.nanoseconds }
    /// Zero.
    public var minimumResolution: Duration { .zero }

    /// Advances the clock and wakes the tasks that are due, earliest first.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.until < $1.until }.map(\.wake)
        }
        for wake in due { wake.resume() }
    }

    /// Sleeps until the clock has reached an instant, or the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (wake: CheckedContinuation<Void, any Error>) in
                // Cancellation is checked under the lock: `onCancel` either sees the sleeper or has already run.
                let outcome: Result<[CheckedContinuation<Void, Never>], CancellationError>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= state.now { return nil }
                    state.sleepers[id] = (deadline, wake)
                    let count = state.sleepers.count
                    let reached = state.watchers.filter { $0.count <= count }.map(\.wake)
                    state.watchers.removeAll { $0.count <= count }
                    return .success(reached)
                }
                switch outcome {
                case nil: wake.resume()
                case .failure(let error): wake.resume(throwing: error)
                case .success(let reached): for watcher in reached { watcher.resume() }
                }
            }
        } onCancel: {
            let wake = state.withLock { $0.sleepers.removeValue(forKey: id)?.wake }
            wake?.resume(throwing: CancellationError())
        }
    }

    /// Waits until a number of tasks sleep on this clock, so that it may be advanced.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { (wake: CheckedContinuation<Void, Never>) in
            let isReached = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, wake))
                return false
            }
            if isReached { wake.resume() }
        }
    }
}
