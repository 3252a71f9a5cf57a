internal import TaffrailGeo

/// ``PingPolicy`` in a simulation.
struct SimulatedPingPolicy: SimulatedPolicy {
    var policy: PingPolicy

    mutating func take(_ fix: Location) -> SimulatedStep {
        let decision = policy.evaluate(fix)
        let wake = policy.settings.wake
        return SimulatedStep(
            mode: decision.mode, ping: decision.ping,
            source: decision.mode == .homeOrNight && wake > .zero ? .closedFor(wake) : .open)
    }
}
