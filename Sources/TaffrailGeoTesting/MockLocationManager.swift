public import Dispatch
internal import Taffrail
public import TaffrailGeo
public import TaffrailLocationManager

/// A receiver controlled by a test, and a `LocationManager` that listens to it. Needs no GPS.
///
/// Any thread may call.
public final class MockLocationManager: Sendable {
    /// The manager to test with, such as `GeoLogger(configuration: …, locationManager: mock.manager)`.
    public let manager: LocationManager
    /// Whether the program is in the background, for this manager only.
    public let application: ApplicationState
    /// The feed that the manager listens to.
    public let feed: LocationFeed

    private struct State {
        var grants: AuthorizationStatus
        var demand = LocationFeed.Demand()
        var subscription: LocationFeed.Subscription?
    }

    private let state: Locked<State>

    /// Creates a manager whose source has not been opened yet.
    ///
    /// - Parameters:
    ///   - grants: The authorization when the source is opened, which is when positions are first requested.
    ///   - queue: The queue of delegate calls. `nil`: the main queue.
    public init(grants: AuthorizationStatus = .authorizedAlways, queue: DispatchQueue? = nil) {
        let feed = LocationFeed()
        let application = ApplicationState()
        self.feed = feed
        self.application = application
        manager = LocationManager(feed: feed, application: application, queue: queue)
        state = Locked(State(grants: grants))
        let subscription = feed.subscribe(demand: { [weak self] in self?.take($0) })
        state.withLock { $0.subscription = subscription }
    }

    private func take(_ demand: LocationFeed.Demand) {
        let grants = state.withLock { state in
            state.demand = demand
            return state.grants
        }
        if demand.listeners > 0 && feed.authorization == .notDetermined { feed.setAuthorization(grants) }
    }

    /// Simulates fixes.
    public func send(_ locations: Location...) { for location in locations { feed.publish(.location(location)) } }

    /// Simulates an error.
    public func fail(_ error: GeoError = .locationUnknown()) { feed.publish(.error(error)) }

    /// Changes the authorization.
    public func authorize(_ status: AuthorizationStatus) {
        state.withLock { $0.grants = status }
        feed.setAuthorization(status)
    }

    /// Whether positions are requested now.
    public var isRunning: Bool { state.withLock { $0.demand.listeners > 0 } }
    /// The requested accuracy, in metres or as in `LocationAccuracy`; `nil`: none.
    public var wantedAccuracy: Double? { state.withLock { $0.demand.listeners > 0 ? $0.demand.accuracy : nil } }
}
