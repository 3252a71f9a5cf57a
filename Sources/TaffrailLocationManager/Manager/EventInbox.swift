internal import Dispatch
internal import Taffrail

/// Accepts events on any thread and passes them on in order on a queue, in batches if they arrive faster than the queue
/// runs.
final class EventInbox: Sendable {
    private struct State {
        var events: [LocationManagerEvent] = []
        var isScheduled = false
        var isClosed = false
    }

    /// The maximum number of pending events for a queue that does not run; beyond it, the oldest are dropped.
    static let limit = 10_000

    private let queue: DispatchQueue
    private let deliver: @Sendable ([LocationManagerEvent]) -> Void
    private let state = Locked(State())

    init(queue: DispatchQueue, deliver: @escaping @Sendable ([LocationManagerEvent]) -> Void) {
        self.queue = queue
        self.deliver = deliver
    }

    func put(_ event: LocationManagerEvent) {
        let schedules = state.withLock { state in
            guard !state.isClosed else { return false }
            if state.events.count >= Self.limit { state.events.removeFirst(Self.limit / 10) }
            state.events.append(event)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if schedules { queue.async { self.run() } }
    }

    /// Stops passing events on.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.events = []
        }
    }

    private func run() {
        let events = state.withLock { state in
            state.isScheduled = false
            defer { state.events = [] }
            return state.events
        }
        if !events.isEmpty { deliver(events) }
    }
}
