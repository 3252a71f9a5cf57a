internal import TaffrailGeo
internal import TaffrailText

/// The speed of a fix, else that between it and the last one.
struct SpeedEstimate {
    private var last: Location?

    mutating func take(_ fix: Location) -> Double {
        defer { last = fix }
        if let speed = fix.speed { return speed }
        guard let last else { return 0 }
        let seconds = fix.timestamp.seconds(since: last.timestamp)
        return seconds > 0 ? last.distance(from: fix) / seconds : 0
    }
}
