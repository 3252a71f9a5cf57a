public import Taffrail
public import TaffrailGeo

/// The queries of stored positions. Any thread may call.
public protocol TrackSource: Sendable {
    /// Returns the tracks of the devices that have matching positions, by the devices' names.
    func tracks(_ request: TracksRequest) throws(LogQueryError) -> DeviceTracks

    /// Returns the measured values of the devices over time, by the devices' names. Default: an error of kind
    /// ``LogQueryError/Kind/invalid``.
    func series(_ request: SeriesRequest) throws(LogQueryError) -> SeriesAnswer

    /// Returns the visits and trips of the devices that match at least in part. Tolerance, limit and effort have no
    /// effect.
    func journeys(_ request: TracksRequest) throws(LogQueryError) -> DeviceJourneys

    /// Returns the pieces of a route, in the order of time: a piece for each device, and for each part that begins
    /// after the end of those before it. Default: an error of kind ``LogQueryError/Kind/invalid``.
    func route(_ request: RouteRequest) throws(LogQueryError) -> DeviceTracks

    /// Returns a route as a file. Default: an error of kind ``LogQueryError/Kind/invalid``.
    func file(of request: RouteRequest, _ format: RouteRequest.Format) throws(LogQueryError) -> [UInt8]
}

extension TrackSource {
    /// Throws an error: not supported.
    public func series(_ request: SeriesRequest) throws(LogQueryError) -> SeriesAnswer {
        throw LogQueryError(.invalid, "this store has no series")
    }

    /// Throws an error: not supported.
    public func route(_ request: RouteRequest) throws(LogQueryError) -> DeviceTracks {
        throw LogQueryError(.invalid, "this store has no routes")
    }

    /// Throws an error: not supported.
    public func file(of request: RouteRequest, _ format: RouteRequest.Format) throws(LogQueryError) -> [UInt8] {
        throw LogQueryError(.invalid, "this store has no routes")
    }
}

/// A request for tracks. A property that is `nil` does not restrict them.
public struct TracksRequest: Sendable, Hashable {
    /// Only positions of this time or later.
    public var since: Timestamp?
    /// Only positions before this time.
    public var until: Timestamp?
    /// Only this device.
    public var device: String?
    /// Only positions within this box.
    public var box: CoordinateBox?
    /// The greatest distance, in metres, of an omitted position from the line between the remaining ones. A greater one
    /// is used if the answer would have more than ``limit`` positions.
    public var tolerance = 0.0
    /// The most positions of the answer.
    public var limit = 10_000
    /// The most positions that are read; if there are more, the newest count.
    public var effort = 200_000

    /// Everything.
    public init() {}
}

/// The tracks of some devices.
public struct DeviceTracks: Sendable, Hashable {
    /// The tracks, by the devices' names.
    public var tracks: [DeviceTrack]
    /// The greatest distance, in metres, of an omitted position.
    public var tolerance: Double
    /// The time of the first position that was read, if there may be earlier ones.
    public var since: Timestamp?

    /// Creates an answer.
    public init(tracks: [DeviceTrack], tolerance: Double = 0, since: Timestamp? = nil) {
        self.tracks = tracks
        self.tolerance = tolerance
        self.since = since
    }
}

/// The track of one device.
public struct DeviceTrack: Sendable, Hashable {
    /// A position.
    public struct Point: Sendable, Hashable {
        /// The time of the position.
        public var time: Timestamp
        /// The coordinate.
        public var coordinate: Coordinate
        /// The speed in metres a second, if it is known.
        public var speed: Double?

        /// Creates a position.
        public init(time: Timestamp, coordinate: Coordinate, speed: Double? = nil) {
            self.time = time
            self.coordinate = coordinate
            self.speed = speed
        }
    }

    /// The device.
    public var device: String
    /// The positions, in the order of time.
    public var points: [Point]
    /// The number of positions before simplification.
    public var total: Int

    /// Creates a track.
    public init(device: String, points: [Point], total: Int) {
        self.device = device
        self.points = points
        self.total = total
    }
}
