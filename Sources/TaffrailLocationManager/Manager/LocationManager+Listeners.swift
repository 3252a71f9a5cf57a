public import Dispatch
internal import Synchronization
public import TaffrailGeo

extension LocationManager {
    /// Calls a closure for every event, beside the delegate and other listeners, until the result is gone.
    ///
    /// - Parameter queue: Where; must be serial. `nil`: the manager's.
    public func addListener(
        queue: DispatchQueue? = nil, _ body: @escaping @Sendable (LocationManagerEvent) -> Void
    ) -> LocationListener {
        let inbox = EventInbox(queue: queue ?? self.queue) { events in for event in events { body(event) } }
        return listen(inbox.put) { inbox.close() }
    }

    /// Calls a closure on the thread on which an event comes, which must be quick and not call the manager.
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

    /// All events from now on. Any number of tasks may have a sequence of their own; who is slow misses the oldest
    /// of more than 1000. It starts no updates.
    public var events: AsyncStream<LocationManagerEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LocationManagerEvent.self, bufferingPolicy: .bufferingNewest(1_000))
        let listener = addImmediateListener { continuation.yield($0) }
        continuation.onTermination = { _ in listener.cancel() }
        return stream
    }

    /// All positions from now on, see ``events``.
    public var locations: AsyncCompactMapSequence<AsyncStream<LocationManagerEvent>, Location> {
        events.compactMap(\.location)
    }
}

/// A listener's place at a ``LocationManager``; it hears nothing more once this is gone.
public final class LocationListener: Sendable {
    private let end: @Sendable () -> Void

    fileprivate init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    /// Hears nothing more from now on.
    public func cancel() { end() }

    deinit { end() }
}
