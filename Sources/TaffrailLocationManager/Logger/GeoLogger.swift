internal import Dispatch
internal import Taffrail
public import TaffrailGeo
internal import TaffrailRecording

/// Replaces `CLLocationManager`, and records its positions or replays recorded ones.
///
/// Any thread may call its methods; the delegate is called on the main thread, whose queue must run (`dispatchMain()`,
/// a run loop, or an asynchronous `main`). Recording uses a separate queue. It stops when the logger is released.
public final class GeoLogger: Sendable {
    private struct State {
        var configuration: GeoLoggerConfiguration
        var delegate = Reference()
        var isRunning = false
        var recorder: EventRecorder?
        var recording: LocationListener?
        var listener: LocationListener?
        var replay: LoggerReplay?
        /// Whether authorization for a replay, which is always granted, has been requested.
        var isGranted = false

        /// Whether positions come from a recording. After a damaged recording, the receiver is used.
        var isReplaying: Bool { configuration.mode == .replay && (!isRunning || replay != nil) }
    }

    /// A delegate, called on the manager's queue only.
    private struct Reference: @unchecked Sendable { weak var value: (any GeoLoggerDelegate)? }

    /// The underlying manager, for functions not repeated here.
    public let locationManager: LocationManager
    private let state: Locked<State>

    /// Creates a logger without opening anything.
    public convenience init(configuration: GeoLoggerConfiguration = GeoLoggerConfiguration()) {
        self.init(
            configuration: configuration,
            locationManager: LocationManager(source: configuration.source ?? .standard))
    }

    /// Creates a logger with a given manager, on whose queue the delegate is then called.
    public init(configuration: GeoLoggerConfiguration, locationManager: LocationManager) {
        self.locationManager = locationManager
        state = Locked(State(configuration: configuration))
        let listener = locationManager.addListener { [weak self] in self?.report($0) }
        state.withLock { $0.listener = listener }
    }

    deinit {
        state.withLock { $0.replay }?.stop()
        state.withLock { $0.recorder }?.finish(waits: false)
    }

    /// The source of the positions: the underlying manager, or the last replay.
    private var speaker: LocationManager { state.withLock { $0.replay }?.manager ?? locationManager }

    /// The configuration. Changes while it runs are ignored; use another logger.
    public var configuration: GeoLoggerConfiguration {
        get { state.withLock { $0.configuration } }
        set {
            let isIgnored = state.withLock { state in
                if !state.isRunning { state.configuration = newValue }
                return state.isRunning
            }
            if isIgnored { Diagnostics.report("GeoLogger: the configuration cannot be changed while it runs") }
        }
    }

    /// The delegate, held weakly.
    public var delegate: (any GeoLoggerDelegate)? {
        get { state.withLock { $0.delegate }.value }
        set {
            let reference = Reference(value: newValue)
            state.withLock { $0.delegate = reference }
        }
    }

    // MARK: As in CLLocationManager

    /// Opens the source until the authorization is known and reported. A replay is always authorized, without a source.
    public func requestWhenInUseAuthorization() { authorize { $0.requestWhenInUseAuthorization() } }
    /// Does the same as ``requestWhenInUseAuthorization()``.
    public func requestAlwaysAuthorization() { authorize { $0.requestAlwaysAuthorization() } }
    /// The authorization.
    public var authorizationStatus: AuthorizationStatus {
        let isGranted = state.withLock { $0.isReplaying && $0.isGranted }
        return isGranted ? .authorizedAlways : speaker.authorizationStatus
    }
    /// The latest position.
    public var location: Location? { speaker.location }

    /// The minimum distance between reported fixes, in metres. Default: every fix is reported.
    public var distanceFilter: Double {
        get { locationManager.distanceFilter }
        set {
            locationManager.distanceFilter = newValue
            state.withLock { $0.replay }?.manager.distanceFilter = newValue
        }
    }

    /// The desired accuracy, in metres or as in ``LocationAccuracy``.
    public var desiredAccuracy: Double {
        get { locationManager.desiredAccuracy }
        set { locationManager.desiredAccuracy = newValue }
    }

