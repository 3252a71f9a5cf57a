internal import Taffrail
internal import TaffrailGeo

/// OwnTracks' mode "move": a ping every 100 m or 300 s, whichever comes first.
struct MoveMode: SimulatedPolicy {
    private var last: Location?

    mutating func take(_ fix: Location) -> SimulatedStep {
        let isDue =
            last.map { $0.distance(from: fix) >= 100 || fix.timestamp - $0.timestamp >= .minutes(5) } ?? true
        if isDue { last = fix }
        return SimulatedStep(mode: .moving, ping: isDue ? fix : nil, source: .open)
    }
}
