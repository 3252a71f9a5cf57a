package import Taffrail
internal import TaffrailText

/// The state machine of a pinger: a policy with the home, the battery and the periods in which pings are stopped.
///
/// It has no output: the caller sends its results and stores its state with them. Times of receipt are those of
/// records, so that records that are offered again or later have the same decisions; ``review(at:)`` gets the clock's.
package struct PingSession: Sendable {
    /// The smallest distance at which a change of the position is significant, in metres.
    private static let significantDistance = 500.0
    /// How many bytes of a receiver's name are kept: other programs choose it.
    private static let nameLimit = 256

    /// The name of the device in pings.
    package let deviceID: String
    package private(set) var policy: PingPolicy
    private let home: Home
    private let battery: @Sendable () -> BatteryState?
    /// The home of the configuration, used if no other is set.
    private let configuredHome: Coordinate?
    package private(set) var state = PingSessionState()

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - receiver: The only receiver whose fixes count. Default `nil`: the first, until it has had no fix for twice
    ///     ``PingSettings/wake``, at least a minute.
    ///   - home: The home that is set while the program runs.
    ///   - battery: The state of the battery; called with each fix.
    ///   - state: The state of an earlier session, as JSON; ignored if unreadable. Default `nil`: none.
    package init(
        _ options: PingPolicyOptions, deviceID: String, receiver: String? = nil, home: Home = .shared,
        battery: @escaping @Sendable () -> BatteryState? = { BatteryReader().read() }, state: [UInt8]? = nil
    ) {
        self.deviceID = deviceID
        self.home = home
        self.battery = battery
        configuredHome = options.home
        // Setting another home resets whether the device is at home, so the state is set after the home.
        policy = PingPolicy(options.settings, home: home.coordinate ?? configuredHome)
        self.state.receiver.only = receiver
        self.state.receiver.silence = max(.seconds(60), options.settings.wake * 2)
        if let restored = state.flatMap({ self.state.restore($0) }) { policy.state = restored }
    }

    /// The state as one line of JSON.
    package var json: [UInt8] { state.json(with: policy.state) }

    /// The last decision.
    package var last: PingDecision? { state.last }

    /// Returns whether pings are sent at a time.
    package func isRunning(at now: Timestamp) -> Bool { !state.pauses.contains(now) }

    /// Adapts stops and requests to the wall clock, which may have been set back. Called before fixes, and regularly.
    package mutating func review(at now: Timestamp) { state.review(at: now) }

    /// Returns the positions that are requested from the source: their accuracy as in ``LocationFeed``, their interval,
    /// and the distance between two of them; `nil`: none.
    package func demand(at now: Timestamp) -> (accuracy: Double, interval: Duration, distance: Double)? {
        let isRequested = state.isRequested(at: now)
        guard isRunning(at: now) || isRequested else { return nil }
        let tuning = policy.settings[policy.mode]
        let isRare = policy.mode == .homeOrNight && !isRequested
        return (
            tuning.accuracy > 0 ? tuning.accuracy : -1, isRare ? policy.settings.wake : .zero,
            isRequested ? 0 : tuning.filter
        )
    }

    // MARK: Fixes

    /// Evaluates a fix.
    ///
    /// - Parameter now: The time of receipt. It determines whether the session is stopped, whether a ping is requested,
    ///   and which receiver is in use.
    /// - Returns: The ping to send; `nil`: none.
    package mutating func take(_ fix: Location, now: Timestamp) -> Ping? {
        var fix = fix
        if let name = fix.extra.device, name.utf8.count > Self.nameLimit {
            fix.extra.device = String(decoding: name.utf8.prefix(Self.nameLimit), as: UTF8.self)
        }
        let isRequested = state.isRequested(at: now)
        state.expireRequest(at: now)
        if !isRunning(at: now) {
            guard isRequested else { return refuse(.stopped) }
            // Only the requested ping is sent.
            guard (fix.horizontalAccuracy ?? -1) >= 0 else { return refuse(.noAccuracy) }
        }
        if !policy.settings.simulated && fix.isSimulated { return refuse(.simulated) }
        guard state.receiver.admits(fix.extra.device ?? "", at: now) else {
            // This decision must not replace the last one about a fix of the receiver in use.
            if state.receiver.isSilent(at: now) { return refuse(.otherReceiver) }
            state.counts[.otherReceiver, default: 0] &+= 1
            return nil
        }
        return evaluate(fix, isSignificant(fix) ? .significantChange : .fix, isRequested: isRequested)
    }

    /// Evaluates the position of an arrival or a departure.
    ///
    /// - Parameters:
    ///   - fix: The position, with its own time.
    ///   - now: The time of receipt.
    package mutating func visit(_ fix: Location, now: Timestamp) -> Ping? {
        guard isRunning(at: now) else { return refuse(.stopped) }
        // The fixes of this visit have been evaluated.
        if let last = policy.state.lastFix, fix.timestamp <= last { return nil }
        return evaluate(fix, .visit)
    }

    private mutating func evaluate(
        _ fix: Location, _ trigger: PingDecision.Trigger, isRequested: Bool = false
    ) -> Ping? {
        let home = home.coordinate ?? configuredHome
        if policy.home != home { policy.home = home }
        let battery = battery()
        let decision = policy.evaluate(fix, battery: battery, trigger: trigger, isRequested: isRequested)
        if isRequested && decision.ping != nil && decision.reason != .heartbeat { state.requested = nil }
        return result(decision, battery)
    }

    /// Returns whether the position has changed significantly since the last significant change.
    private mutating func isSignificant(_ fix: Location) -> Bool {
        let last = state.significant
        if let last, Geodesy.distance(last, fix.coordinate) < Self.significantDistance { return false }
        state.significant = fix.coordinate
        return last != nil
    }

    /// Returns the repetition of the last ping, if it is due: for periods without fixes.
    ///
    /// - Parameters:
    ///   - time: The time by the clock of the fixes.
    ///   - now: The wall clock.
    package mutating func heartbeat(at time: Timestamp, now: Timestamp) -> Ping? {
        guard isRunning(at: now), let decision = policy.heartbeat(at: time) else { return nil }
        return result(decision, battery())
    }

    private mutating func refuse(_ reason: PingDecision.Reason) -> Ping? {
        state.note(PingDecision(mode: policy.mode, reason: reason, trigger: .fix, ping: nil, speed: nil))
        return nil
    }

    private mutating func result(_ decision: PingDecision, _ battery: BatteryState?) -> Ping? {
        state.note(decision)
        return Ping(decision, deviceID: deviceID, battery: battery)
    }

    // MARK: Commands

    /// Sends pings again.
    package mutating func start(at now: Timestamp) { state.pauses.end(at: now) }

    /// Sends no pings until ``start(at:)`` or, if a duration is given, for that time.
    package mutating func stop(for duration: Duration? = nil, at now: Timestamp) {
        state.pauses.begin(at: now, for: duration)
        state.requested = nil
    }

    /// Sends the next fix that has an accuracy, if it arrives within two minutes.
    package mutating func requestPing(at now: Timestamp) { state.requested = now }

    /// Runs a command: `start`, `stop` with an optional `for`, `ping`, `status` with an optional `explain`.
    package mutating func execute(
        _ command: ControlCommand, now: Timestamp = .now
    ) throws(OptionError) -> ControlCommand.Answer {
        review(at: now)
        switch command.name {
        case "start":
            try command.expect()
            start(at: now)
        case "stop":
            try command.expect("for")
            var duration: Duration?
            if let text = try command.text("for") {
                duration = DurationText.duration(text)
                guard let duration, duration > .zero else {
                    throw OptionError("for", "must be a duration such as 2h, not \"\(text)\"")
                }
            }
            stop(for: duration, at: now)
        case "ping":
            try command.expect()
            requestPing(at: now)
        case "status":
            try command.expect("explain")
            return ControlCommand.Answer(status(at: now, explains: try command.flag("explain") ?? false))
        default: throw command.unknown(among: "start", "stop", "ping", "status")
        }
        return ControlCommand.Answer(status(at: now, explains: false))
    }

    /// Returns the status of the session, for people and programs.
    package func status(at now: Timestamp, explains: Bool) -> [LogValueEntry] {
        var fields = [
            LogValueEntry("state", .string(isRunning(at: now) ? "running" : "stopped")),
            LogValueEntry("mode", .string(policy.mode.rawValue)), LogValueEntry("device", .string(deviceID)),
        ]
        func add(_ name: String, _ time: Timestamp?) {
            if let time { fields.append(LogValueEntry(name, .string(RFC3339.string(time)))) }
        }
        add("until", state.pauses.end)
        if let name = state.receiver.used, !name.isEmpty { fields.append(LogValueEntry("receiver", .string(name))) }
        add("mode_since", policy.modeSince)
        add("last_ping", policy.lastPing?.timestamp)
        add("earliest_ping", policy.earliestPing(battery: battery()))
        if let last { fields.append(LogValueEntry("last_decision", .string(last.reason.rawValue))) }
        let counts = state.counts.map { LogValueEntry($0.key.rawValue, .int(Int64($0.value))) }
        fields.append(LogValueEntry("decisions", .map(counts.sorted { $0.key < $1.key })))
        if explains, let last { fields.append(LogValueEntry("explanation", .string(explanation(of: last)))) }
        return fields
    }

    private func explanation(of decision: PingDecision) -> String {
        let tuning = policy.settings[decision.mode]
        let interval = DurationText.text(policy.settings.interval(decision.mode, battery: battery()))
        let what =
            switch decision.reason {
            case .first: "sent: nothing had been sent before"
            case .due: "sent: at least \(interval) and \(tuning.distance) m since the last ping"
            case .requested: "sent: it was requested"
            case .heartbeat: "the last ping was repeated: nothing had been sent for the duration of the heartbeat"
            case .interval: "not sent: less than \(interval) since the last ping"
            case .distance: "not sent: less than \(tuning.distance) m since the last ping"
            case .noAccuracy: "not sent: the accuracy of the fix is unknown"
            case .simulated: "not evaluated: the fix is simulated"
            case .late: "not evaluated: the fix is older than the last one"
            case .invalid: "not evaluated: the fix has no valid coordinate"
            case .otherReceiver: "not evaluated: the fix is of another receiver"
            case .stopped: "not evaluated: pings are stopped"
            }
        let speed = decision.speed.map { " at \(($0 * 10).rounded() / 10) m/s" } ?? ""
        return "\(decision.mode.rawValue)\(speed); \(what)"
    }
}
