internal import Taffrail
package import TaffrailText

/// Opens a source of positions while listeners of a feed want positions, and passes on as many as they want.
///
/// If no listener wants more than one position every 30 s, the source is closed after each position that has an
/// accuracy, and also after 30 s without one, as indoors. A receiver that was powered down may need longer for its
/// first position: after each such failure the source is open for twice as long, up to five minutes, and then closed
/// for at least as long. Any thread may call.
package final class DemandedSource: Sendable {
    /// The shortest interval for which the source is closed between two positions.
    package static let closingInterval = Duration.seconds(30)
    /// The longest time for which the source is open for one position.
    static let longestOpenTime = Duration.minutes(5)

    /// The plan for the source.
    private enum Plan: Equatable {
        case open
        /// Closed until the demand changes or, at a time of the monotonic clock, the next position is due.
        case closed(until: Int64?)
    }

    private struct State {
        var plan = Plan.closed(until: nil)
        /// Ends the plan.
        var phase: Interrupt?
        var isCancelled = false
        /// When the last position passed, or the wait for it ended.
        var last: Int64?
        /// When the wait for one position began; `nil` if more are wanted.
        var awaited: Int64?
        /// How many times in a row no position has arrived.
        var failures = 0
        /// The shortest time for which the source is closed after that.
        var pause = Duration.zero
    }

    private let feed: LocationFeed
    private let isOnDemand: Bool
    private let now: @Sendable () -> Int64
    /// How long the source is open for one position, unless waits for earlier ones have failed.
    private let openTime: Duration
    /// How often to check whether that time is over; `nil`: once, at its end.
    private let checkInterval: Duration?
    private let state = Locked(State())

    /// Creates a closed source.
    ///
    /// - Parameters:
    ///   - isOnDemand: Whether the demand counts; otherwise the source is always open, and all positions pass.
    ///   - openTime: How long the source is open for one position; longer after failures.
    ///   - checkInterval: How often to check whether that time is over. Default `nil`: once, at its end.
    ///   - now: The monotonic clock, in nanoseconds.
    package init(
        _ feed: LocationFeed, isOnDemand: Bool, openTime: Duration = DemandedSource.closingInterval,
        checkInterval: Duration? = nil,
        now: @escaping @Sendable () -> Int64 = { SystemClock.monotonicNanoseconds() }
    ) {
        self.feed = feed
        self.isOnDemand = isOnDemand
        self.openTime = openTime
        self.checkInterval = checkInterval
        self.now = now
    }

    /// Runs the source on a separate thread, whenever it must be open, until the task is cancelled or the source ends.
    ///
    /// - Parameter make: Called on that thread; returns the closure that runs the source until the interrupt is
    ///   triggered.
    package func run(_ make: @escaping @Sendable () -> (Interrupt) -> Void) async {
        let subscription = feed.subscribe(demand: { [weak self] _ in self?.review() })
        await withTaskCancellationHandler {
            // Without another thread, use this one.
            if await DedicatedThread.value(of: { self.loop(make()) }) == nil { loop(make()) }
        } onCancel: {
            state.withLock { state in
                state.isCancelled = true
                state.phase?.trigger()
            }
        }
        withExtendedLifetime(subscription) {}
    }

    /// Returns whether to pass on an event. Errors always pass.
    package func admits(_ event: GeoEvent) -> Bool {
        guard isOnDemand, let location = event.location else { return true }
        return state.withLock { state in
            let demand = feed.demand
            guard demand.listeners > 0 else { return false }
            let (time, interval) = (now(), demand.interval)
            // Receivers are not exact: a position may be early by a tenth of the interval.
            if let last = state.last, Duration.nanoseconds(time - last) < interval - interval / 10 { return false }
            // A position without an accuracy does not end the wait.
            if interval >= Self.closingInterval && location.horizontalAccuracy == nil { return true }
            state.last = time
            (state.failures, state.pause) = (0, .zero)
            if interval >= Self.closingInterval { state.phase?.trigger() }
            return true
        }
    }

    private func loop(_ body: (Interrupt) -> Void) {
        while let (phase, plan) = begin() {
            switch plan {
            case .closed(let time): _ = phase.wait(timeout: time.map { .nanoseconds($0 - now()) })
            case .open:
                let end = Interrupt()
                if isOnDemand { limit(phase, until: end) }
                body(phase)
                end.trigger()
                // The source has ended by itself.
                guard phase.isTriggered else { return }
            }
        }
    }

    /// Whether the source is open for one position.
    private var isForOne: Bool {
        let demand = feed.demand
        return isOnDemand && demand.listeners > 0 && demand.interval >= Self.closingInterval
    }

    /// Returns how long the source is open for the next position.
    private func window(_ state: borrowing State) -> Duration {
        let factor = 1 << min(state.failures, 30)
        return max(openTime, min(openTime * factor, Self.longestOpenTime))
    }

    /// Returns how long to wait before the next check, if the time for one position is over after `rest`.
    private func pause(within rest: Duration) -> Duration { checkInterval.map { min(rest, $0) } ?? rest }

    /// Ends a phase that has had no position for too long; the source is opened again after the interval.
    private func limit(_ phase: Interrupt, until end: Interrupt) {
        _ = DedicatedThread.start(takesSignals: false) { [self] in
            var rest: Duration? = pause(within: openTime)
            while let time = rest, end.wait(timeout: time) == .timeout {
                rest = state.withLock { state in
                    guard state.phase === phase else { return nil }
                    let limit = window(state)
                    // The demand may have changed to every position.
                    guard let awaited = state.awaited else { return pause(within: limit) }
                    let rest = limit - .nanoseconds(now() - awaited)
                    guard rest <= .zero else { return pause(within: rest) }
                    state.last = now()
                    state.failures += 1
                    state.pause = limit
                    phase.trigger()
                    return nil
                }
            }
        }
    }

    /// Begins the next plan; `nil` after a cancellation.
    private func begin() -> (Interrupt, Plan)? {
        state.withLock { state in
            guard !state.isCancelled else { return nil }
            let phase = Interrupt()
            state.phase = phase
            state.plan = plan(state)
            state.awaited = state.plan == .open && isForOne ? now() : nil
            return (phase, state.plan)
        }
    }

    /// Ends the plan if the demand requires another one.
    private func review() {
        state.withLock { state in
            if plan(state) != state.plan { state.phase?.trigger() }
            // The time for one position begins when only one is wanted.
            state.awaited = isForOne ? state.awaited ?? now() : nil
        }
    }

    private func plan(_ state: borrowing State) -> Plan {
        guard isOnDemand else { return .open }
        let demand = feed.demand
        guard demand.listeners > 0 else { return .closed(until: nil) }
        let interval = demand.interval
        guard interval >= Self.closingInterval, let last = state.last else { return .open }
        let pause = max(interval, state.pause).nanoseconds
        return now() - last < pause ? .closed(until: last + pause) : .open
    }
}
