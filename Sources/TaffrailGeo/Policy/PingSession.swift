package import Taffrail
internal import TaffrailText

/// A pinger between its commands and its fixes: a policy with the home, the battery, and whether it is stopped.
///
/// It has no output: what it returns is to be sent, and its state to be stored with that.
package struct PingSession: Sendable {
    /// How long the state of the battery is used, in seconds: some drivers ask the hardware.
    private static let batteryTime = 30.0
    /// After how many seconds without a fix of the receiver that is in use another one is used.
    private static let receiverTime = 60.0
    /// The distance from which on a change of the position is significant, in metres.
    private static let significantDistance = 500.0

    /// The name of the device in pings.
    package let deviceID: String
    package private(set) var policy: PingPolicy
    private let home: Home
    private let battery: @Sendable () -> BatteryState?
    /// The home of the configuration, which counts where none is set.
    private let configuredHome: Coordinate?
    /// The only receiver whose fixes count; `nil`: the one that is in use.
    private let receiver: String?
    private var lastFix: Location?
    private var lastBattery: (state: BatteryState?, time: Timestamp)?
    private var isPingRequested = false
    package private(set) var last: PingDecision?
    package private(set) var state = State()

    /// What a session keeps between runs, besides the policy's state.
    package struct State: Sendable, Hashable {
        /// Since when it is stopped.
        package var stopped: Timestamp?
        /// Until when; `nil`: until it is started.
        package var stoppedUntil: Timestamp?
        /// How many decisions had a reason.
        package var counts: [PingDecision.Reason: Int] = [:]
        /// The receiver that is in use.
        package var receiver: String?
        /// Where the last significant change was.
        package var significant: Coordinate?

        package init() {}
    }

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - receiver: The only receiver whose fixes count. Default `nil`: the first, until it has had no fix for a minute.
    ///   - home: The home that is set while the program runs.
    ///   - battery: Reads the battery.
    ///   - state: That of an earlier session, as JSON; `nil` or unreadable: none.
    package init(
        _ options: PingPolicyOptions, deviceID: String, receiver: String? = nil, home: Home = .shared,
        battery: @escaping @Sendable () -> BatteryState? = { BatteryReader().read() }, state: [UInt8]? = nil
    ) {
        self.deviceID = deviceID
        self.home = home
        self.battery = battery
        self.receiver = receiver
        configuredHome = options.home
        // A policy that gets another home forgets that it is there: the state comes with the home.
        policy = PingPolicy(options.settings, home: home.coordinate ?? configuredHome)
        if let state { restore(state) }
    }

    /// Whether pings are sent at a time.
    package func isRunning(at now: Timestamp) -> Bool {
        guard state.stopped != nil else { return true }
        return state.stoppedUntil.map { now >= $0 } ?? false
    }

    /// The positions that are requested from the source: their accuracy as in ``LocationFeed``, and their interval; `nil`:
    /// none.
    package func demand(at now: Timestamp) -> (accuracy: Double, interval: Duration)? {
        guard isRunning(at: now) || isPingRequested else { return nil }
        let accuracy = policy.settings[policy.mode].accuracy
        let isRare = policy.mode == .homeOrNight && !isPingRequested
        return (accuracy > 0 ? accuracy : -1, isRare ? policy.settings.wake : .zero)
    }

    /// Takes a fix.
    ///
    /// - Parameter now: The time of receipt. It decides only whether the session is stopped.
    /// - Returns: What is to be sent.
    package mutating func take(_ fix: Location, now: Timestamp, trigger: PingDecision.Trigger = .fix) -> Ping? {
        if state.stopped != nil && isRunning(at: now) { start() }
        guard state.stopped == nil || isPingRequested, isInUse(fix) else { return nil }
        lastFix = fix
        let home = home.coordinate ?? configuredHome
        if policy.home != home { policy.home = home }
        let battery = batteryState(at: now)
        let isSignificant = isSignificant(fix)
        let decision = policy.evaluate(
            fix, battery: battery, trigger: trigger == .fix && isSignificant ? .significantChange : trigger,
            isRequested: isPingRequested)
        if decision.ping != nil && decision.reason != .heartbeat { isPingRequested = false }
        return result(decision, battery)
    }

    /// Evaluates the last fix again, after an arrival or a departure.
    package mutating func visit(now: Timestamp) -> Ping? {
        lastFix.flatMap { take($0, now: now, trigger: .visit) }
    }

    /// Whether a fix is of the receiver that is in use.
    private mutating func isInUse(_ fix: Location) -> Bool {
        let name = fix.extra.device ?? ""
        if let receiver { return name == receiver }
        if let used = state.receiver, used != name, let last = policy.state.lastFix,
            abs(fix.timestamp.seconds(since: last)) <= Self.receiverTime
        {
            return false
        }
        state.receiver = name
        return true
    }

    /// Whether the position has changed much since the last time that it had.
    private mutating func isSignificant(_ fix: Location) -> Bool {
        let last = state.significant
        if let last, Geodesy.distance(last, fix.coordinate) < Self.significantDistance { return false }
        state.significant = fix.coordinate
        return last != nil
    }

    /// The repetition of the last ping, if it is due: for times without fixes.
    package mutating func heartbeat(at now: Timestamp) -> Ping? {
        guard isRunning(at: now), let decision = policy.heartbeat(at: now) else { return nil }
        return result(decision, batteryState(at: now))
    }

    private mutating func result(_ decision: PingDecision, _ battery: BatteryState?) -> Ping? {
        last = decision
        state.counts[decision.reason, default: 0] &+= 1
        return Ping(decision, deviceID: deviceID, battery: battery)
    }

    private mutating func batteryState(at now: Timestamp) -> BatteryState? {
        if let lastBattery, abs(now.seconds(since: lastBattery.time)) < Self.batteryTime { return lastBattery.state }
        let read = battery()
        lastBattery = (read, now)
        return read
    }

    // MARK: Commands

    /// Sends pings again.
    package mutating func start() {
        state.stopped = nil
        state.stoppedUntil = nil
    }

    /// Sends no pings until it is started or, where a duration is given, for so long.
    package mutating func stop(for duration: Duration? = nil, at now: Timestamp) {
        state.stopped = now
        state.stoppedUntil = duration.map { now + $0 / .seconds(1) }
        isPingRequested = false
    }

    /// Sends the next fix that has an accuracy.
    package mutating func requestPing() { isPingRequested = true }

    /// Runs a command: `start`, `stop` with an optional `for`, `ping`, `status` with an optional `explain`.
    package mutating func carryOut(
        _ command: ControlCommand, now: Timestamp = .now
    ) throws(OptionError) -> ControlCommand.Answer {
        switch command.name {
        case "start":
            try command.expect()
            start()
        case "stop":
            try command.expect("for")
            var duration: Duration?
            if let text = try command.text("for") {
                duration = DurationText.duration(text)
                guard let duration, duration > .zero else {
                    throw OptionError("for", "must be a duration such as 2h, is \"\(text)\"")
                }
            }
            stop(for: duration, at: now)
        case "ping":
            try command.expect()
            requestPing()
        case "status":
            try command.expect("explain")
            return ControlCommand.Answer(status(at: now, explains: try command.flag("explain") ?? false))
        default: throw command.unknown(among: "start", "stop", "ping", "status")
        }
        return ControlCommand.Answer(status(at: now, explains: false))
    }

    /// What the session does, for people and programs.
    package func status(at now: Timestamp, explains: Bool) -> [LogValueEntry] {
        var fields = [
            LogValueEntry("state", .string(isRunning(at: now) ? "running" : "stopped")),
            LogValueEntry("mode", .string(policy.mode.rawValue)), LogValueEntry("device", .string(deviceID)),
        ]
        func add(_ name: String, _ time: Timestamp?) {
            if let time { fields.append(LogValueEntry(name, .string(RFC3339.string(time)))) }
        }
        if !isRunning(at: now) { add("until", state.stoppedUntil) }
        if let name = state.receiver, !name.isEmpty { fields.append(LogValueEntry("receiver", .string(name))) }
        add("mode_since", policy.modeSince)
        add("last_ping", policy.lastPing?.timestamp)
        add("earliest_ping", policy.earliestPing(battery: lastBattery?.state))
        if let last { fields.append(LogValueEntry("last_decision", .string(last.reason.rawValue))) }
        let counts = state.counts.map { LogValueEntry($0.key.rawValue, .int(Int64($0.value))) }
        fields.append(LogValueEntry("decisions", .map(counts.sorted { $0.key < $1.key })))
        if explains, let last { fields.append(LogValueEntry("explanation", .string(explanation(of: last)))) }
        return fields
    }

    private func explanation(of decision: PingDecision) -> String {
        let tuning = policy.settings[decision.mode]
        let interval = DurationText.text(policy.settings.interval(decision.mode, battery: lastBattery?.state))
        let what =
            switch decision.reason {
            case .first: "sent: nothing had been sent before"
            case .due: "sent: \(interval) and \(tuning.distance) m since the last ping were reached"
            case .requested: "sent: it was requested"
            case .heartbeat: "the last ping was repeated: nothing had been sent for the time of the heartbeat"
            case .interval: "not sent: \(interval) since the last ping were not reached"
            case .distance: "not sent: \(tuning.distance) m since the last ping were not reached"
            case .noAccuracy: "not sent: the accuracy of the fix is unknown"
            case .simulated: "not evaluated: the fix is simulated"
            case .late: "not evaluated: the fix is older than the last one"
            case .invalid: "not evaluated: the fix has no valid coordinate"
            }
        let speed = decision.speed.map { " at \(($0 * 10).rounded() / 10) m/s" } ?? ""
        return "\(decision.mode.rawValue)\(speed); \(what)"
    }

    // MARK: State

    /// The state as one line of JSON.
    package var json: [UInt8] {
        var text: [UInt8] = []
        text.append("{\"policy\":")
        text += policy.state.json
        func add(_ name: StaticString, _ time: Timestamp?) {
            guard let time else { return }
            text.append(",\"")
            text.append(name)
            text.append("\":")
            text.append(decimal: Int(time.nanoseconds))
        }
        add("stopped", state.stopped)
        add("until", state.stoppedUntil)
        if isPingRequested { text.append(",\"requested\":true") }
        if let receiver = state.receiver {
            text.append(",\"receiver\":")
            text.append(json: receiver)
        }
        if let place = state.significant {
            text.append(",\"significant\":")
            text.append(json: LogValue.array([.double(place.latitude), .double(place.longitude)]))
        }
        text.append(",\"decisions\":")
        let counts = state.counts.map { LogValueEntry($0.key.rawValue, .int(Int64($0.value))) }
        text.append(json: .map(counts.sorted { $0.key < $1.key }))
        text.append("}")
        return text
    }

    private mutating func restore(_ json: [UInt8]) {
        var reader = JSONReader(json)
        guard case .map(let entries)? = try? reader.value(), (try? reader.next()) == .end else { return }
        for entry in entries {
            switch (entry.key, entry.value) {
            case ("policy", .map):
                var text: [UInt8] = []
                text.append(json: entry.value)
                if let restored = PingPolicy.State(json: text) { policy.state = restored }
            case ("stopped", .int(let time)): state.stopped = Timestamp(nanoseconds: time)
            case ("until", .int(let time)): state.stoppedUntil = Timestamp(nanoseconds: time)
            case ("requested", .bool(let isRequested)): isPingRequested = isRequested
            case ("receiver", .string(let name)): state.receiver = name
            case ("significant", .array(let values)):
                let numbers = values.compactMap(\.real)
                if numbers.count == 2 { state.significant = Coordinate(latitude: numbers[0], longitude: numbers[1]) }
            case ("decisions", .map(let counts)):
                for count in counts {
                    guard let reason = PingDecision.Reason(rawValue: count.key), case .int(let number) = count.value
                    else { continue }
                    state.counts[reason] = Int(number)
                }
            default: continue
            }
        }
    }
}
