#if Store
internal import Dispatch
public import Observation
public import Taffrail
public import TaffrailGeo
public import TaffrailLocationManager

/// Follows the positions of this device and has them saved: what a user interface shows.
///
/// Its properties change on the main actor, and are observed there. It asks for permission when it is made, and tracks as soon as it has it,
/// in the background too.
@MainActor @Observable
public final class LocationService {
    /// How positions get into the store.
    public enum Saving: Sendable, Hashable {
        /// This object saves each of them by its ``PersistenceService``.
        case direct
        /// The sink `location-store` of the program's pipeline does.
        case pipeline
    }

    /// The service of the program. It saves directly, unless the program has inputs, and so a pipeline.
    public static let shared = LocationService()

    /// The position that came last.
    public private(set) var current: Location?
    /// What the source allows.
    public private(set) var authorizationStatus: AuthorizationStatus
    /// Whether positions are followed.
    public private(set) var isTracking = false
    /// Whether positions are followed in the background too.
    public private(set) var isBackgroundLocationEnabled = false
    /// Whether significant changes are watched for.
    public private(set) var isSignificantLocationChangesEnabled = false
    /// How many positions this process has saved in the store since this object was made, directly or by the pipeline.
    public private(set) var saveCount = 0
    /// When a position was saved last.
    public private(set) var lastSaveTimestamp: Timestamp?

    /// Where positions come from.
    public nonisolated let manager: LocationManager
    /// What saves them.
    public nonisolated let persistence: PersistenceService

    @ObservationIgnored private var listener: LocationListener?
    @ObservationIgnored private var observation: StoreObservation?
    @ObservationIgnored private var observer: ApplicationObserver?
    @ObservationIgnored private let logger: Logger
    @ObservationIgnored private var isWanted = true

    /// Creates a service, and asks for permission where that is not known yet.
    ///
    /// - Parameters:
    ///   - manager: Where positions come from; only this object should start and stop it.
    ///   - saving: How they get into the store. Default: by the pipeline where the program has inputs.
    ///   - application: Tells of the background and the foreground.
    ///   - logger: Logs changes of what is allowed, as records with event name `geo.authorization`.
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
        // In the order in which they come: saved first, as the listener is called, then shown.
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
        if authorizationStatus == .notDetermined { requestAlwaysPermission() } else { settle() }
    }

    /// Asks for permission to have positions at any time; tracking begins when it is given.
    public func requestAlwaysPermission() {
        isWanted = true
        manager.requestAlwaysAuthorization()
        settle()
    }

    /// Follows positions.
    public func startTracking() {
        isWanted = true
        settle()
    }

    /// Follows positions no longer, nor significant changes.
    public func stopTracking() {
        isWanted = false
        manager.stopUpdatingLocation()
        manager.stopMonitoringSignificantLocationChanges()
        publishState()
    }

    /// Watches for changes of 500 m, in the background too.
    public func startMonitoringSignificantLocationChanges() {
        manager.startMonitoringSignificantLocationChanges()
        publishState()
    }

    /// Continues in the background: to be called when the program goes there. Calls of ``ApplicationState/enterBackground()`` do.
    public func handleAppDidEnterBackground() {
        manager.allowsBackgroundLocationUpdates = true
        manager.startMonitoringSignificantLocationChanges()
        publishState()
    }

    /// Goes back to following every position alone.
    public func handleAppWillEnterForeground() {
        manager.stopMonitoringSignificantLocationChanges()
        settle()
    }

    /// The positions from now on; any number of tasks may have a sequence of their own.
    public nonisolated var updates: AsyncCompactMapSequence<AsyncStream<LocationManagerEvent>, Location> {
        manager.locations
    }

    // MARK: What happens

    private func take(_ event: LocationManagerEvent) {
        switch event {
        case .location(let location): current = location
        case .authorization(let status):
            authorizationStatus = status
            logger.log(
                level: status == .denied || status == .restricted ? .warning : .info, event: "geo.authorization",
                ambient: true, "location authorization is \(Self.name(status))",
                ["taffrail.geo.authorization": .string(Self.name(status))])
            settle()
        default: break
        }
    }

    private func count(_ saved: TrackStore.Saved, _ time: Timestamp) {
        guard saved.inserted + saved.repeated > 0 else { return }
        saveCount += saved.inserted + saved.repeated
        lastSaveTimestamp = time
    }

    /// Follows positions where that is wanted and allowed.
    private func settle() {
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

    /// CoreLocation's name of a status.
    private static func name(_ status: AuthorizationStatus) -> String { "\(status)" }
}

/// Saves positions one after the other, on a queue of its own: a disk may take its time.
private final class Saver: Sendable {
    private let persistence: PersistenceService
    private let queue = DispatchQueue(label: "taffrail.location-service")

    init(_ persistence: PersistenceService) { self.persistence = persistence }

    func save(_ location: Location) {
        let persistence = persistence
        queue.async { persistence.save(trackPoint: location) }
    }
}

/// The time for which changes of an application's state are observed.
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
