internal import Foundation
internal import Taffrail
package import TaffrailGeo

/// A day of a person whose visits and trips are known: a night at home, a drive to work through a tunnel, a walk to a
/// café in which there are no fixes for 40 minutes, and the drive back; with noise, drift indoors, and fixes that jump.
package struct GeneratedDay: Sendable {
    /// A stay, in seconds since the day's start.
    package struct Visit: Sendable {
        package var place: Coordinate
        package var arrival: Double
        package var departure: Double
    }

    /// A journey, in seconds since the day's start.
    package struct Trip: Sendable {
        package var departure: Double
        package var arrival: Double
        /// In metres.
        package var distance: Double
    }

    /// The start of the day: 2026-01-05 00:00 UTC.
    package static let start: Int64 = 1_767_571_200_000_000_000

    package private(set) var visits: [Visit] = []
    package private(set) var trips: [Trip] = []
    /// The fixes, in chronological order.
    package private(set) var fixes: [Location] = []
    /// The seconds of the fixes that jump.
    package private(set) var jumps: [Double] = []

    private let interval: Double
    private var generator: SeededGenerator
    private var second = 0.0
    private var place: Coordinate
    private var noise = (x: 0.0, y: 0.0)
    /// When the next fix is due.
    private var due = 0.0

    /// The accuracy of fixes.
    private struct Reception {
        /// Metres, and the seconds over which noise changes.
        var noise: Double
        var period: Double
        var accuracy: Double

        static let outside = Reception(noise: 2.5, period: 40, accuracy: 5)
        static let inside = Reception(noise: 12, period: 150, accuracy: 25)
        static let night = Reception(noise: 20, period: 600, accuracy: 45)
    }

    /// - Parameter interval: The seconds between two fixes.
    package init(interval: Double, seed: UInt64 = 1) {
        self.interval = interval
        generator = SeededGenerator(seed: seed)
        place = Coordinate(latitude: 55.6761, longitude: 12.5683)
        let hour = 3_600.0
        let drive = Self.route(from: place, bearing: 80, pieces: 14, length: 1_000, bend: 14, straight: [7, 8])
        let work = drive[drive.count - 1]
        let walk = Self.route(from: work, bearing: 200, pieces: 3, length: 320, bend: 20)
        stay(until: 7.5 * hour, .night)
        travel(drive, speed: 17, hidden: [6, 7, 8], stops: [2, 4, 9, 12])
        stay(until: 12 * hour, .inside, driftsEvery: 2_700)
        travel(walk, speed: 1.45)
        stay(until: second + 40 * 60, nil)
        travel(walk.reversed(), speed: 1.45)
        stay(until: 17 * hour, .inside, driftsEvery: 3_100)
        travel(drive.reversed(), speed: 15, stops: [3, 7, 8, 11])
        stay(until: 24 * hour, .night, driftsEvery: 5_000)
    }

    /// Straight pieces with bends between them, except after some.
    private static func route(
        from start: Coordinate, bearing: Double, pieces: Int, length: Double, bend: Double, straight: Set<Int> = []
    ) -> [Coordinate] {
        var (bearing, points) = (bearing, [start])
        for piece in 0..<pieces {
            if piece > 0, !straight.contains(piece) { bearing += piece % 3 == 0 ? -bend * 1.5 : bend }
            points.append(Geodesy.destination(from: points[piece], bearing: bearing, distance: length))
        }
        return points
    }

    // MARK: Parts

    private mutating func stay(until end: Double, _ reception: Reception?, driftsEvery period: Double? = nil) {
        let begin = second
        visits.append(Visit(place: place, arrival: begin, departure: end))
        let centre = Geodesy.destination(from: place, bearing: 140, distance: 0)
        while second < end {
            var (seen, accuracy) = (centre, reception?.accuracy ?? 0)
            // Moves 170 m away and back, for four minutes.
            if let period {
                let phase = (second - begin).truncatingRemainder(dividingBy: period) - (period - 600)
                if (0..<240).contains(phase) {
                    seen = Geodesy.destination(from: place, bearing: 140, distance: 170 * sin(phase / 240 * .pi))
                    accuracy = 60
                }
            }
            report(
                reception.map { Reception(noise: $0.noise, period: $0.period, accuracy: accuracy) }, at: seen, speed: 0)
            second += 1
        }
    }

    /// Moves along a route.
    ///
    /// - Parameters:
    ///   - hidden: Pieces without fixes: a tunnel.
    ///   - stops: Pieces that end at a traffic light.
    private mutating func travel(
        _ route: [Coordinate], speed: Double, hidden: Set<Int> = [], stops: Set<Int> = []
    ) {
        let begin = second
        let pieces = route.count - 1
        var (pace, jumpAt, total) = (0.0, 3, 0.0)
        for piece in 0..<pieces {
            let isHidden = hidden.contains(piece)
            let from = route[piece]
            let line = Geodesy.line(from: from, to: route[piece + 1])
            let (length, bearing) = (line.distance, line.initialBearing)
            total += length
            var along = 0.0
            let stopsThere = stops.contains(piece) || piece == pieces - 1
            while along < length {
                // Brakes before a stop, and accelerates after it.
                let left = length - along
                let wanted = stopsThere ? min(speed, max(0.7, (2 * 1.2 * left).squareRoot())) : speed
                pace = min(wanted, pace + 1.2)
                along = min(length, along + pace)
                place = Geodesy.destination(from: from, bearing: bearing, distance: along)
                second += 1
                guard !isHidden else { continue }
                var seen = place
                if pace > 5, piece == jumpAt, along > length / 2 {
                    seen = Geodesy.destination(from: place, bearing: bearing + 90, distance: 6_000)
                    if second >= due {
                        jumps.append(second)
                        jumpAt += 4
                    }
                }
                report(.outside, at: seen, speed: pace, course: bearing)
            }
            if stops.contains(piece) {
                pace = 0
                for _ in 0..<45 {
                    second += 1
                    report(.outside, at: place, speed: 0)
                }
            }
        }
        trips.append(Trip(departure: begin, arrival: second, distance: total))
    }

    /// Adds a fix when one is due.
    private mutating func report(_ reception: Reception?, at seen: Coordinate, speed: Double, course: Double? = nil) {
        // Adds a noise that changes slowly to one that changes with each fix.
        if let reception {
            let keep = exp(-1 / reception.period)
            let step = reception.noise * (1 - keep * keep).squareRoot()
            noise = (noise.x * keep + step * normal(), noise.y * keep + step * normal())
        }
        guard second >= due, let reception else { return }
        due = (second / interval).rounded(.down) * interval + interval
        let limit = reception.noise * 2.5
        let (x, y) = (
            max(-limit, min(limit, noise.x)) + normal() * 0.4, max(-limit, min(limit, noise.y)) + normal() * 0.4
        )
        let noisy = Geodesy.destination(
            from: seen, bearing: atan2(x, y) * 180 / .pi, distance: (x * x + y * y).squareRoot())
        var location = Location(
            latitude: noisy.latitude, longitude: noisy.longitude,
            timestamp: Timestamp(nanoseconds: Self.start + Int64(second * 1e9)))
        location.horizontalAccuracy = reception.accuracy
        location.speed = speed
        if let course { location.course = (course + 720).truncatingRemainder(dividingBy: 360) }
        fixes.append(location)
    }

    private mutating func normal() -> Double {
        let (one, two) = (generator.unit() * (1 - 1e-12) + 1e-12, generator.unit())
        return (-2 * log(one)).squareRoot() * cos(2 * .pi * two)
    }
}
