public import Dispatch
internal import Synchronization
internal import Taffrail
public import TaffrailGeo

/// Positions in the shape of CoreLocation's `CLLocationManager`: a delegate, or any number of listeners and sequences.
///
/// What it is told, it tells on its queue, by default the main one: a program whose main thread does not run that (with
/// `dispatchMain()`, a run loop, or an asynchronous `main`) gives a queue of its own. Its methods may be called on any
/// thread. It stops when it is gone.
public final class LocationManager: Sendable {
    /// No distance filter: every fix is told.
    public static let distanceFilterNone = -1.0
    /// How far a significant change is, in metres.
    public static let significantDistance = 500.0

    let feed: LocationFeed
    private let source: LocationSource
    private let application: ApplicationState
    /// Where the delegate and the listeners are called.
    package let queue: DispatchQueue
    let state = Mutex(State())
    private let hold = Mutex(Hold())

    /// What lives as long as the manager does.
    private struct Hold {
        var subscription: LocationFeed.Subscription?
        var observer: Int?
        var run: SourceRun?
    }

    /// Makes a manager; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - source: Where positions come from.
    ///   - queue: Where the delegate and the listeners are called; must be serial. `nil`: the main queue.
    public convenience init(source: LocationSource = .standard, queue: DispatchQueue? = nil) {
        self.init(source: source, feed: source == .inputs ? .shared : LocationFeed(), queue: queue)
    }

    /// Makes a manager that listens to a feed of one's own, to which somebody else publishes.
    public convenience init(
        feed: LocationFeed, application: ApplicationState = .shared, queue: DispatchQueue? = nil
    ) {
        self.init(source: .inputs, feed: feed, application: application, queue: queue)
    }

    private init(
        source: LocationSource, feed: LocationFeed, application: ApplicationState = .shared, queue: DispatchQueue?
    ) {
        self.source = source
        self.feed = feed
        self.application = application
        self.queue = queue ?? .main
        let subscription = feed.subscribe(
            event: { [weak self] in self?.take($0) }, authorization: { [weak self] in self?.authorize($0) })
        let observer = application.addObserver { [weak self] _ in self?.settle() }
        hold.withLock { hold in
            hold.subscription = subscription
            hold.observer = observer
        }
    }

    deinit {
        if let observer = hold.withLock({ $0.observer }) { application.removeObserver(observer) }
    }

    // MARK: What is wanted

    /// Whom to tell; held weakly.
    public var delegate: (any LocationManagerDelegate)? {
        get { state.withLock { $0.delegate }.value }
        set {
            let reference = DelegateReference(value: newValue)
            let inbox = EventInbox(queue: queue) { [weak self] events in
                guard let self else { return }
                reference.value?.tell(events, of: self)
            }
            state.withLock { state in
                state.delegate = reference
                state.delegateInbox?.close()
                state.delegateInbox = reference.value == nil ? nil : inbox
            }
        }
    }

    /// How far one must move before the next fix is told, in metres. Default ``distanceFilterNone``.
    public var distanceFilter: Double {
        get { state.withLock { $0.distanceFilter } }
        set { state.withLock { $0.distanceFilter = newValue } }
    }

    /// How exact positions shall be, in metres or as ``LocationAccuracy`` has it: what a source may save power by. Default
    /// ``LocationAccuracy/best``.
    public var desiredAccuracy: Double {
        get { state.withLock { $0.desiredAccuracy } }
        set {
            state.withLock { $0.desiredAccuracy = newValue }
            settle()
        }
    }

    /// Whether updates go on while ``ApplicationState`` is in the background. Default `false`, as in CoreLocation; a
    /// program that never calls itself in the background need not care.
    public var allowsBackgroundLocationUpdates: Bool {
        get { state.withLock { $0.allowsBackground } }
        set {
            state.withLock { $0.allowsBackground = newValue }
            settle()
        }
    }

    /// When the crossing of a region is believed.
    public var regionRules: RegionRules {
        get { state.withLock { $0.regionRules } }
        set { state.withLock { $0.regionRules = newValue } }
    }

    /// What counts as a visit.
    public var visitRules: VisitRules {
        get { state.withLock { $0.visitRules } }
        set { state.withLock { $0.visitRules = newValue } }
    }

    /// How long ``requestLocation()`` waits for a fix that is exact enough. Default 10 s.
    public var requestTimeout: Duration {
        get { state.withLock { $0.requestTimeout } }
        set { state.withLock { $0.requestTimeout = newValue } }
    }

    /// The position that came last; `nil` before the first.
    public var location: Location? { feed.latest }

    /// What the source allows: `notDetermined` until it has been opened, `denied` when it refused.
    public var authorizationStatus: AuthorizationStatus { feed.authorization }

