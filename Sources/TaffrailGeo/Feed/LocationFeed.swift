internal import Taffrail

/// Connects the sources of positions of a program with their listeners, in addition to the pipeline.
///
/// Inputs publish what they log; a `LocationManager` listens. Any thread may call.
public final class LocationFeed: Sendable {
    /// The feed of the program.
    public static let shared = LocationFeed()

    /// The demand of listeners, for sources that can adapt.
    public struct Demand: Sendable, Hashable {
        /// The number of listeners that want positions.
        public var listeners = 0
        /// The best accuracy that any of them wants, in metres; negative: the best possible.
        public var accuracy = 3_000.0
        /// The shortest interval between two positions that any of them wants; 0: every position.
        public var interval = Duration.days(1)
        /// The shortest distance between two positions that any of them wants, in metres; 0: every position.
        public var distance = 100_000.0

        /// No listeners.
        public init() {}
    }

    /// The registration of a listener, which ends when this object is released.
    public final class Subscription: Sendable {
        fileprivate let id: UInt64
        private let feed: LocationFeed

        fileprivate init(id: UInt64, feed: LocationFeed) {
            self.id = id
            self.feed = feed
        }

        deinit { feed.remove(id) }
    }

    private struct Listener: Sendable {
        var event: (@Sendable (GeoEvent) -> Void)?
        var authorization: (@Sendable (AuthorizationStatus) -> Void)?
        var demand: (@Sendable (Demand) -> Void)?
        var accuracy: Double?
        var interval = Duration.zero
        var distance = 0.0
    }

    private struct State {
        var nextID: UInt64 = 0
        var listeners: [UInt64: Listener] = [:]
        /// The best of all sources.
        var authorization = AuthorizationStatus.notDetermined
        var authorizations: [String: AuthorizationStatus] = [:]
        var latest: Location?
        var positions: UInt64 = 0
        var hasInputs = false

        var sorted: [Listener] { listeners.sorted { $0.key < $1.key }.map(\.value) }

        var demand: Demand {
            var demand = Demand()
            for listener in listeners.values {
                guard let accuracy = listener.accuracy else { continue }
                demand.listeners += 1
                demand.accuracy = min(demand.accuracy, accuracy)
                demand.interval = min(demand.interval, listener.interval)
                demand.distance = min(demand.distance, listener.distance)
            }
            return demand
        }
    }

    private let state = Locked(State())

    /// Creates a separate feed, for tests.
    public init() {}

    /// The position published last.
    public var latest: Location? { state.withLock { $0.latest } }

    /// How many positions have been published.
    public var positions: UInt64 { state.withLock { $0.positions } }

    /// The authorization of the sources: the best one, so that a source that refuses access does not hide the positions
    /// of another.
    public var authorization: AuthorizationStatus { state.withLock { $0.authorization } }

    /// Whether an input that publishes here has been created.
    public var hasInputs: Bool { state.withLock { $0.hasInputs } }

    /// Records that an input that will publish here has been created.
    public func attachInput() { state.withLock { $0.hasInputs = true } }

    /// Publishes the authorization of a source. Inputs call this after opening their source or being refused.
    ///
    /// - Parameters:
    ///   - status: The authorization.
    ///   - source: The name of the source. Default: the source without a name.
    public func setAuthorization(_ status: AuthorizationStatus, of source: String = "") {
        let (best, listeners) = state.withLock { state in
            state.authorizations[source] = status
            let best = state.authorizations.values.max { $0.rank < $1.rank } ?? status
            guard state.authorization != best else { return (best, [Listener]()) }
            state.authorization = best
            return (best, state.sorted)
        }
        for listener in listeners { listener.authorization?(best) }
    }

    /// Removes the authorization of a source that has ended. The combined authorization changes only when another source
    /// changes.
    package func forgetAuthorization(of source: String) { state.withLock { $0.authorizations[source] = nil } }

    /// Passes an event to all listeners, in the order of registration, on the caller's thread.
    public func publish(_ event: GeoEvent) {
        let listeners = state.withLock { state in
            if let location = event.location {
                state.latest = location
                state.positions &+= 1
            }
            return state.listeners.isEmpty ? [] : state.sorted
        }
        for listener in listeners { listener.event?(event) }
    }

    /// Listens until the result is released. The closures are called on the publishing thread, and must return quickly.
    ///
    /// - Parameters:
    ///   - accuracy: The wanted accuracy in metres; `nil` if no positions are wanted now.
    ///   - interval: The wanted interval between two positions. Default: every position. A source may deliver more often.
    ///   - event: Called with each event.
    ///   - authorization: Called with each change of the authorization.
    ///   - demand: Called when the demand changes.
    public func subscribe(
        accuracy: Double? = nil, interval: Duration = .zero, event: (@Sendable (GeoEvent) -> Void)? = nil,
        authorization: (@Sendable (AuthorizationStatus) -> Void)? = nil, demand: (@Sendable (Demand) -> Void)? = nil
    ) -> Subscription {
        let id = state.withLock { state in
            state.nextID += 1
            state.listeners[state.nextID] = Listener(
                event: event, authorization: authorization, demand: demand, accuracy: accuracy, interval: interval)
            return state.nextID
        }
        if accuracy != nil { reportDemand() }
        return Subscription(id: id, feed: self)
    }

    /// Changes the wanted accuracy of a listener.
    package func setAccuracy(_ accuracy: Double?, for subscription: Subscription) {
        setDemand(accuracy: accuracy, interval: nil, for: subscription)
    }

    /// Changes the wanted accuracy of a listener and, unless they are `nil`, the interval and the distance.
    package func setDemand(
        accuracy: Double?, interval: Duration?, distance: Double? = nil, for subscription: Subscription
    ) {
        let isChanged = state.withLock { state in
            guard var listener = state.listeners[subscription.id] else { return false }
            let old = (listener.accuracy, listener.interval, listener.distance)
            listener.accuracy = accuracy
            listener.interval = interval ?? listener.interval
            listener.distance = distance ?? listener.distance
            state.listeners[subscription.id] = listener
            return old != (listener.accuracy, listener.interval, listener.distance)
        }
        if isChanged { reportDemand() }
    }

    /// The combined demand of all listeners.
    public var demand: Demand { state.withLock { $0.demand } }

    private func remove(_ id: UInt64) {
        let removed = state.withLock { $0.listeners.removeValue(forKey: id) }
        if removed?.accuracy != nil { reportDemand() }
    }

    private func reportDemand() {
        let (demand, listeners) = state.withLock { ($0.demand, $0.sorted) }
        for listener in listeners { listener.demand?(demand) }
    }
}
