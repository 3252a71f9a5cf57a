internal import Taffrail
internal import TaffrailGeo

/// Detects stays in a series of fixes, in constant memory.
struct VisitWatch: Sendable {
    private struct Stay {
        var middle: Coordinate
        var count = 1.0
        var spread: Double
        var first: Timestamp
        var last: Timestamp
        var isReported = false

        init(_ location: Location) {
            middle = location.coordinate
            spread = location.horizontalAccuracy ?? 0
            first = location.timestamp
            last = location.timestamp
        }

        mutating func add(_ location: Location, distance: Double) {
            // The centre is a running mean; the difference of longitudes is taken the short way round.
            count += 1
            let east = Geodesy.wrapped(location.coordinate.longitude - middle.longitude)
            middle.latitude += (location.coordinate.latitude - middle.latitude) / count
            middle.longitude = Geodesy.wrapped(middle.longitude + east / count)
            spread = max(spread, max(distance, location.horizontalAccuracy ?? 0))
            last = max(last, location.timestamp)
        }

        func visit(hasEnded: Bool) -> Visit {
            Visit(
                coordinate: middle, horizontalAccuracy: spread, arrivalDate: first,
                departureDate: hasEnded ? last : nil)
        }
    }

    private var stay: Stay?
    /// The number of fixes outside of the stay since the last one inside.
    private var outside = 0

    init() {}

    /// Returns the effect of a fix: an arrival, a departure, or nothing.
    mutating func take(_ location: Location, rules: VisitRules) -> Visit? {
        if let accuracy = location.horizontalAccuracy, accuracy > rules.accuracyLimit { return nil }
        guard var current = stay, location.timestamp >= current.first else {
            // Time has gone back, as at the start of a repeated replay: the stay has ended.
            let ended = stay.flatMap { $0.isReported ? $0.visit(hasEnded: true) : nil }
            begin(at: location)
            return ended
        }
        let distance = current.middle.distance(to: location.coordinate)
        guard distance <= rules.radius else {
            outside += 1
            guard outside >= max(1, current.isReported ? rules.fixesOutside : 1) else { return nil }
            begin(at: location)
            return current.isReported ? current.visit(hasEnded: true) : nil
        }
        outside = 0
        current.add(location, distance: distance)
        defer { stay = current }
        guard !current.isReported, current.last - current.first >= rules.dwell else { return nil }
        current.isReported = true
        return current.visit(hasEnded: false)
    }

    private mutating func begin(at location: Location) {
        outside = 0
        stay = Stay(location)
    }
}
