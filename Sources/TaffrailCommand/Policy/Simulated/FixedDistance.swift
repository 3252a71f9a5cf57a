internal import TaffrailGeo

/// A ping after each fixed distance.
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
