#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailGeo

/// Applies the policy to records of the queue, and writes pings to the spool: the common part of the sink and its
/// input.
///
/// May be used on any thread, except for ``write(_:)``, which only the writer thread calls.
final class Pinger: Sendable {
    private struct State {
        /// The state after the last write; `nil` until the spool can be read.
        var session: PingSession?
        /// The time of the last fix, and the monotonic time of its arrival.
        var received: (fix: Timestamp, time: Int64)?
        /// Requests positions while the sink is in use.
        var demand: LocationFeed.Subscription?
        /// Whether a thread is adapting the demand, and whether it must do so again.
        var (isTuning, isTuningDue) = (false, false)
    }

    /// A record that the policy evaluates.
    private enum Happening {
        case fix(Location)
        /// The position of an arrival or a departure, at its time.
        case visit(Location)
    }

    let upload: SpooledUpload
    let home: Home
    private let options: AdaptivePingerOptions
    private let deviceID: String
    private let link: PingerLink
    private let feed: LocationFeed
    let battery: BatteryCache
    private let clock: UploadClock
    /// The directories that may contain the home of an earlier run.
    private let directories: [String]
    private let state = Locked(State())

    init(
        _ options: AdaptivePingerOptions, instance: PluginInstance, feed: LocationFeed, home: Home,
        battery: @escaping @Sendable () -> BatteryState?, clock: UploadClock
    ) {
        self.options = options
        self.feed = feed
        self.home = home
        self.battery = BatteryCache(battery)
        self.clock = clock
        let spool = options.resolvedSpool(of: instance)
        link = PingerLink.at(spool.directory)
        deviceID = options.deviceID ?? DeviceID.machine ?? "taffrail"
        upload = SpooledUpload(
            spool,
            UploadOptions(
                delay: .zero, records: options.dialect.batchLimit, longestRetry: options.longestRetry,
                rate: options.rate?.bytes),
            to: PingDestination(options, name: instance.name, link: link))
        directories = [instance.logDirectory + "/.taffrail", spool.stateDirectory]
    }

    /// Returns the wall clock.
    private func now() -> Timestamp { Timestamp(nanoseconds: clock.wall()) }

    func attach(_ book: SinkBook) {
        upload.attach(book)
        link.setPinger(self)
        let isNew = state.withLock { state in
            _ = try? open(&state)
            return state.demand == nil
        }
        if isNew {
            let demand = feed.subscribe()
            state.withLock { $0.demand = demand }
        }
        tune()
    }

    /// Opens the spool, and continues from its contents.
    func open() throws(SinkError) { try state.withLock { state throws(SinkError) in _ = try open(&state) } }

    func detach() {
        link.removePinger(self)
        // Outside the lock, because reactions to the demand may call back.
        let demand = state.withLock { state in
            defer { state.demand = nil }
            return state.demand
        }
        withExtendedLifetime(demand) {}
    }

    /// Returns the session, continued from the contents of the spool.
    private func open(_ state: inout State) throws(SinkError) -> PingSession {
        if let session = state.session { return session }
        try upload.open()
        // Before the first fix, because the state of being at home is stored with the home.
        home.restore(from: directories)
        var session = PingSession(
            options.policy, deviceID: deviceID, receiver: options.receiver, home: home,
            battery: { [battery] in battery.state }, state: upload.spool.keptState)
        session.review(at: now())
        state.session = session
        return session
    }

    // MARK: Records

