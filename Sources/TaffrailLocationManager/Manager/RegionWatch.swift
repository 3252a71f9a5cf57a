internal import Taffrail
internal import TaffrailGeo

/// Monitors one region.
struct RegionWatch: Sendable {
    let region: CircularRegion
    private(set) var state = RegionState.unknown
    /// The apparent side, and the time of the first fix there.
    private var candidate: (state: RegionState, since: Timestamp)?

    init(_ region: CircularRegion) { self.region = region }

    /// Returns the effect of a fix: the newly confirmed state, and whether the edge was crossed; `nil`: no change.
    mutating func take(_ location: Location, rules: RegionRules) -> (state: RegionState, isCrossing: Bool)? {
        let limit = rules.accuracyLimit ?? max(region.radius, 100)
        if let accuracy = location.horizontalAccuracy, accuracy > limit { return nil }
        let distance = region.center.distance(to: location.coordinate)
        let edge = region.radius + (state == .inside ? rules.hysteresis : 0)
        let seen = distance <= edge ? RegionState.inside : .outside
        guard seen != state else {
            candidate = nil
            return nil
        }
        guard state != .unknown else {
            state = seen
            return (seen, false)
        }
        let now = location.timestamp
        // When time goes backwards, as at the start of a repeated replay, the wait restarts.
        if candidate?.state != seen || candidate.map({ now < $0.since }) == true { candidate = (seen, now) }
        guard let since = candidate?.since, now - since >= rules.dwell else { return nil }
        state = seen
        candidate = nil
        return (seen, true)
    }
}
