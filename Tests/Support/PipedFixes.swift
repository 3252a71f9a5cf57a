package import Taffrail
package import TaffrailGeo
internal import TaffrailText

/// The output of `gpspipe -w` for a gpsd: the last report of each epoch.
package struct PipedFixes {
    package private(set) var fixes: [Timestamp: Location] = [:]
    /// The moments in the order in which they came: a log that jumps back in time has later ones in front.
    package private(set) var moments: [Timestamp] = []

    /// Reads what gpspipe has written.
    package init(_ text: String) {
        var parser = GPSDParser()
        parser.read(text.utf8) { report in
            guard case .position(let position) = report, let time = position.time, let location = position.location
            else { return }
            if fixes.updateValue(location, forKey: time) == nil { moments.append(time) }
        }
    }

    /// The epochs from one to another.
    package func moments(from start: Timestamp, upTo end: Timestamp) -> ArraySlice<Timestamp> {
        moments.drop { $0 != start }.prefix { $0 != end }
    }

    /// How what another client has recorded differs from it, one line each, from the coming of one moment up to that of
    /// another.
    package func differences(to recorded: [Location], from start: Timestamp, upTo end: Timestamp) -> [String] {
        var differences: [String] = []
        var ours: [Timestamp: Location] = [:]
        let timed = recorded.filter { $0.extra.hasNoTime != true }
        for location in timed.drop(while: { $0.timestamp != start }).prefix(while: { $0.timestamp != end }) {
            if ours.updateValue(location, forKey: location.timestamp) != nil {
                differences.append("twice: \(RFC3339.string(location.timestamp))")
            }
        }
        let compared = Set(moments(from: start, upTo: end))
        let theirs = fixes.filter { compared.contains($0.key) }
        differences += Set(ours.keys).symmetricDifference(theirs.keys).map { "one has only \(RFC3339.string($0))" }
        for (time, their) in theirs {
            guard let our = ours[time] else { continue }
            for (name, one, other, tolerance) in [
                ("latitude", our.coordinate.latitude, their.coordinate.latitude, 1e-7),
                ("longitude", our.coordinate.longitude, their.coordinate.longitude, 1e-7),
                ("altitude", our.altitude, their.altitude, 0.01),
                ("ellipsoidal altitude", our.ellipsoidalAltitude, their.ellipsoidalAltitude, 0.01),
                ("speed", our.speed, their.speed, 0.001), ("course", our.course, their.course, 0.001),
                ("accuracy", our.horizontalAccuracy, their.horizontalAccuracy, 0.01),
                ("vertical accuracy", our.verticalAccuracy, their.verticalAccuracy, 0.01),
            ] as [(String, Double?, Double?, Double)] {
                // An earlier report may contain more than the last one.
                guard let other else { continue }
                guard let one, abs(one - other) <= tolerance else {
                    differences.append("\(RFC3339.string(time)) \(name): \(one ?? .nan) for \(other)")
                    continue
                }
            }
        }
        return differences
    }
}
