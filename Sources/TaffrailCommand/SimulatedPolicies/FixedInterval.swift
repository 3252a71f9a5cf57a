internal import TaffrailGeo

/// A ping each interval; the source is open for one fix each.
struct FixedInterval: SimulatedPolicy {
    var interval: Duration

    mutating func take(_ fix: Location) -> SimulatedStep {
        SimulatedStep(mode: .moving, ping: fix, source: .closedFor(interval))
    }
}
