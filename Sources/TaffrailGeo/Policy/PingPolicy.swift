public import Taffrail

/// Decides for each fix in which mode a device is, and whether its position is sent.
///
/// The mode is `moving` at the speed of a walk or more, else `homeOrNight` at home or at night, else `stationaryDay`. A
/// position is sent if both the minimum interval and the minimum distance of the mode are reached since the last one.
/// All times are those of the fixes, so that a replay at any rate and a backlog have the same result. The policy does
/// no input or output; use each value on one thread.
public struct PingPolicy: Sendable, Hashable {
    /// A fix up to this much older than the last one is ignored. An even older one shows that the clock was set back.
    static let lateness = Duration.seconds(60)

    /// The settings.
    public var settings: PingSettings
    /// The home; `nil` if unknown.
    public var home: Coordinate? { didSet { if home != oldValue { state.isHome = false } } }
    /// The state of the policy between fixes.
    package var state: State

    /// Creates a policy that has seen no fix.
    public init(_ settings: PingSettings = PingSettings(), home: Coordinate? = nil) {
        self.settings = settings
        self.home = home
        state = State()
    }

    /// Creates a policy that continues from a state.
    package init(_ settings: PingSettings, home: Coordinate?, state: State) {
        self.settings = settings
        self.home = home
        self.state = state
    }

    /// The mode after the last fix. At first `stationaryDay`.
    public var mode: PingMode { state.mode }

    /// The time of the fix that began the mode; `nil` before the first fix.
    public var modeSince: Timestamp? { state.modeSince }

    /// The last ping, with its own time; `nil` before the first.
    public var lastPing: Location? { state.lastPing }

    /// Evaluates a fix.
    ///
    /// - Parameters:
    ///   - fix: The fix.
    ///   - battery: The state of the battery at that time; `nil`: there is none.
    ///   - trigger: The cause of the evaluation, which is copied into the decision.
    ///   - isRequested: Whether the fix is sent even if interval or distance are not reached. Default `false`.
    public mutating func evaluate(
        _ fix: Location, battery: BatteryState? = nil, trigger: PingDecision.Trigger = .fix, isRequested: Bool = false
    ) -> PingDecision {
        guard fix.coordinate.isValid else { return decision(.invalid, trigger) }
        guard settings.simulated || !fix.isSimulated else { return decision(.simulated, trigger) }
        if let last = state.lastFix, fix.timestamp < last {
            guard last - fix.timestamp > Self.lateness else { return decision(.late, trigger) }
            restart(at: fix.timestamp)
        }
        let speed = state.motion.take(fix, after: state.lastFix, settings)
        state.lastFix = fix.timestamp
        updateHome(fix)
        enter(newMode(at: fix.timestamp), at: fix.timestamp)
        return decide(fix, battery, trigger, speed, isRequested)
    }

    /// Returns the repetition of the last ping, if it is due.
    ///
    /// ``evaluate(_:battery:trigger:isRequested:)`` repeats it as well; this is for times without fixes.
    public mutating func heartbeat(at now: Timestamp) -> PingDecision? {
        guard isHeartbeatDue(at: now) else { return nil }
        state.lastSent = now
        return decision(.heartbeat, .fix, ping: state.lastPing)
    }

    /// Returns the earliest time of the next ping, at which the minimum interval is reached; `nil` before the first
    /// ping.
    public func earliestPing(battery: BatteryState? = nil) -> Timestamp? {
        state.intervalStart.map { $0 + settings.interval(state.mode, battery: battery) }
    }

    /// Measures times from a new start, after the clock was set back.
    private mutating func restart(at time: Timestamp) {
        state.motion = MotionEstimate()
        if state.intervalStart != nil { state.intervalStart = time }
        if state.lastSent != nil { state.lastSent = time }
        if state.modeSince != nil { state.modeSince = time }
    }

    private mutating func updateHome(_ fix: Location) {
        guard let home else { return }
        let limit = settings.homeRadius + (state.isHome ? settings.homeHysteresis : 0)
        state.isHome = Geodesy.distance(home, fix.coordinate) <= limit
    }

    private func newMode(at time: Timestamp) -> PingMode {
        if state.motion.isMoving { return .moving }
        if state.isHome || settings.night?.contains(time) == true { return .homeOrNight }
        return .stationaryDay
    }

    private mutating func enter(_ mode: PingMode, at time: Timestamp) {
        guard mode != state.mode || state.modeSince == nil else { return }
        state.mode = mode
        state.modeSince = time
    }

    private mutating func decide(
        _ fix: Location, _ battery: BatteryState?, _ trigger: PingDecision.Trigger, _ speed: Double?,
        _ isRequested: Bool
    ) -> PingDecision {
        let refusal = refusal(of: fix, battery)
        let isForced = isRequested && refusal != .noAccuracy
        guard let refusal, !isForced else {
            let reason: PingDecision.Reason = state.lastPing == nil ? .first : refusal == nil ? .due : .requested
            state.lastPing = fix
            state.intervalStart = fix.timestamp
            state.lastSent = fix.timestamp
            return decision(reason, trigger, ping: fix, speed: speed)
        }
        if isHeartbeatDue(at: fix.timestamp) {
            state.lastSent = fix.timestamp
            return decision(.heartbeat, trigger, ping: state.lastPing, speed: speed)
        }
        return decision(refusal, trigger, speed: speed)
    }

    /// Returns why a fix is not sent.
    private func refusal(of fix: Location, _ battery: BatteryState?) -> PingDecision.Reason? {
        guard let accuracy = fix.horizontalAccuracy, accuracy.isFinite, accuracy >= 0 else { return .noAccuracy }
        guard let last = state.lastPing, let start = state.intervalStart else { return nil }
        let interval = settings.interval(state.mode, battery: battery)
        if fix.timestamp - start < interval { return .interval }
        let distance = Geodesy.distance(last.coordinate, fix.coordinate)
        return distance < settings[state.mode].distance ? .distance : nil
    }

    private func isHeartbeatDue(at now: Timestamp) -> Bool {
        guard let heartbeat = settings.heartbeat, let sent = state.lastSent, state.lastPing != nil else { return false }
        return now - sent >= heartbeat
    }

    private func decision(
        _ reason: PingDecision.Reason, _ trigger: PingDecision.Trigger, ping: Location? = nil, speed: Double? = nil
    ) -> PingDecision {
        PingDecision(mode: state.mode, reason: reason, trigger: trigger, ping: ping, speed: speed)
    }
}
