package import Taffrail
package import TaffrailGeo
internal import TaffrailText

/// The output of `gpspipe -w` for a gpsd: the last report of each epoch.
package struct PipedFixes {
    package private(set) var fixes: [Timestamp: Location] = [:]
    /// The reports of each epoch before the last one.
    private var earlier: [Timestamp: [Location]] = [:]
    /// The times in order of arrival: in a log that jumps back in time, later times precede earlier ones.
    package private(set) var moments: [Timestamp] = []

    /// Reads the output of gpspipe.
    package init(_ text: String) {
        var parser = GPSDParser()
        parser.read(text.utf8) { report in
            guard case .position(let position) = report, let time = position.time, let location = position.location
            else { return }
            if let before = fixes.updateValue(location, forKey: time) {
                earlier[time, default: []].append(before)
            } else {
                moments.append(time)
            }
        }
    }

    /// The epochs between two times.
    package func moments(from start: Timestamp, upTo end: Timestamp) -> ArraySlice<Timestamp> {
        moments.drop { $0 != start }.prefix { $0 != end }
    }

    /// The differences to the fixes recorded by another client, one line each, between two times in order of arrival.
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
            if let our = ours[time] { differences += Self.differences(our, their, time) }
        }
        return differences
    }

    /// Whether every recorded fix that differs from the last report of its epoch equals an earlier one: the client
    /// waits for later reports for a limited time, and on a busy machine they may arrive even later.
    package func areOnlyLate(_ recorded: [Location]) -> Bool {
        recorded.allSatisfy { our in
            guard let last = fixes[our.timestamp] else { return true }
            let all = (earlier[our.timestamp] ?? []) + [last]
            return all.contains { Self.differences(our, $0, our.timestamp).isEmpty }
        }
    }

    private static func differences(_ our: Location, _ their: Location, _ time: Timestamp) -> [String] {
        let values: [(String, Double?, Double?, Double)] = [
            ("latitude", our.coordinate.latitude, their.coordinate.latitude, 1e-7),
            ("longitude", our.coordinate.longitude, their.coordinate.longitude, 1e-7),
            ("altitude", our.altitude, their.altitude, 0.01),
            ("ellipsoidal altitude", our.ellipsoidalAltitude, their.ellipsoidalAltitude, 0.01),
            ("speed", our.speed, their.speed, 0.001), ("course", our.course, their.course, 0.001),
            ("accuracy", our.horizontalAccuracy, their.horizontalAccuracy, 0.01),
            ("vertical accuracy", our.verticalAccuracy, their.verticalAccuracy, 0.01),
        ]
        return values.compactMap { name, one, other, tolerance in
            // An earlier report may contain more than the last one.
            guard let other else { return nil }
            if let one, abs(one - other) <= tolerance { return nil }
            return "\(RFC3339.string(time)) \(name): \(one ?? .nan) for \(other)"
        }
    }
}
