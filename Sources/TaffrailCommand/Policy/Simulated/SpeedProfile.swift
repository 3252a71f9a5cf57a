internal import Taffrail
internal import TaffrailGeo

/// Colota with one profile of its kind "speed above": a fix each minute, and each 5 s while the mean of five speeds is above
/// 10 km/h and for a minute after.
struct SpeedProfile: SimulatedPolicy {
    private static let slow = Duration.seconds(60)
    private static let fast = Duration.seconds(5)
    private static let threshold = 10 / 3.6
    private static let delay = Duration.seconds(60)

    private var speeds: [Double] = []
    private var lastFast: Timestamp?
    private var estimate = SpeedEstimate()

    mutating func take(_ fix: Location) -> SimulatedStep {
        speeds.append(estimate.take(fix))
        if speeds.count > 5 { speeds.removeFirst() }
        if speeds.reduce(0, +) / Double(speeds.count) > Self.threshold { lastFast = fix.timestamp }
        let isFast = lastFast.map { fix.timestamp - $0 < Self.delay } ?? false
        return SimulatedStep(
            mode: isFast ? .moving : .stationaryDay, ping: fix,
            source: .closedFor(isFast ? Self.fast : Self.slow))
    }
}
