internal import Dispatch
public import Taffrail
internal import TaffrailGeo
internal import TaffrailLocationManager

/// Adds the position of this machine to every record: published by the program's own inputs, or requested
/// periodically.
///
/// Records with their own attributes `geo.…`, positions, and records of other programs are left unchanged. May be used
/// on any thread.
public final class GeoAttributesContext<C: Clock>: ContextProvider where C.Duration == Duration {
    /// The environment, which tests replace.
    struct Surroundings: Sendable {
        var names = PlaceNames()
        var feed = LocationFeed.shared
        var application = ApplicationState.shared
        /// The wall clock, in ns since 1970.
        var now: @Sendable () -> Int64 = { SystemClock.wallNanoseconds() }
        /// The source from which fixes are requested; called for each request.
        var makeManager: @Sendable (DispatchQueue) -> LocationManager
    }

    /// The minimum time between writes of the file.
    private static var savePause: Duration { .seconds(60) }
    /// The maximum time until the clock is read again: timers fire late if their clock stopped while the machine was
    /// suspended.
    private static var longestSleep: Duration { .seconds(60) }

    private struct State {
        var cache: FixCache
        var slot: Pipeline.ContextSlot?
        var timer: (due: Duration, task: Task<Void, Never>)?
        var manager: (manager: LocationManager, listener: LocationListener)?
        var subscription: LocationFeed.Subscription?
        var observer: Int?
        /// Whether the attributes did not fit together with those of other providers.
        var isShort = false
        /// The fix that has not been written to the file yet.
        var unsaved: FixCache.Fix?
        var lastSave: Duration?
    }

    private let options: GeoAttributesOptions
    private let surroundings: Surroundings
    private let kept: KeptFix
    private let clock: C
    private let start: C.Instant
    private let places: [(name: String, zone: PrivacyFilter)]
    private let queue = DispatchQueue(label: "taffrail.geo-attributes")
    private let state: Locked<State>
    /// A forked child has none of the threads; one of them may hold a lock.
    private let process = ThisProcess.id

    init(_ options: GeoAttributesOptions, file: FixFile, surroundings: Surroundings, clock: C) {
        self.options = options
        self.surroundings = surroundings
        kept = KeptFix(file, now: surroundings.now)
        self.clock = clock
        start = clock.now
        // The same circle as for a home zone of the plugin `privacy`, which is larger than the place.
        places = options.places.map { place in
            var zones = PrivacyOptions()
            zones.zones = [PrivacyZone(center: place.center, radius: place.radius)]
            return (place.name, PrivacyFilter(zones))
        }
        state = Locked(State(cache: FixCache(refresh: options.usedRefresh, maxAge: options.usedMaxAge)))
    }

    /// `geo.`: a record with such an attribute gets none of these, so that two positions are never mixed.
    public var yieldsTo: String? { "geo." }

    private var now: Duration { start.duration(to: clock.now) }

    // MARK: The pipeline

    /// Publishes the fix saved by an earlier run if it is not too old, and then each new fix.
    public func publish(into slot: Pipeline.ContextSlot) {
        let restored = restored()
        state.withLock { state in
            state.slot = slot
            state.cache.isInBackground = surroundings.application.current == .background
            _ = state.cache.permit(surroundings.feed.authorization, .inputs)
            if let restored { state.cache.take(restored) }
        }
        let subscription = surroundings.feed.subscribe(
            event: { [weak self] event in
                if let location = event.location { self?.take(location, .inputs) }
            }, authorization: { [weak self] in self?.permit($0, .inputs) })
        let observer = surroundings.application.addObserver { [weak self] in self?.enter($0) }
        change { state in
            state.subscription = subscription
            state.observer = observer
            // Both may have changed before the observers were added.
            state.cache.isInBackground = surroundings.application.current == .background
            _ = state.cache.permit(surroundings.feed.authorization, .inputs)
        }
    }

    /// Stops publishing, and saves the last fix for the next run.
    public func stop() {
        guard process == ThisProcess.id else { return }
        let before = state.withLock { state in
            defer {
                state.slot = nil
                state.timer = nil
                state.subscription = nil
                state.observer = nil
                state.manager = nil
                state.unsaved = nil
            }
            return (
                state.slot, state.timer?.task, state.subscription, state.observer, state.manager, state.unsaved
            )
        }
        // Ended outside the lock, because this calls other code.
        let (slot, timer, _, observer, manager, unsaved) = before
        timer?.cancel()
        surroundings.names.nominatim?.cancel()
        if let observer { surroundings.application.removeObserver(observer) }
        manager?.listener.cancel()
        queue.sync {
            if let slot, let unsaved { save(unsaved, slot) }
        }
    }

    /// Deletes the fix saved for the next run.
    public func discard() {
        guard process == ThisProcess.id else { return }
        queue.sync { kept.remove() }
    }

    // MARK: Fixes

