public import Dispatch
internal import Synchronization
public import TaffrailGeo
public import TaffrailLocationManager

/// A receiver that does what a test says, and a ``LocationManager`` that listens to it: no GPS is needed.
///
/// Any thread.
public final class MockLocationManager: Sendable {
    /// The manager to test with, such as `GeoLogger(configuration: …, locationManager: mock.manager)`.
    public let manager: LocationManager
    /// Whether the program is in the background, for this manager alone.
    public let application: ApplicationState
    /// The feed that the manager listens to.
    public let feed: LocationFeed

    private struct State {
        var grants: AuthorizationStatus
        var demand = LocationFeed.Demand()
        var subscription: LocationFeed.Subscription?
    }

    private let state: Mutex<State>

    /// Makes a manager whose source has not been opened yet.
    ///
    /// - Parameters:
    ///   - grants: What the source will allow when it is opened: the first time that anybody wants positions.
    ///   - queue: Where the manager calls its delegate. `nil`: the main queue.
    public init(grants: AuthorizationStatus = .authorizedAlways, queue: DispatchQueue? = nil) {
        let feed = LocationFeed()
        let application = ApplicationState()
        self.feed = feed
        self.application = application
        manager = LocationManager(feed: feed, application: application, queue: queue)
        state = Mutex(State(grants: grants))
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

    /// Receives fixes.
    public func send(_ locations: Location...) { for location in locations { feed.publish(.location(location)) } }

    /// Receives an error.
    public func fail(_ error: GeoError = .locationUnknown()) { feed.publish(.error(error)) }

    /// Changes what the source allows.
    public func authorize(_ status: AuthorizationStatus) {
        state.withLock { $0.grants = status }
        feed.setAuthorization(status)
    }

    /// Whether anybody wants positions now.
    public var isRunning: Bool { state.withLock { $0.demand.listeners > 0 } }
    /// How exact positions are wanted, in metres or as ``LocationAccuracy`` has it; `nil`: none are.
    public var wantedAccuracy: Double? { state.withLock { $0.demand.listeners > 0 ? $0.demand.accuracy : nil } }
}
