package import Taffrail
package import TaffrailGeo
internal import TaffrailText

/// A day of an invented person: a night at home, a walk, a drive to work, hours there, a drive back.
package enum DayOfLegs {
    package static let home = Coordinate(latitude: 55.6761, longitude: 12.5683)

    /// A stretch of the day: its duration in seconds, its speed in m/s and direction, and the seconds between its fixes.
    private static let legs: [(seconds: Double, speed: Double, bearing: Double, interval: Double)] = [
        (7 * 3_600, 0, 0, 60), (900, 1.4, 80, 2), (1_200, 16, 30, 1), (120, 0, 0, 1), (900, 24, 345, 1),
        (4 * 3_600, 0, 0, 30), (1_800, 1.6, 120, 5), (3 * 3_600, 0, 0, 30), (900, 24, 165, 1), (1_500, 14, 208, 1),
        (4 * 3_600, 0, 0, 60), (300, 1.2, 10, 5), (300, 1.2, 190, 5), (2 * 3_600, 0, 0, 300),
    ]

    /// The fixes of the day.
    ///
    /// - Parameters:
    ///   - start: The time of the first fix.
    ///   - hasSpeed: Whether the receiver measures speeds.
    ///   - noise: The standard deviation of the positions, in metres; half of their accuracy.
    package static func fixes(
        from start: Timestamp, hasSpeed: Bool = true, noise: Double = 2, seed: UInt64 = 7
    ) -> [Location] {
        var random = SeededGenerator(seed: seed)
        var fixes: [Location] = []
        var (place, time) = (home, 0.0)
        for leg in legs {
            let (origin, begin) = (place, time)
            while time < begin + leg.seconds {
                place = Geodesy.destination(from: origin, bearing: leg.bearing, distance: leg.speed * (time - begin))
                // The sum of twelve uniform numbers has a variance of 1.
                func deviation() -> Double {
                    var sum = -6.0
                    for _ in 0..<12 { sum += random.unit() }
                    return sum
                }
                var seen = Geodesy.destination(from: place, bearing: 0, distance: deviation() * noise)
                seen = Geodesy.destination(from: seen, bearing: 90, distance: deviation() * noise)
                var fix = Location(coordinate: seen, timestamp: start + .seconds(time))
                fix.horizontalAccuracy = noise * 2
                if hasSpeed { fix.speed = max(0, leg.speed + deviation() * 0.1 - (leg.speed == 0 ? 0.05 : 0)) }
                fix.course = hasSpeed && leg.speed > 0 ? leg.bearing : nil
                fixes.append(fix)
                time += leg.interval
            }
        }
        return fixes
    }
}