    /// Evaluates the records of a batch for the policy, and appends the pings: all of it or, after an error, nothing.
    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        var found: [(what: Happening, sequence: UInt64, time: Timestamp)] = []
        var last: UInt64 = 0
        batch.forEach { view in
            last = view.sequence
            guard view.hasEvent(among: Self.events) else { return }
            switch view.eventName {
            case GeoAttributes.locationEvent?:
                guard let fix = GeoEvent(place: view)?.location else { return }
                found.append((.fix(fix), view.sequence, view.timestamp))
            case Self.visitEvent?:
                let record = LogRecord(view)
                // A received visit is one of another device.
                guard !record.attributes.contains(where: { $0.key.hasPrefix(OriginAttributes.prefix) }),
                    let fix = Self.visit(record)
                else { return }
                found.append((.visit(fix), view.sequence, view.timestamp))
            default: break
            }
        }
        // Other records are not stored: they change nothing if the queue offers them again.
        guard !found.isEmpty else { return }
        let (happenings, run, position, sequence) = (found, batch.run, batch.end, last)
        try state.withLock { state throws(SinkError) in
            var session = try open(&state)
            session.review(at: now())
            let before = session.policy.state.lastFix
            // If the position was not known, the queue offers records again that the spool already contains.
            let known = run == .none ? 0 : upload.spool.sequence(in: run)
            let new = happenings.filter { $0.sequence > known || run == .none }
            guard !new.isEmpty else { return }
            var entry = SpoolEntry(run: run, position: position, sequence: sequence, state: [])
            for (what, sequence, time) in new {
                let ping: Ping? =
                    switch what {
                    case .fix(let fix): session.take(fix, now: time)
                    case .visit(let fix): session.visit(fix, now: time)
                    }
                guard var record = ping?.record(at: time) else { continue }
                record.sequence = sequence
                entry.records.append(record)
            }
            entry.state = session.json
            try upload.append(entry)
            state.session = session
            // Fixes that were not evaluated must not delay a heartbeat.
            if let fix = session.policy.state.lastFix, fix != before {
                state.received = (fix, clock.monotonic())
            }
        }
        tune()
    }

    private static let visitEvent = "geo.visit"
    /// The events of records that the policy evaluates.
    private static let events = [GeoAttributes.locationEvent, visitEvent]

    /// Returns the position of a visit at the time of its record's event: the departure, else the arrival.
    private static func visit(_ record: LogRecord) -> Location? {
        var fix = Location(attributes: record.attributes, received: record.timestamp)
        for name in ["taffrail.geo.departure", "taffrail.geo.arrival"] {
            guard case .date(let time)? = record[name] else { continue }
            fix?.timestamp = time
            break
        }
        return fix
    }

    // MARK: Times without records

    /// Performs the work that is due without records: opens the spool if that failed before, repeats the last ping, and
    /// adapts the demand. May take long.
    func tick() {
        // The spool may not have been open when the sink was attached.
        try? upload.start()
        state.withLock { state in
            _ = try? open(&state)
            state.session?.review(at: now())
            try? beat(&state)
        }
        tune()
    }

    private func beat(_ state: inout State) throws(SinkError) {
        guard options.policy.settings.heartbeat != nil else { return }
        var session = try open(&state)
        let monotonic = clock.monotonic()
        // In a new run, time continues from the end of the last run.
        let policy = session.policy.state
        let known = [policy.lastFix, policy.lastSent].compactMap(\.self).max()
        guard let received = state.received ?? known.map({ ($0, monotonic) }), let taken = upload.spool.lastTaken else {
            return
        }
        state.received = received
        // The time of the fixes, which may be of another year in a replay.
        let time = received.fix + .nanoseconds(monotonic &- received.time)
        guard let ping = session.heartbeat(at: time, now: now()) else { return }
        var record = ping.record(at: now())
        record.sequence = taken.sequence
        try upload.append(
            SpoolEntry(
                run: taken.run, position: taken.position, sequence: taken.sequence, records: [record],
                state: session.json))
        state.session = session
    }

    /// Requests positions as often as the mode requires: on one thread at a time, so that an older request does not
    /// replace a newer one.
    private func tune() {
        let isFirst = state.withLock { state in
            state.isTuningDue = true
            defer { state.isTuning = true }
            return !state.isTuning
        }
        guard isFirst else { return }
        while let (demand, subscription) = nextDemand() {
            guard let subscription else { continue }
            // Until the session can be read, it is unknown whether it is stopped.
            feed.setDemand(
                accuracy: demand?.accuracy, interval: demand?.interval, distance: demand?.distance, for: subscription)
        }
    }

    private func nextDemand() -> (
        (accuracy: Double, interval: Duration, distance: Double)?, LocationFeed.Subscription?
    )? {
        state.withLock { state in
            state.isTuning = state.isTuningDue
            guard state.isTuningDue else { return nil }
            state.isTuningDue = false
            return (state.session?.demand(at: now()), state.demand)
        }
    }

    // MARK: Commands

    /// Runs a command, whose changes are kept between runs.
    func execute(_ command: ControlCommand) throws -> ControlCommand.Answer {
        let answer = try state.withLock { state in
            var session = try open(&state)
            let before = session.json
            let answer = try session.execute(command, now: now())
            let after = session.json
            if before != after { try upload.spool.keep(after) }
            state.session = session
            return answer
        }
        tune()
        return answer
    }
}
#endif
