public import Taffrail
public import TaffrailGeo
internal import TaffrailText

/// Statistics of a track: distance, time, speed, altitude and extent.
///
/// Updated event by event, in constant memory. Gaps, which error events mark, are not counted.
public struct TrackStatistics: Sendable, Hashable {
    /// The minimum speed of movement, in metres per second: 1 km/h, as in gpxpy.
    public static let movingSpeed = 1 / 3.6
    /// The minimum change of altitude that counts as a climb or descent, in metres; smaller changes are receiver noise.
    public static let climbThreshold = 2.0

    /// The number of positions.
    public private(set) var points = 0
    /// The number of times that the position was lost between two positions.
    public private(set) var gaps = 0
    /// The first position's time; `nil` if it has none.
    public private(set) var start: Timestamp?
    /// The last position's time; `nil` if it has none.
    public private(set) var end: Timestamp?
    /// The sum of the distances between successive positions on the WGS84 ellipsoid, in metres.
    public private(set) var distance = 0.0
    /// The part of ``distance`` while moving.
    public private(set) var movingDistance = 0.0
    /// The time moving.
    public var movingTime: Duration { Duration(clampingSeconds: movingSeconds) }
    /// The time stopped.
    public var stoppedTime: Duration { Duration(clampingSeconds: stoppedSeconds) }
    /// The highest speed of a position or, if no position has a speed, between two positions; in metres per second.
    public var maximumSpeed: Double? { reportedSpeed ?? measuredSpeed }
    /// The total climb in metres, without changes of less than ``climbThreshold``.
    public private(set) var ascent = 0.0
    /// The total descent in metres, likewise; positive.
    public private(set) var descent = 0.0
    /// The lowest altitude above mean sea level, in metres.
    public private(set) var minimumAltitude: Double?
    /// The highest altitude above mean sea level, in metres.
    public private(set) var maximumAltitude: Double?
    /// The smallest box around all positions.
    public var bounds: CoordinateBox? { box.bounds }

    private(set) var movingSeconds = 0.0
    private(set) var stoppedSeconds = 0.0
    private var timedDistance = 0.0
    private var reportedSpeed: Double?
    private var measuredSpeed: Double?
    private var previous: Location?
    private var altitudeMark: Double?
    private var hasPosition = false
    private var isInterrupted = false
    private var box = BoxBuilder()

    /// No events yet.
    public init() {}

    /// The time from the first to the last position.
    public var duration: Duration { Duration(clampingSeconds: seconds) }

    /// ``duration`` in seconds.
    var seconds: Double {
        guard let start, let end else { return 0 }
        return end.seconds(since: start)
    }

    /// The part of ``distance`` between positions with times, divided by the time between them, in metres per second;
    /// `nil` without such a time. Gaps count towards neither.
    public var averageSpeed: Double? {
        let timedSeconds = movingSeconds + stoppedSeconds
        return timedSeconds > 0 ? timedDistance / timedSeconds : nil
    }

    /// ``movingDistance`` divided by ``movingTime``, in metres per second; `nil` without movement.
    public var averageMovingSpeed: Double? { movingSeconds > 0 ? movingDistance / movingSeconds : nil }

    /// Adds an event.
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
        if let time = location.fixTime {
            start = min(start ?? time, time)
            end = max(end ?? time, time)
        }
        box.add(location.coordinate)
        if let speed = location.speed { reportedSpeed = max(reportedSpeed ?? 0, speed) }
        if let altitude = location.meanSeaLevelAltitude { add(altitude: altitude) }
        if let previous { add(from: previous, to: location) }
        previous = location
    }

    private mutating func add(from previous: Location, to location: Location) {
        let length = Geodesy.distance(previous.coordinate, location.coordinate)
        distance += length
        let time = location.timestamp.seconds(since: previous.timestamp)
        guard time > 0, location.fixTime != nil, previous.fixTime != nil else { return }
        timedDistance += length
        measuredSpeed = max(measuredSpeed ?? 0, length / time)
        if length / time > Self.movingSpeed {
            movingDistance += length
            movingSeconds += time
        } else {
            stoppedSeconds += time
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

/// Computes the smallest box around a route that may cross the antimeridian, with continuous longitudes.
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
            last.map { $0 + Geodesy.wrapped(coordinate.longitude - $0) } ?? coordinate.longitude
        last = longitude
        west = min(west, longitude)
        east = max(east, longitude)
    }

    var bounds: CoordinateBox? {
        guard last != nil else { return nil }
        let isBand = east - west >= 360
        return CoordinateBox(
            southWest: Coordinate(latitude: south, longitude: isBand ? -180 : Geodesy.wrapped(west)),
            northEast: Coordinate(latitude: north, longitude: isBand ? 180 : Geodesy.wrapped(east)))
    }
}
