#if HTTP
internal import Taffrail
internal import TaffrailDelivery
internal import TaffrailGeo
internal import TaffrailText

/// The policy between the records of the queue and the spool: what the sink and its input share.
///
/// Any thread may call; only the writer thread calls ``write(_:)``.
final class Pinger: Sendable {
    private struct State {
        /// As of the last write; `nil` until the spool can be read.
        var session: PingSession?
        /// The time of the last fix, and that of the monotonic clock when it came.
        var clock: (fix: Timestamp, received: Int64)?
        /// Requests positions while the sink is in use.
        var demand: LocationFeed.Subscription?
    }

    /// A record that the policy takes.
    private enum Happening {
        case fix(Location)
        /// An arrival or a departure.
        case visit
    }

    let upload: SpooledUpload
    let home: Home
    private let options: AdaptivePingerOptions
    private let deviceID: String
    private let link: PingerLink
    private let feed: LocationFeed
    private let battery: @Sendable () -> BatteryState?
    private let state = Locked(State())

    init(
        _ options: AdaptivePingerOptions, instance: PluginInstance, feed: LocationFeed, home: Home,
        battery: @escaping @Sendable () -> BatteryState?
    ) {
        self.options = options
        self.feed = feed
        self.home = home
        self.battery = battery
        let spool = options.spool(of: instance)
        link = PingerLink.at(spool.directory)
        deviceID = options.deviceID ?? DeviceID.machine ?? "taffrail"
        upload = SpooledUpload(
            spool,
            UploadOptions(
                delay: .zero, records: options.dialect.batchLimit, longestRetry: options.longestRetry,
                rate: options.rate?.bytes),
            to: PingDestination(options, name: instance.name, link: link))
        // A program with a control socket sets it too, but only after the first records.
        guard home.coordinate == nil else { return }
        let directories = [instance.logDirectory + "/.taffrail", spool.stateDirectory]
        home.coordinate = directories.lazy.compactMap { HomeFile(in: $0).load() }.first
    }

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

    func detach() {
        link.removePinger(self)
        // What reacts to it may call back.
        let demand = state.withLock { state in
            defer { state.demand = nil }
            return state.demand
        }
        withExtendedLifetime(demand) {}
    }

    /// The session, continued from what the spool has.
    private func open(_ state: inout State) throws(SinkError) -> PingSession {
        if let session = state.session { return session }
        try upload.open()
        let session = PingSession(
            options.policy, deviceID: deviceID, receiver: options.receiver, home: home, battery: battery,
            state: upload.spool.keptState)
        state.session = session
        return session
    }

    // MARK: Records

    /// Evaluates what a batch has for the policy, and appends the pings: all of it or, with an error, nothing.
    func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        var found: [(what: Happening, sequence: UInt64, time: Timestamp)] = []
        var last: UInt64 = 0
        batch.forEach { view in
            last = view.sequence
            switch view.eventName {
            case GeoAttributes.locationEvent?:
                guard let fix = GeoEvent(place: view)?.location else { return }
                found.append((.fix(fix), view.sequence, view.timestamp))
            case Self.visitEvent?: found.append((.visit, view.sequence, view.timestamp))
            default: break
            }
        }
        // Of other records nothing is kept: they change nothing if the queue offers them again.
        guard !found.isEmpty else { return }
        let (happenings, run, position, sequence) = (found, batch.run, batch.end, last)
        try state.withLock { state throws(SinkError) in
            var session = try open(&state)
            // Where the position was not known, the queue offers again what the spool has.
            let known = run == .none ? 0 : upload.spool.sequence(in: run)
            let new = happenings.filter { $0.sequence > known || run == .none }
            guard !new.isEmpty else { return }
            var entry = SpoolEntry(run: run, position: position, sequence: sequence, state: [])
            for (what, sequence, time) in new {
                let ping: Ping? =
                    switch what {
                    case .fix(let fix): session.take(fix, now: time)
                    case .visit: session.visit(now: time)
                    }
                guard var record = ping?.record(at: time) else { continue }
                record.sequence = sequence
                entry.records.append(record)
            }
            entry.state = session.json
            try upload.append(entry)
            state.session = session
            if let fix = session.policy.state.lastFix { state.clock = (fix, SystemClock.monotonicNanoseconds()) }
        }
        tune()
    }

    private static let visitEvent = "geo.visit"

    // MARK: Times without records

    /// Repeats the last ping if that is due, and adapts what is requested of the source.
    func tick() {
        state.withLock { state in try? beat(&state) }
        tune()
    }

    private func beat(_ state: inout State) throws(SinkError) {
        guard options.policy.settings.heartbeat != nil else { return }
        var session = try open(&state)
        let now = SystemClock.monotonicNanoseconds()
        // In a new run time continues where it was.
        let policy = session.policy.state
        let known = [policy.lastFix, policy.lastSent].compactMap(\.self).max()
        guard let clock = state.clock ?? known.map({ ($0, now) }), let taken = upload.spool.lastTaken else { return }
        state.clock = clock
        // The time of the fixes, which a replay may have from another year.
        let time = clock.fix + Double(now &- clock.received) / 1e9
        guard let ping = session.heartbeat(at: time) else { return }
        var record = ping.record(at: .now)
        record.sequence = taken.sequence
        try upload.append(
            SpoolEntry(
                run: taken.run, position: taken.position, sequence: taken.sequence, records: [record],
                state: session.json))
        state.session = session
    }

    /// Requests positions as the mode needs them.
    private func tune() {
        let (demand, isOpen, subscription) = state.withLock { state in
            (state.session?.demand(at: .now), state.session != nil, state.demand)
        }
        guard let subscription else { return }
        // Of a session that cannot be read yet it is not known whether it is stopped.
        feed.setDemand(accuracy: isOpen ? demand?.accuracy : -1, interval: demand?.interval, for: subscription)
    }

    // MARK: Commands

    /// Carries out a command; what it changes is kept between runs.
    func carryOut(_ command: ControlCommand) throws -> ControlCommand.Answer {
        let answer = try state.withLock { state in
            var session = try open(&state)
            let before = session.json
            let answer = try session.carryOut(command)
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
