public import Taffrail
public import TaffrailGeo
internal import TaffrailText

/// What can be said about a track: how far, how long, how fast, how high and where.
///
/// Fed event by event, in constant memory. Across an error event nothing is counted, since nobody knows what happened.
public struct TrackStatistics: Sendable, Hashable {
    /// From which speed on something moves, in metres a second: 1 km/h, as gpxpy has it.
    public static let movingSpeed = 1 / 3.6
    /// How far an altitude must go before it counts as a climb or descent, in metres; less is the receivers' noise.
    public static let climbThreshold = 2.0

    /// How many positions there are.
    public private(set) var points = 0
    /// How often the position was lost in between.
    public private(set) var gaps = 0
    /// The first position's time; `nil` without one.
    public private(set) var start: Timestamp?
    /// The last position's time; `nil` without one.
    public private(set) var end: Timestamp?
    /// The sum of the distances between successive positions on the WGS84 ellipsoid, in metres.
    public private(set) var distance = 0.0
    /// The part of ``distance`` in which it moved.
    public private(set) var movingDistance = 0.0
    /// For how long it moved, in seconds.
    public private(set) var movingTime = 0.0
    /// For how long it stood, in seconds.
    public private(set) var stoppedTime = 0.0
    /// The highest speed that a position tells; where none does, the highest between two positions; in metres a second.
    public var maximumSpeed: Double? { toldSpeed ?? measuredSpeed }
    /// Upwards, in metres, without changes of less than ``climbThreshold``.
    public private(set) var ascent = 0.0
    /// Downwards, in metres, likewise; positive.
    public private(set) var descent = 0.0
    /// The lowest altitude above mean sea level, in metres.
    public private(set) var minimumAltitude: Double?
    /// The highest altitude above mean sea level, in metres.
    public private(set) var maximumAltitude: Double?
    /// The smallest box around all positions.
    public var bounds: BoundingBox? { box.bounds }

    private var timedDistance = 0.0
    private var toldSpeed: Double?
    private var measuredSpeed: Double?
    private var previous: Location?
    private var altitudeMark: Double?
    private var hasPosition = false
    private var isInterrupted = false
    private var box = BoxBuilder()

    /// Nothing seen yet.
    public init() {}

    /// From the first to the last position, in seconds.
    public var duration: Double {
        guard let start, let end else { return 0 }
        return end.seconds(since: start)
    }

    /// The part of ``distance`` between positions with times over ``duration``, in metres a second; `nil` without a
    /// duration.
    public var averageSpeed: Double? { duration > 0 ? timedDistance / duration : nil }

    /// ``movingDistance`` over ``movingTime``, in metres a second; `nil` when it never moved.
    public var averageMovingSpeed: Double? { movingTime > 0 ? movingDistance / movingTime : nil }

    /// Takes an event in.
    public mutating func add(_ event: GeoEvent) {
        switch event {
        case .location(let location): add(location)
        case .error:
            previous = nil
            isInterrupted = hasPosition
        case .log: break
        }
    }

    private mutating func add(_ location: Location) {
        points += 1
        if isInterrupted { gaps += 1 }
        isInterrupted = false
        hasPosition = true
        if location.extra.hasNoTime != true {
            start = min(start ?? location.timestamp, location.timestamp)
            end = max(end ?? location.timestamp, location.timestamp)
        }
        box.add(location.coordinate)
        if let speed = location.speed { toldSpeed = max(toldSpeed ?? 0, speed) }
        if let altitude = location.meanSeaLevelAltitude { add(altitude: altitude) }
        if let previous { add(from: previous, to: location) }
        previous = location
    }

    private mutating func add(from previous: Location, to location: Location) {
        let length = Geodesy.distance(previous.coordinate, location.coordinate)
        distance += length
        let time = location.timestamp.seconds(since: previous.timestamp)
        guard time > 0, location.extra.hasNoTime != true, previous.extra.hasNoTime != true else { return }
        timedDistance += length
        measuredSpeed = max(measuredSpeed ?? 0, length / time)
        if length / time > Self.movingSpeed {
            movingDistance += length
            movingTime += time
        } else {
            stoppedTime += time
        }
    }

    private mutating func add(altitude: Double) {
        minimumAltitude = min(minimumAltitude ?? altitude, altitude)
        maximumAltitude = max(maximumAltitude ?? altitude, altitude)
        guard let mark = altitudeMark else {
            altitudeMark = altitude
            return
        }
        let change = altitude - mark
        guard abs(change) >= Self.climbThreshold else { return }
        if change > 0 { ascent += change } else { descent -= change }
        altitudeMark = altitude
    }
}

/// A box of latitudes and longitudes.
public struct BoundingBox: Sendable, Hashable {
    /// The southern edge, in degrees.
    public var south: Double
    /// The western edge, in degrees, −180 to 180.
    public var west: Double
    /// The northern edge, in degrees.
    public var north: Double
    /// The eastern edge, in degrees, −180 to 180; less than ``west`` where the box lies across the antimeridian.
    public var east: Double
}

/// Finds the box of a way that may cross the antimeridian: longitudes are counted on through it.
private struct BoxBuilder: Hashable {
    private var south = Double.infinity
    private var north = -Double.infinity
    private var west = Double.infinity
    private var east = -Double.infinity
    private var last: Double?

    mutating func add(_ coordinate: Coordinate) {
        south = min(south, coordinate.latitude)
        north = max(north, coordinate.latitude)
        let longitude =
            last.map { $0 + (coordinate.longitude - $0).remainder(dividingBy: 360) } ?? coordinate.longitude
        last = longitude
        west = min(west, longitude)
        east = max(east, longitude)
    }

    var bounds: BoundingBox? {
        guard last != nil else { return nil }
        if east - west >= 360 { return BoundingBox(south: south, west: -180, north: north, east: 180) }
        return BoundingBox(south: south, west: Self.wrapped(west), north: north, east: Self.wrapped(east))
    }

    /// The same meridian in −180 to 180; what is in it already stays as it is.
    private static func wrapped(_ longitude: Double) -> Double {
        abs(longitude) <= 180 ? longitude : longitude.remainder(dividingBy: 360)
    }
}
