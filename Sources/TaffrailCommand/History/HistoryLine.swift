#if Command && Store
internal import TaffrailGeo
internal import TaffrailStore
internal import TaffrailText

/// Points as lines.
enum HistoryLine {
    /// Returns a line for a person: time, coordinates, accuracy, speed, device.
    static func text(_ point: TrackPoint) -> String {
        var location = point.location
        location.extra = Location.Extra()
        return "\(RFC3339.string(point.timestamp))  \(location.summary)  \(TerminalText.safe(point.device))"
            + (reason(point).map { "  \($0)" } ?? "")
    }

    /// Returns the reason why a point is not part of trips; `nil` if it is.
    private static func reason(_ point: TrackPoint) -> String? {
        [(TrackPoint.Flags.jump, "jump"), (.drift, "drift"), (.inaccurate, "inaccurate")]
            .first { point.flags.contains($0.0) }?.1
    }

    /// Returns a JSON object: the names of `TrackPoint`, without unknown values.
    static func json(_ point: TrackPoint) -> String {
        var line = JSONObject()
        line.add("id", "\(point.id)")
        line.add("timestamp", RFC3339.string(point.timestamp, decimals: 9))
        let numbers: [(String, Double?)] = [
            ("lat", point.lat), ("lon", point.lon), ("hAcc", point.hAcc), ("speed", point.speed),
            ("altitude", point.altitude), ("course", point.course), ("verticalAccuracy", point.verticalAccuracy),
            ("climb", point.climb), ("battery", point.battery),
        ]
        for (name, value) in numbers {
            if let value { line.add(name, value) }
        }
        line.add("device", point.device)
        line.add("session", point.session)
        line.add("source", known: point.source)
        line.add("localOffset", whole: point.localOffset?.components.seconds)
        line.add("run", known: point.run.map { "\($0)" })
        line.add("seq", whole: point.sequence)
        line.add("lastSeen", known: point.lastSeen.map { RFC3339.string($0) })
        for (flag, name) in [(TrackPoint.Flags.untimed, "untimed"), (.simulated, "simulated")]
        where point.flags.contains(flag) { line.add(name, true) }
        line.add("leftOut", known: reason(point))
        return line.string
    }
}
#endif
