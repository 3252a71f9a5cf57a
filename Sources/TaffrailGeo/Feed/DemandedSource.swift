internal import Synchronization
internal import Taffrail
package import TaffrailTransport

/// Opens a source of positions while listeners of a feed want some, and passes on as many as they want.
///
/// Where no listener wants more than a position each 30 s, the source is closed after each. Any thread may call.
package final class DemandedSource: Sendable {
    /// The interval from which on the source is closed between two positions, in nanoseconds.
    static let closingInterval: Int64 = 30_000_000_000

    /// What the source does.
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
        /// When the last position passed.
        var last: Int64?
    }

    private let feed: LocationFeed
    private let isOnDemand: Bool
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())

    /// Creates a closed source.
    ///
    /// - Parameters:
    ///   - isOnDemand: Whether the demand counts; otherwise it is always open, and all positions pass.
    ///   - now: The monotonic clock, in nanoseconds.
    package init(
        _ feed: LocationFeed, isOnDemand: Bool,
        now: @escaping @Sendable () -> Int64 = { SystemClock.monotonicNanoseconds() }
    ) {
        self.feed = feed
        self.isOnDemand = isOnDemand
        self.now = now
    }

    /// Runs the source on a thread of its own, whenever it is to be open, until the task is cancelled or it ends by itself.
    ///
    /// - Parameter make: Makes on that thread what runs the source until the interrupt is triggered.
    package func run(_ make: @escaping @Sendable () -> (Interrupt) -> Void) async {
        let subscription = feed.subscribe(demand: { [weak self] _ in self?.review() })
        await withTaskCancellationHandler {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                let whole: @Sendable () -> Void = {
                    self.loop(make())
                    done.resume()
                }
                // Without another thread, use this one.
                if !DedicatedThread.start(whole) { whole() }
            }
        } onCancel: {
            state.withLock { state in
                state.isCancelled = true
                state.phase?.trigger()
            }
        }
        withExtendedLifetime(subscription) {}
    }

    /// Whether an event is to be passed on. Errors always are.
    package func admits(_ event: GeoEvent) -> Bool {
        guard isOnDemand, event.location != nil else { return true }
        return state.withLock { state in
            let demand = feed.demand
            guard demand.listeners > 0 else { return false }
            let (time, interval) = (now(), demand.interval.nanoseconds)
            // Receivers are not exact: a position that is a tenth early is the one that was wanted.
            if let last = state.last, time - last < interval - interval / 10 { return false }
            state.last = time
            if interval >= Self.closingInterval { state.phase?.trigger() }
            return true
        }
    }

    private func loop(_ body: (Interrupt) -> Void) {
        while let (phase, plan) = begin() {
            switch plan {
            case .closed(let time): _ = phase.wait(nanoseconds: time.map { $0 - now() })
            case .open:
                body(phase)
                // It has ended by itself.
                guard phase.isTriggered else { return }
            }
        }
    }

    /// Begins the next plan; `nil` after a cancellation.
    private func begin() -> (Interrupt, Plan)? {
        state.withLock { state in
            guard !state.isCancelled else { return nil }
            let phase = Interrupt()
            state.phase = phase
            state.plan = plan(state.last)
            return (phase, state.plan)
        }
    }

    /// Ends the plan if another is due.
    private func review() {
        state.withLock { state in if plan(state.last) != state.plan { state.phase?.trigger() } }
    }

    private func plan(_ last: Int64?) -> Plan {
        guard isOnDemand else { return .open }
        let demand = feed.demand
        guard demand.listeners > 0 else { return .closed(until: nil) }
        let interval = demand.interval.nanoseconds
        guard interval >= Self.closingInterval, let last, now() - last < interval else { return .open }
        return .closed(until: last + interval)
    }
}
