internal import Taffrail
internal import TaffrailGeo

/// The filter of Transistorsoft's Background Geolocation: a distance that grows with the speed, by one more for each 5 m/s
/// begun, as its documentation calculates; after five minutes without a movement the source is closed until one
/// is detected, which takes some 200 m.
struct ElasticDistance: SimulatedPolicy {
    var metres: Double
    private var last: Location?
    private var rest: Location?
    private var estimate = SpeedEstimate()

    private static let stopTimeout = Duration.minutes(5)
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
        let isStill = fix.timestamp - rest.timestamp >= Self.stopTimeout
        return SimulatedStep(
            mode: isStill ? .stationaryDay : .moving, ping: isDue ? fix : nil,
            source: isStill ? .closedUntilMoved(metres: Self.detection) : .open)
    }
}