    /// Opens the source until it is known what it allows, which is then told. Does nothing where that is known.
    public func requestWhenInUseAuthorization() {
        guard feed.authorization == .notDetermined else { return }
        state.withLock { $0.isAsking = true }
        settle()
    }

    /// The same: no source on Linux makes a difference between the two.
    public func requestAlwaysAuthorization() { requestWhenInUseAuthorization() }

    /// Tells every fix from now on that the distance filter lets through. A second call does nothing.
    public func startUpdatingLocation() {
        let isDenied = feed.authorization == .denied
        state.withLock { state in
            guard !state.isUpdating else { return }
            state.isUpdating = true
            state.movement = MovementFilter()
            if isDenied { state.tell(.error(.denied("the source refuses access"))) }
        }
        settle()
    }

    /// Tells no more fixes.
    public func stopUpdatingLocation() {
        state.withLock { state in
            state.isUpdating = false
            state.isAsking = false
            state.request = nil
        }
        settle()
    }

    /// Tells one fix: the first that is exact enough (``desiredAccuracy``; 10 m for the best, and any of unknown
    /// accuracy), or after ``requestTimeout`` the best there was, or an error if there was none.
    ///
    /// Does nothing while updates are told anyway.
    public func requestLocation() {
        let number: Int? = state.withLock { state in
            guard !state.isUpdating, state.request == nil else { return nil }
            state.requests += 1
            state.request = LocationRequest(number: state.requests)
            return state.requests
        }
        guard let number else { return }
        settle()
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(requestTimeout.nanoseconds))) {
            [weak self] in
            self?.endRequest(number)
        }
    }

    /// Tells a fix at once and then one whenever it is 500 m from the last one told, in the background too.
    public func startMonitoringSignificantLocationChanges() { change { $0.significant = MovementFilter() } }

    /// Tells no more of these.
    public func stopMonitoringSignificantLocationChanges() { change { $0.significant = nil } }

    /// Tells arrivals and departures, in the background too.
    public func startMonitoringVisits() { change { $0.visits = $0.visits ?? VisitWatch() } }

    /// Tells no more of these.
    public func stopMonitoringVisits() { change { $0.visits = nil } }

    /// Tells when a region is entered or left, in the background too. One with the same identifier is replaced.
    public func startMonitoring(for region: CircularRegion) {
        change { state in
            state.regions[region.identifier] = RegionWatch(region)
            state.tell(.monitoringStarted(region))
        }
    }

    /// Tells no more of the region with the same identifier.
    public func stopMonitoring(for region: CircularRegion) { change { $0.regions[region.identifier] = nil } }

    /// The regions that are watched.
    public var monitoredRegions: Set<CircularRegion> { state.withLock { Set($0.regions.values.map(\.region)) } }

    /// Tells on which side of a watched region's edge one is, as far as that is known.
    public func requestState(for region: CircularRegion) {
        state.withLock { state in
            state.tell(.determined(state.regions[region.identifier]?.state ?? .unknown, region))
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        settle()
    }

    // MARK: What happens

    private func take(_ event: GeoEvent) {
        let isInBackground = application.current == .background
        let status = feed.authorization
        let isDone = state.withLock { state in
            let wasAsking = state.request != nil
            switch event {
            case .location(let location):
                state.take(location, isInBackground: isInBackground, status: status)
            case .error(let error): if state.isUpdating && state.mayUpdate(isInBackground) { state.tell(.error(error)) }
            case .log: break
            }
            return wasAsking && state.request == nil
        }
        if isDone { settle() }
    }

    private func authorize(_ status: AuthorizationStatus) {
        state.withLock { state in
            state.isAsking = false
            state.tell(.authorization(status))
            if status == .denied && (state.isUpdating || state.request != nil) {
                state.request = nil
                state.tell(.error(.denied("the source refuses access")))
            }
        }
        settle()
    }

    private func endRequest(_ number: Int) {
        state.withLock { state in
            guard let request = state.request, request.number == number else { return }
            state.request = nil
            state.tell(request.best.map { .location($0) } ?? .error(.locationUnknown("no fix in time")))
        }
        settle()
    }

    /// Opens or closes the source, as the listeners want it, and says how exact it should be.
    private func settle() {
        while true {
            let need = state.withLock { $0.need(isInBackground: application.current == .background) }
            let subscription = hold.withLock { hold in
                if need == nil {
                    hold.run = nil
                } else if hold.run == nil && source != .inputs {
                    hold.run = SourceRun(source, feed: feed)
                }
                return hold.subscription
            }
            if let subscription { feed.setAccuracy(need, for: subscription) }
            // Who changed it meanwhile may have been overtaken.
            if need == state.withLock({ $0.need(isInBackground: application.current == .background) }) { return }
        }
    }
}

/// A delegate, called on the manager's queue alone.
struct DelegateReference: @unchecked Sendable {
    weak var value: (any LocationManagerDelegate)?
}
