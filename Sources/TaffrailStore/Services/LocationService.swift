#if Store
internal import Dispatch
public import Observation
public import Taffrail
public import TaffrailGeo
public import TaffrailLocationManager

/// Tracks the positions of this device and saves them, for display in a user interface.
///
/// Its properties change on the main actor, and are observed there. It requests authorization when it is created, and
/// starts tracking once it is granted, even in the background.
@MainActor @Observable
public final class LocationService {
    /// How positions reach the store.
    public enum Saving: Sendable, Hashable {
        /// This object saves each position with its ``PersistenceService``.
        case direct
        /// The sink `location-store` of the program's pipeline saves them.
        case pipeline
    }

    /// The shared service. It saves directly, unless the program has inputs and therefore a pipeline.
    public static let shared = LocationService()

    /// The most recent position.
    public private(set) var current: Location?
    /// The authorization by the source.
    public private(set) var authorizationStatus: AuthorizationStatus
    /// Whether positions are tracked.
    public private(set) var isTracking = false
    /// Whether positions are also tracked in the background.
    public private(set) var isBackgroundLocationEnabled = false
    /// Whether significant changes are monitored.
    public private(set) var isSignificantLocationChangesEnabled = false
    /// The number of positions that this process has saved since this object was created, directly or by the pipeline.
    public private(set) var saveCount = 0
    /// The time when a position was last saved.
    public private(set) var lastSaveTimestamp: Timestamp?

    /// The source of positions.
    public nonisolated let manager: LocationManager
    /// Saves the positions.
    public nonisolated let persistence: PersistenceService

    @ObservationIgnored private var listener: LocationListener?
    @ObservationIgnored private var observation: StoreObservation?
    @ObservationIgnored private var observer: ApplicationObserver?
    @ObservationIgnored private let logger: Logger
    @ObservationIgnored private var isWanted = true

    /// Creates a service, and requests authorization if it has not been determined.
    ///
    /// - Parameters:
    ///   - manager: The source of positions; only this object should start and stop it.
    ///   - persistence: Saves the positions.
    ///   - saving: The path of positions into the store. Default: by the pipeline if the program has inputs.
    ///   - application: Reports changes between background and foreground.
    ///   - logger: Logs authorization changes as records with event name `geo.authorization`.
    public init(
        manager: LocationManager = LocationManager(), persistence: PersistenceService = .shared,
        saving: Saving? = nil, application: ApplicationState = .shared, logger: Logger = Logger(GeoEvent.logger)
    ) {
        self.manager = manager
        self.persistence = persistence
        self.logger = logger
        authorizationStatus = manager.authorizationStatus
        let saver =
            saving ?? (LocationFeed.shared.hasInputs ? .pipeline : .direct) == .direct ? Saver(persistence) : nil
        // In order of arrival: each position is saved first, when the listener is called, and then shown.
        listener = manager.addImmediateListener { [weak self] event in
            if case .location(let location) = event { saver?.save(location) }
            Task { @MainActor in self?.take(event) }
        }
        observation = persistence.container.observe { [weak self] saved, time in
            Task { @MainActor in self?.count(saved, time) }
        }
        observer = ApplicationObserver(application) { [weak self] state in
            Task { @MainActor in
                if state == .background {
                    self?.handleAppDidEnterBackground()
                } else {
                    self?.handleAppWillEnterForeground()
                }
            }
        }
        if authorizationStatus == .notDetermined { requestAlwaysPermission() } else { updateState() }
    }

    /// Requests authorization to receive positions at any time; tracking starts when it is granted.
    public func requestAlwaysPermission() {
        isWanted = true
        manager.requestAlwaysAuthorization()
        updateState()
    }

    /// Starts tracking positions.
    public func startTracking() {
        isWanted = true
        updateState()
    }

    /// Stops tracking positions and monitoring significant changes.
    public func stopTracking() {
        isWanted = false
        manager.stopUpdatingLocation()
        manager.stopMonitoringSignificantLocationChanges()
        publishState()
    }

    /// Monitors changes of 500 m or more, even in the background.
    public func startMonitoringSignificantLocationChanges() {
        manager.startMonitoringSignificantLocationChanges()
        publishState()
    }

    /// Continues in the background, unless tracking has been stopped. Must be called when the program enters it;
    /// `ApplicationState.enterBackground()` does so.
    public func handleAppDidEnterBackground() {
        guard isWanted else { return }
        manager.allowsBackgroundLocationUpdates = authorizationStatus == .authorizedAlways
        manager.startMonitoringSignificantLocationChanges()
        publishState()
    }

    /// Returns to tracking every position only.
    public func handleAppWillEnterForeground() {
        manager.stopMonitoringSignificantLocationChanges()
        updateState()
    }

    /// All future positions; each task may have its own sequence.
    public nonisolated var updates: AsyncCompactMapSequence<AsyncStream<LocationManagerEvent>, Location> {
        manager.locations
    }

    // MARK: Events

    private func take(_ event: LocationManagerEvent) {
        switch event {
        case .location(let location): current = location
        case .authorization(let status):
            authorizationStatus = status
            logger.log(
                level: status == .denied || status == .restricted ? .warning : .info, event: "geo.authorization",
                ambient: true, "location authorization is \(status)",
                ["taffrail.geo.authorization": .string("\(status)")])
            updateState()
        default: break
        }
    }

    private func count(_ saved: TrackStore.Saved, _ time: Timestamp) {
        guard saved.inserted + saved.repeated > 0 else { return }
        saveCount += saved.inserted + saved.repeated
        lastSaveTimestamp = time
    }

    /// Tracks positions if requested and authorized.
    private func updateState() {
        authorizationStatus = manager.authorizationStatus
        let isAllowed = authorizationStatus == .authorizedAlways || authorizationStatus == .authorizedWhenInUse
        if isWanted && isAllowed {
            manager.allowsBackgroundLocationUpdates = authorizationStatus == .authorizedAlways
            manager.startUpdatingLocation()
        }
        publishState()
    }

    private func publishState() {
        isTracking = manager.isUpdatingLocation
        isBackgroundLocationEnabled = manager.allowsBackgroundLocationUpdates
        isSignificantLocationChangesEnabled = manager.isMonitoringSignificantLocationChanges
    }
}

/// Saves positions one by one, on a separate queue, because a disk may be slow.
private final class Saver: Sendable {
    private let persistence: PersistenceService
    private let queue = DispatchQueue(label: "taffrail.location-service")

    init(_ persistence: PersistenceService) { self.persistence = persistence }

    func save(_ location: Location) {
        let persistence = persistence
        queue.async { persistence.save(trackPoint: location) }
    }
}

/// An observation of an application's state, which ends with this object.
private final class ApplicationObserver: Sendable {
    private let application: ApplicationState
    private let number: Int

    init(_ application: ApplicationState, _ body: @escaping @Sendable (ApplicationState.State) -> Void) {
        self.application = application
        number = application.addObserver(body)
    }

    deinit { application.removeObserver(number) }
}
#endif
