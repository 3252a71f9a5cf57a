public import Taffrail

/// A clock that stands still until a test moves it on.
///
/// It is a `Clock`, so that whatever sleeps on it wakes when the test says so and not earlier, and it gives wall-clock
/// times for whatever asks for the time of day. It may be used from any thread.
public final class ManualClock: Clock, Sendable {
    /// A moment of a manual clock.
    public struct Instant: InstantProtocol {
        /// The time since 1970.
        public let sinceEpoch: Duration

        /// Makes a moment.
        public init(sinceEpoch: Duration) { self.sinceEpoch = sinceEpoch }

        /// The moment as records have it.
        public var timestamp: Timestamp {
            let (seconds, attoseconds) = sinceEpoch.components
            return Timestamp(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        }

        /// A later moment.
        public func advanced(by duration: Duration) -> Instant { Instant(sinceEpoch: sinceEpoch + duration) }
        /// The time from this moment to another.
        public func duration(to other: Instant) -> Duration { other.sinceEpoch - sinceEpoch }
        /// Whether `lhs` is before `rhs`.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.sinceEpoch < rhs.sinceEpoch }
    }

    private struct State {
        var now: Instant
        var nextID = 0
        var sleepers: [Int: (until: Instant, wake: CheckedContinuation<Void, any Error>)] = [:]
        var watchers: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Locked<State>

    /// Makes a clock that stands at a moment. Default: 2026-01-05 14:30:00 UTC.
    public init(_ start: Timestamp = Timestamp(nanoseconds: 1_767_623_400_000_000_000)) {
        state = Locked(State(now: Instant(sinceEpoch: .nanoseconds(start.nanoseconds))))
    }

    /// The moment at which it stands.
    public var now: Instant { state.withLock { $0.now } }
    /// The same in nanoseconds since 1970.
    public var nanoseconds: Int64 { now.timestamp.nanoseconds }
    /// Zero.
    public var minimumResolution: Duration { .zero }

    /// Moves the clock on and wakes those whose time has come, the earliest first.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.until < $1.until }.map(\.wake)
        }
        for wake in due { wake.resume() }
    }

    /// Sleeps until the clock has been moved to a moment, or the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (wake: CheckedContinuation<Void, any Error>) in
                // Whether it is cancelled is asked under the lock: `onCancel` either sees the sleeper or comes first.
                let outcome: Result<[CheckedContinuation<Void, Never>], CancellationError>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= state.now { return nil }
                    state.sleepers[id] = (deadline, wake)
                    let count = state.sleepers.count
                    let told = state.watchers.filter { $0.count <= count }.map(\.wake)
                    state.watchers.removeAll { $0.count <= count }
                    return .success(told)
                }
                switch outcome {
                case nil: wake.resume()
                case .failure(let error): wake.resume(throwing: error)
                case .success(let told): for watcher in told { watcher.resume() }
                }
            }
        } onCancel: {
            let wake = state.withLock { $0.sleepers.removeValue(forKey: id)?.wake }
            wake?.resume(throwing: CancellationError())
        }
    }

    /// Waits until so many tasks sleep on this clock: then it may be moved on.
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
