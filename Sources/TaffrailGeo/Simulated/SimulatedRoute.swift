package import Taffrail

/// A constant-speed route through waypoints, or a single fixed position.
public struct SimulatedRoute: Sendable, Hashable {
    /// The waypoints, in order.
    public let points: [Coordinate]
    /// The speed in metres per second.
    public let speed: Double
    /// Whether to repeat the route; otherwise the last waypoint is final.
    public let loops: Bool
    /// The accuracy of the positions, in metres.
    public let accuracy: Double

    private struct Leg: Hashable {
        /// Its distance along the route, in metres.
        var start: Double
        var from: Coordinate
        var to: Coordinate
        var line: Geodesy.Line
    }

    private let legs: [Leg]
    /// The length of the route in metres.
    public let length: Double

    /// Creates a route.
    ///
    /// - Parameters:
    ///   - points: One or more waypoints; the result is `nil` without any, or with an invalid one.
    ///   - speed: Metres per second; more than 0. The default 20 is that of Xcode's `simctl location`.
    ///   - loops: Whether it begins again at its end.
    ///   - accuracy: In metres.
    public init?(_ points: [Coordinate], speed: Double = 20, loops: Bool = false, accuracy: Double = 5) {
        guard !points.isEmpty, points.allSatisfy(\.isValid), speed > 0, speed.isFinite else { return nil }
        self.points = points
        self.speed = speed
        self.loops = loops
        self.accuracy = accuracy
        var legs: [Leg] = []
        var length = 0.0
        for (start, end) in zip(points, points.dropFirst()) {
            let line = Geodesy.line(from: start, to: end)
            guard line.distance > 0 else { continue }
            legs.append(Leg(start: length, from: start, to: end, line: line))
            length += line.distance
        }
        self.legs = legs
        self.length = length
    }

    /// Returns whether the route has ended after some seconds.
    package func isOver(after seconds: Double) -> Bool { !loops && seconds * speed >= length }

    /// Returns the position after some seconds, marked as simulated.
    package func location(after seconds: Double, timestamp: Timestamp) -> Location {
        var distance = max(0, seconds) * speed
        if loops && length > 0 { distance = distance.truncatingRemainder(dividingBy: length) }
        var location = Location(coordinate: points[0], timestamp: timestamp)
        location.horizontalAccuracy = accuracy
        location.sourceInformation = .init(isSimulatedBySoftware: true)
        location.speed = 0
        guard let index = legs.lastIndex(where: { $0.start <= distance }) else { return location }
        let leg = legs[index]
        let rest = min(distance - leg.start, leg.line.distance)
        location.coordinate = Self.coordinate(on: leg, after: rest)
        guard loops || distance < length else { return location }
        location.speed = speed
        location.course =
            rest > 0 && rest < leg.line.distance
            ? Geodesy.bearing(from: location.coordinate, to: leg.to) : leg.line.initialBearing
        return location
    }

    /// Waypoints are exact. Between them, the last digits, which are artifacts of the computation, are rounded: 1e-11°
    /// is a micrometre.
    private static func coordinate(on leg: Leg, after distance: Double) -> Coordinate {
        guard distance > 0 else { return leg.from }
        guard distance < leg.line.distance else { return leg.to }
        let exact = Geodesy.destination(from: leg.from, bearing: leg.line.initialBearing, distance: distance)
        return Coordinate(
            latitude: (exact.latitude * 1e11).rounded() / 1e11, longitude: (exact.longitude * 1e11).rounded() / 1e11)
    }
}
