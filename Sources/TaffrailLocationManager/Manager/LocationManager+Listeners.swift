public import Dispatch
internal import Taffrail
public import TaffrailGeo

extension LocationManager {
    /// Calls a closure for every event, in addition to the delegate and other listeners, until the result is released.
    ///
    /// - Parameters:
    ///   - queue: A serial queue. `nil`: the manager's queue.
    ///   - body: Called with each event.
    public func addListener(
        queue: DispatchQueue? = nil, _ body: @escaping @Sendable (LocationManagerEvent) -> Void
    ) -> LocationListener {
        let inbox = EventInbox(queue: queue ?? self.queue) { events in for event in events { body(event) } }
        return listen(inbox.put) { inbox.close() }
    }

    /// Calls a closure on the thread of the event. The closure must return quickly and must not call the manager.
    package func addImmediateListener(
        _ body: @escaping @Sendable (LocationManagerEvent) -> Void
    ) -> LocationListener {
        listen(body) {}
    }

    private func listen(
        _ body: @escaping @Sendable (LocationManagerEvent) -> Void, end: @escaping @Sendable () -> Void
    ) -> LocationListener {
        let id = state.withLock { $0.add(body) }
        return LocationListener { [weak self] in
            self?.state.withLock { $0.listeners[id] = nil }
            end()
        }
    }

    /// All future events. Any number of tasks may each have a sequence; if more than 1000 events are pending for a slow
    /// task, it misses the oldest. Does not start updates.
    public var events: AsyncStream<LocationManagerEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LocationManagerEvent.self, bufferingPolicy: .bufferingNewest(1_000))
        let listener = addImmediateListener { continuation.yield($0) }
        continuation.onTermination = { _ in listener.cancel() }
        return stream
    }

    /// All future positions; see ``events``.
    public var locations: AsyncCompactMapSequence<AsyncStream<LocationManagerEvent>, Location> {
        events.compactMap(\.location)
    }
}