    private func take(_ location: Location, _ origin: FixCache.Origin) {
        guard location.coordinate.isValid else { return }
        // Includes fixes that `privacy` would hide around a place, not only those within it.
        let place = places.first { $0.zone.filtered(location) == nil }?.name
        change { state in
            state.cache.take(FixCache.Fix(location: location, place: place, arrival: now, origin: origin))
        }
    }

    private func permit(_ status: AuthorizationStatus, _ origin: FixCache.Origin) {
        change { state in
            guard state.cache.permit(status, origin) else { return }
            state.unsaved = nil
            queue.async { [kept] in kept.remove() }
        }
    }

    private func enter(_ application: ApplicationState.State) {
        let isInBackground = application == .background
        let manager = state.withLock { state in
            defer { if isInBackground { state.manager = nil } }
            return state.manager
        }
        if isInBackground { manager?.listener.cancel() }
        change { $0.cache.isInBackground = isInBackground }
    }

    /// Changes the state, and performs the resulting actions.
    private func change(_ body: (inout State) -> Void) {
        let isRequested = state.withLock { state in
            guard state.slot != nil else { return false }
            body(&state)
            publishDue(&state)
            return state.cache.takeRequest(at: now)
        }
        // Outside the lock, because the request may call back immediately.
        if isRequested { request() }
        scheduleWake()
    }

    /// Sets the timer for the next action.
    private func scheduleWake() {
        let now = now
        state.withLock { state in
            guard state.slot != nil else { return }
            var due = now + Self.longestSleep
            if let next = state.cache.due(after: now) { due = min(due, next) }
            if let timer = state.timer, timer.due <= due { return }
            state.timer?.task.cancel()
            let task = Task.detached { [weak self, clock, start] in
                do { try await clock.sleep(until: start.advanced(by: due), tolerance: nil) } catch { return }
                self?.wake()
            }
            state.timer = (due, task)
        }
    }

    private func wake() {
        change { $0.timer = nil }
    }

    /// Publishes the attributes that are due.
    private func publishDue(_ state: inout State) {
        guard let slot = state.slot else { return }
        let now = now
        let hadFix = state.cache.fix != nil
        let action = state.cache.action(at: now)
        if hadFix && state.cache.fix == nil {
            // A fix that is too old for records is also too old for the next run.
            state.unsaved = nil
            queue.async { [kept] in kept.remove() }
        }
        switch action {
        case .keep: break
        case .clear: try? slot.publish([:])
        case .publish(let fix):
            publish(fix, into: slot, &state)
            // A simulated fix is of no use to the next run.
            if !fix.location.isSimulated { state.unsaved = fix }
        }
        guard let fix = state.unsaved, state.lastSave.map({ now - $0 >= Self.savePause }) ?? true else { return }
        state.unsaved = nil
        state.lastSave = now
        queue.async { [weak self] in self?.save(fix, slot) }
    }

    private func publish(_ fix: FixCache.Fix, into slot: Pipeline.ContextSlot, _ state: inout State) {
        if !state.isShort {
            do {
                let names = surroundings.names.names(of: fix, in: slot) { [weak self] in
                    self?.change { $0.cache.renew() }
                }
                return try slot.publish(FixAttributes.make(fix, names: names))
            } catch {
                // Reported by the pipeline.
                state.isShort = true
            }
        }
        // If even these do not fit, nothing is published, so that no part of a position is missing.
        try? slot.publish(FixAttributes.make(fix, isShort: true))
    }

    /// Returns the fix that an earlier run saved, if it is not too old.
    private func restored() -> FixCache.Fix? {
        guard let (location, age) = kept.load() else { return nil }
        guard age < options.usedMaxAge else {
            queue.async { [kept] in kept.remove() }
            return nil
        }
        let place = places.first { $0.zone.filtered(location) == nil }?.name
        return FixCache.Fix(location: location, place: place, arrival: now - max(age, .zero), origin: nil)
    }

    /// Saves a fix, on `queue`. Privacy and redaction apply to saved fixes too.
    private func save(_ fix: FixCache.Fix, _ slot: Pipeline.ContextSlot) {
        kept.save(slot.reviewed(FixAttributes.make(fix)), age: now - fix.arrival)
    }

    // MARK: Requests

    private func request() {
        let manager = surroundings.makeManager(queue)
        manager.desiredAccuracy = LocationAccuracy.hundredMeters
        manager.requestTimeout = min(.seconds(60), options.usedRefresh / 2)
        let listener = manager.addListener { [weak self] event in
            guard let self else { return }
            switch event {
            case .location(let location): take(location, .request)
            case .authorization(let status): permit(status, .request)
            default: break
            }
        }
        let before = state.withLock { state in
            let before = state.manager
            state.manager = state.slot == nil ? nil : (manager, listener)
            return before
        }
        before?.listener.cancel()
        manager.requestLocation()
    }
}
