internal import TaffrailGeo

/// A ping at each interval; the source is opened for one fix per ping.
struct FixedInterval: SimulatedPolicy {
    var interval: Duration

    mutating func take(_ fix: Location) -> SimulatedStep {
        SimulatedStep(mode: .moving, ping: fix, source: .closedFor(interval))
    }
}
