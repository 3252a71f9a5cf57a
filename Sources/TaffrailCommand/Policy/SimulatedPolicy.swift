internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// A policy in a simulation: which positions it sends, and when it needs the source of positions.
protocol SimulatedPolicy {
    /// Evaluates a fix, which has an accuracy.
    mutating func take(_ fix: Location) -> SimulatedStep
}

/// The step of a policy after a fix.
struct SimulatedStep: Sendable, Hashable {
    /// The source until the next fix.
    enum Source: Sendable, Hashable {
        /// It stays open.
        case open
        /// It is closed, and opened for one fix after `seconds`.
        case closedFor(seconds: Double)
        /// It is closed until the device has moved by `metres`, which other means detect.
        case closedUntilMoved(metres: Double)
    }

    var mode: PingMode
    var ping: Location?
    var source: Source
}

/// ``PingPolicy`` in a simulation.
struct SimulatedPingPolicy: SimulatedPolicy {
    var policy: PingPolicy

    mutating func take(_ fix: Location) -> SimulatedStep {
        let decision = policy.evaluate(fix)
        let wake = policy.settings.wake / .seconds(1)
        return SimulatedStep(
            mode: decision.mode, ping: decision.ping,
            source: decision.mode == .homeOrNight && wake > 0 ? .closedFor(seconds: wake) : .open)
    }
}

/// A ping each interval; the source is open for one fix each.
struct FixedInterval: SimulatedPolicy {
    var seconds: Double

    mutating func take(_ fix: Location) -> SimulatedStep {
        SimulatedStep(mode: .moving, ping: fix, source: .closedFor(seconds: seconds))
    }
}

/// A ping each distance.
struct FixedDistance: SimulatedPolicy {
    var metres: Double
    private var last: Location?

    init(metres: Double) { self.metres = metres }

    mutating func take(_ fix: Location) -> SimulatedStep {
        let isDue = last.map { $0.distance(from: fix) >= metres } ?? true
        if isDue { last = fix }
        return SimulatedStep(mode: .moving, ping: isDue ? fix : nil, source: .open)
    }
}

/// The filter of Transistorsoft's Background Geolocation: a distance that grows with the speed, by one more for each 5 m/s
/// begun, as its documentation calculates; after five minutes without a movement the source is closed until one
/// is detected, which takes some 200 m.
struct ElasticDistance: SimulatedPolicy {
    var metres: Double
    private var last: Location?
    private var rest: Location?
    private var estimate = SpeedEstimate()

    private static let stopTimeout = 300.0
    private static let stationaryRadius = 25.0
    private static let detection = 200.0

    init(metres: Double) { self.metres = metres }

    mutating func take(_ fix: Location) -> SimulatedStep {
        let speed = estimate.take(fix)
        let distance = metres * max(1, (speed / 5).rounded(.up))
        let isDue = last.map { $0.distance(from: fix) >= distance } ?? true
        if isDue { last = fix }
        guard let rest, rest.distance(from: fix) <= Self.stationaryRadius else {
            rest = fix
            return SimulatedStep(mode: .moving, ping: isDue ? fix : nil, source: .open)
        }
        let isStill = fix.timestamp.seconds(since: rest.timestamp) >= Self.stopTimeout
        return SimulatedStep(
            mode: isStill ? .stationaryDay : .moving, ping: isDue ? fix : nil,
            source: isStill ? .closedUntilMoved(metres: Self.detection) : .open)
    }
}

/// Colota with one profile of its kind "speed above": a fix each minute, and each 5 s while the mean of five speeds is above
/// 10 km/h and for a minute after.
struct SpeedProfile: SimulatedPolicy {
    private static let slow = 60.0
    private static let fast = 5.0
    private static let threshold = 10 / 3.6
    private static let delay = 60.0

    private var speeds: [Double] = []
    private var lastFast: Timestamp?
    private var estimate = SpeedEstimate()

    mutating func take(_ fix: Location) -> SimulatedStep {
        speeds.append(estimate.take(fix))
        if speeds.count > 5 { speeds.removeFirst() }
        if speeds.reduce(0, +) / Double(speeds.count) > Self.threshold { lastFast = fix.timestamp }
        let isFast = lastFast.map { fix.timestamp.seconds(since: $0) < Self.delay } ?? false
        return SimulatedStep(
            mode: isFast ? .moving : .stationaryDay, ping: fix,
            source: .closedFor(seconds: isFast ? Self.fast : Self.slow))
    }
}

/// OwnTracks' mode "move": a ping each 100 m or 300 s, whichever is first.
struct MoveMode: SimulatedPolicy {
    private var last: Location?

    mutating func take(_ fix: Location) -> SimulatedStep {
        let isDue =
            last.map { $0.distance(from: fix) >= 100 || fix.timestamp.seconds(since: $0.timestamp) >= 300 } ?? true
        if isDue { last = fix }
        return SimulatedStep(mode: .moving, ping: isDue ? fix : nil, source: .open)
    }
}

/// The speed of a fix, else that between it and the last one.
private struct SpeedEstimate {
    private var last: Location?

    mutating func take(_ fix: Location) -> Double {
        defer { last = fix }
        if let speed = fix.speed { return speed }
        guard let last else { return 0 }
        let seconds = fix.timestamp.seconds(since: last.timestamp)
        return seconds > 0 ? last.distance(from: fix) / seconds : 0
    }
}
