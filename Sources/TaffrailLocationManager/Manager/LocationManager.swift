public import Dispatch
internal import Taffrail
public import TaffrailGeo

/// Positions with the API of CoreLocation's `CLLocationManager`: a delegate, and any number of listeners and sequences.
///
/// Events are reported on its queue, by default the main queue. A program whose main thread does not run the main queue
/// (with `dispatchMain()`, a run loop, or an asynchronous `main`) must pass another queue. Any thread may call its
/// methods. The manager stops when it is released.
public final class LocationManager: Sendable {
    /// No distance filter: every fix is reported.
    public static let distanceFilterNone = -1.0
    /// The distance of a significant change, in metres.
    public static let significantDistance = 500.0
    private static let refusal = LocationManagerEvent.error(.denied("the source refused access"))

    let feed: LocationFeed
    private let receiver: SourceRun.Receiver?
    private let application: ApplicationState
    /// The queue on which the delegate and the listeners are called.
    package let queue: DispatchQueue
    let state = Locked(State())
    private let hold = Locked(Hold())

    /// Registrations kept until the manager is freed.
    private struct Hold {
        var subscription: LocationFeed.Subscription?
        var observer: Int?
        var run: SourceRun?
    }

    /// Creates a manager without opening anything.
    ///
    /// - Parameters:
    ///   - source: The source of positions.
    ///   - queue: A serial queue for the delegate and the listeners. `nil`: the main queue.
    public convenience init(source: LocationSource = .standard, queue: DispatchQueue? = nil) {
        let receiver = SourceRun.Receiver(source)
        self.init(receiver, feed: receiver == nil ? .shared : LocationFeed(), queue: queue)
    }

    /// Creates a manager with a separate connection to a gpsd.
    package convenience init(gpsd options: GPSDOptions, queue: DispatchQueue? = nil) {
        self.init(.gpsd(options), feed: LocationFeed(), queue: queue)
    }

    /// Creates a manager that listens to a given feed.
    public convenience init(
        feed: LocationFeed, application: ApplicationState = .shared, queue: DispatchQueue? = nil
    ) {
        self.init(nil, feed: feed, application: application, queue: queue)
    }

    private init(
        _ receiver: SourceRun.Receiver?, feed: LocationFeed, application: ApplicationState = .shared,
        queue: DispatchQueue?
    ) {
        self.receiver = receiver
        self.feed = feed
        self.application = application
        self.queue = queue ?? .main
        let subscription = feed.subscribe(
            event: { [weak self] in self?.take($0) }, authorization: { [weak self] in self?.authorize($0) })
        let observer = application.addObserver { [weak self] _ in self?.updateSource() }
        hold.withLock { hold in
            hold.subscription = subscription
            hold.observer = observer
        }
    }

    deinit {
        if let observer = hold.withLock({ $0.observer }) { application.removeObserver(observer) }
    }

    // MARK: Settings

    /// The delegate, held weakly.
    public var delegate: (any LocationManagerDelegate)? {
        get { state.withLock { $0.delegate }.value }
        set {
            let reference = DelegateReference(value: newValue)
            let inbox = EventInbox(queue: queue) { [weak self] events in
                guard let self else { return }
                reference.value?.report(events, of: self)
            }
            state.withLock { state in
                state.delegate = reference
                state.delegateInbox?.close()
                state.delegateInbox = reference.value == nil ? nil : inbox
            }
        }
    }

    /// The minimum distance between reported fixes, in metres. Default ``distanceFilterNone``.
    public var distanceFilter: Double {
        get { state.withLock { $0.distanceFilter } }
        set { state.withLock { $0.distanceFilter = newValue } }
    }

    /// The desired accuracy, in metres or as in ``LocationAccuracy``, which lets a source save power. Default
    /// ``LocationAccuracy/best``.
    public var desiredAccuracy: Double {
        get { state.withLock { $0.desiredAccuracy } }
        set {
            state.withLock { $0.desiredAccuracy = newValue }
            updateSource()
        }
    }

    /// Whether updates continue while ``ApplicationState`` is in the background. Default `false`, as in CoreLocation;
    /// irrelevant for a program that never enters the background.
    public var allowsBackgroundLocationUpdates: Bool {
        get { state.withLock { $0.allowsBackground } }
        set {
            state.withLock { $0.allowsBackground = newValue }
            updateSource()
        }
    }

    /// The rules for crossings of regions.
    public var regionRules: RegionRules {
        get { state.withLock { $0.regionRules } }
        set { state.withLock { $0.regionRules = newValue } }
    }

    /// The limits that define a visit.
    public var visitRules: VisitRules {
        get { state.withLock { $0.visitRules } }
        set { state.withLock { $0.visitRules = newValue } }
    }

    /// How long ``requestLocation()`` waits for a sufficiently accurate fix. Default 10 s.
    public var requestTimeout: Duration {
        get { state.withLock { $0.requestTimeout } }
        set { state.withLock { $0.requestTimeout = newValue } }
    }

    /// The latest position; `nil` before the first.
    public var location: Location? { feed.latest }