    /// Reports one fix, see ``LocationManager/requestLocation()``. In the mode ``GeoLoggerMode/replay``, positions are
    /// reported after ``startUpdatingLocation()``; before that, this call reports an error.
    public func requestLocation() {
        let (isReplaying, isRunning) = state.withLock { ($0.isReplaying, $0.isRunning) }
        guard isReplaying else { return locationManager.requestLocation() }
        if !isRunning { fail(GeoError.locationUnknown("no recording is being replayed")) }
    }

    /// Starts to pass positions through, to record into a new file with times relative to this call, or to replay. A
    /// second call is ignored.
    public func startUpdatingLocation() {
        let mode: GeoLoggerMode? = state.withLock { state in
            guard !state.isRunning else { return nil }
            state.isRunning = true
            if state.configuration.mode == .record { record(&state) }
            return state.configuration.mode
        }
        switch mode {
        case nil: break
        case .replay: replay()
        case .record, .passthrough: locationManager.startUpdatingLocation()
        }
    }

    /// Stops; a recording is complete and durable when the call returns.
    public func stopUpdatingLocation() {
        locationManager.stopUpdatingLocation()
        state.withLock { $0.replay }?.stop()
        let recorder = state.withLock { state in
            defer {
                state.isRunning = false
                state.recorder = nil
                state.recording = nil
            }
            return state.recorder
        }
        recorder?.finish(waits: true)
    }

    /// The name of the current recording; `nil` until its file has been created, soon after
    /// ``startUpdatingLocation()``.
    public var recordingName: String? { state.withLock { $0.recorder }?.name }

    // MARK: Events

    /// Requests authorization from the receiver, or grants it for a replay.
    private func authorize(_ request: (LocationManager) -> Void) {
        let (isReplaying, isNew) = state.withLock { state in
            guard state.isReplaying else { return (false, false) }
            defer { state.isGranted = true }
            return (true, !state.isGranted)
        }
        guard isReplaying else { return request(locationManager) }
        guard isNew else { return }
        locationManager.queue.async { [weak self] in
            guard let self else { return }
            delegate?.geoLoggerDidChangeAuthorization(self)
        }
    }

    private func record(_ state: inout State) {
        let recorder = EventRecorder(state.configuration.recordingOptions) { [weak self] in self?.fail($0) }
        state.recorder = recorder
        state.recording = locationManager.addImmediateListener { event in
            switch event {
            case .location(let location): recorder.put(.location(location))
            case .error(let error): recorder.put(.error(error))
            default: break
            }
        }
    }

    private func replay() {
        let replay: LoggerReplay
        do throws(OptionError) {
            replay = try LoggerReplay(configuration, like: locationManager) { [weak self] in self?.report($0) }
        } catch {
            state.withLock { $0.isRunning = false }
            return fail(error)
        }
        state.withLock { $0.replay = replay }
        replay.start { [weak self, weak replay] error, count in self?.end(replay, error, count) }
    }

    /// Ends a replay. Its events are still on the queue and would be lost with the replay, so the end is queued after
    /// them.
    private func end(_ replay: LoggerReplay?, _ error: RecordingError?, _ count: Int) {
        guard let replay else { return }
        locationManager.queue.async { [weak self] in self?.conclude(replay, error, count) }
    }

    /// Switches from the replay to live positions, after a damaged recording.
    private func conclude(_ replay: LoggerReplay, _ error: RecordingError?, _ count: Int) {
        let isDamaged = error?.kind == .malformed || error?.kind == .unsupportedVersion
        let isCurrent = state.withLock { state in
            guard state.isRunning, state.replay === replay else { return false }
            if isDamaged { state.replay = nil } else { state.isRunning = false }
            return true
        }
        guard isCurrent, let error else { return }
        guard isDamaged else {
            delegate?.geoLogger(self, didFailWithError: error)
            return
        }
        Diagnostics.report(
            "GeoLogger: \(error); \(count) events before that were replayed; switching to live positions")
        locationManager.startUpdatingLocation()
    }

    private func report(_ event: LocationManagerEvent) {
        guard let delegate else { return }
        switch event {
        case .location(let location): delegate.geoLogger(self, didUpdateLocations: [location])
        case .error(let error): delegate.geoLogger(self, didFailWithError: error)
        case .authorization: delegate.geoLoggerDidChangeAuthorization(self)
        default: break
        }
    }

    private func fail(_ error: any Error) {
        locationManager.queue.async { [weak self] in
            guard let self else { return }
            delegate?.geoLogger(self, didFailWithError: error)
        }
    }
}