    /// The authorization: `notDetermined` until the source has been opened, `denied` when it refused access.
    public var authorizationStatus: AuthorizationStatus { feed.authorization }

    /// Opens the source until the authorization is known and reported. Does nothing if it is already known.
    public func requestWhenInUseAuthorization() {
        guard feed.authorization == .notDetermined else { return }
        state.withLock { $0.isAsking = true }
        updateSource()
    }

    /// Opens the source in the same way: no source on Linux distinguishes the two.
    public func requestAlwaysAuthorization() { requestWhenInUseAuthorization() }

    /// Starts reporting every fix that passes the distance filter. A second call does nothing.
    public func startUpdatingLocation() {
        let isDenied = feed.authorization == .denied
        state.withLock { state in
            guard !state.isUpdating else { return }
            state.isUpdating = true
            state.movement = MovementFilter()
            if isDenied { state.report(Self.refusal) }
        }
        updateSource()
    }

    /// Whether updates have been started and not stopped.
    public var isUpdatingLocation: Bool { state.withLock { $0.isUpdating } }

    /// Stops reporting fixes.
    public func stopUpdatingLocation() {
        state.withLock { state in
            state.isUpdating = false
            state.isAsking = false
            state.request = nil
        }
        updateSource()
    }

    /// Reports one fix: the first that is accurate enough (``desiredAccuracy``; for the best accuracy, 10 m; a fix of
    /// unknown accuracy always is) or, after ``requestTimeout``, the best one received, or an error without any fix.
    ///
    /// Does nothing while updates are being reported.
    public func requestLocation() {
        let number: Int? = state.withLock { state in
            guard !state.isUpdating, state.request == nil else { return nil }
            state.requests += 1
            state.request = LocationRequest(number: state.requests)
            return state.requests
        }
        guard let number else { return }
        updateSource()
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(requestTimeout.nanoseconds))) {
            [weak self] in
            self?.endRequest(number)
        }
    }

    /// Reports a fix at once, and then each fix that is 500 m from the last one reported, in the background too.
    public func startMonitoringSignificantLocationChanges() { change { $0.significant = MovementFilter() } }

    /// Stops reporting significant changes.
    public func stopMonitoringSignificantLocationChanges() { change { $0.significant = nil } }

    /// Whether significant changes are monitored.
    public var isMonitoringSignificantLocationChanges: Bool { state.withLock { $0.significant != nil } }

    /// Reports arrivals and departures, in the background too.
    public func startMonitoringVisits() { change { $0.visits = $0.visits ?? VisitWatch() } }

    /// Stops reporting visits.
    public func stopMonitoringVisits() { change { $0.visits = nil } }

    /// Reports entries to and exits from a region, in the background too. Replaces a region with the same identifier.
    public func startMonitoring(for region: CircularRegion) {
        change { state in
            state.regions[region.identifier] = RegionWatch(region)
            state.report(.monitoringStarted(region))
        }
    }

    /// Stops monitoring the region with the same identifier.
    public func stopMonitoring(for region: CircularRegion) { change { $0.regions[region.identifier] = nil } }

    /// The monitored regions.
    public var monitoredRegions: Set<CircularRegion> { state.withLock { Set($0.regions.values.map(\.region)) } }

    /// Reports the position relative to a monitored region, if known.
    public func requestState(for region: CircularRegion) {
        state.withLock { state in
            state.report(.determined(state.regions[region.identifier]?.state ?? .unknown, region))
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        updateSource()
    }

    // MARK: Events

    private func take(_ event: GeoEvent) {
        let isInBackground = application.current == .background
        let status = feed.authorization
        let isDone = state.withLock { state in
            let wasAsking = state.request != nil
            switch event {
            case .location(let location):
                state.take(location, isInBackground: isInBackground, status: status)
            case .error(let error):
                if state.isUpdating && state.mayUpdate(isInBackground) { state.report(.error(error)) }
            case .log: break
            }
            return wasAsking && state.request == nil
        }
        if isDone { updateSource() }
    }

    private func authorize(_ status: AuthorizationStatus) {
        state.withLock { state in
            state.isAsking = false
            state.report(.authorization(status))
            if status == .denied && (state.isUpdating || state.request != nil) {
                state.request = nil
                state.report(Self.refusal)
            }
        }
        updateSource()
    }

    func endRequest(_ number: Int) {
        state.withLock { state in
            guard let request = state.request, request.number == number else { return }
            state.request = nil
            state.report(request.best.map { .location($0) } ?? .error(.locationUnknown("no fix in time")))
        }
        updateSource()
    }

    /// Opens or closes the source as the listeners require, and sets its accuracy.
    private func updateSource() {
        while true {
            let need = state.withLock { $0.need(isInBackground: application.current == .background) }
            let subscription = hold.withLock { hold in
                if need == nil {
                    hold.run = nil
                } else if hold.run == nil, let receiver {
                    hold.run = SourceRun(receiver, feed: feed)
                }
                return hold.subscription
            }
            if let subscription { feed.setAccuracy(need, for: subscription) }
            // Another thread may have changed the demand since.
            if need == state.withLock({ $0.need(isInBackground: application.current == .background) }) { return }
        }
    }
}
