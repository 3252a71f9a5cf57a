public import Taffrail
public import TaffrailGeo

/// What can be asked of stored positions. Any thread may call.
public protocol TrackSource: Sendable {
    /// The tracks of the devices that have positions where and when they are wanted, by the devices' names.
    func tracks(_ request: TracksRequest) throws(LogQueryError) -> DeviceTracks

    /// What the positions of the devices have measured over time, by the devices' names. Default: an error of kind
    /// ``LogQueryError/Kind/invalid``.
    func series(_ request: SeriesRequest) throws(LogQueryError) -> SeriesAnswer

    /// The visits and trips of the devices, of which a part is where and when it is wanted. Tolerance, limit and effort have no
    /// effect.
    func journeys(_ request: TracksRequest) throws(LogQueryError) -> DeviceJourneys

    /// The pieces of a route, in the order of time: a piece for each device, and for each part that begins after the end of
    /// those before it. Default: an error of kind ``LogQueryError/Kind/invalid``.
    func route(_ request: RouteRequest) throws(LogQueryError) -> DeviceTracks

    /// A route as a file. Default: an error of kind ``LogQueryError/Kind/invalid``.
    func file(of request: RouteRequest, _ format: RouteRequest.Format) throws(LogQueryError) -> [UInt8]
}

extension TrackSource {
    /// Refuses it.
    public func series(_ request: SeriesRequest) throws(LogQueryError) -> SeriesAnswer {
        throw LogQueryError(.invalid, "this store has no series")
    }

    /// Refuses it.
    public func route(_ request: RouteRequest) throws(LogQueryError) -> DeviceTracks {
        throw LogQueryError(.invalid, "this store has no routes")
    }

    /// Refuses it.
    public func file(of request: RouteRequest, _ format: RouteRequest.Format) throws(LogQueryError) -> [UInt8] {
        throw LogQueryError(.invalid, "this store has no routes")
    }
}

/// A request for tracks. What is `nil` does not restrict them.
public struct TracksRequest: Sendable, Hashable {
    /// Only positions of this time or later.
    public var since: Timestamp?
    /// Only positions before this time.
    public var until: Timestamp?
    /// Only this device.
    public var device: String?
    /// Only positions within this box.
    public var box: CoordinateBox?
    /// The greatest distance, in metres, of a position that is left out from the line between those that are not. A greater one is
    /// used where the answer would have more than ``limit`` positions.
    public var tolerance = 0.0
    /// The most positions of the answer.
    public var limit = 10_000
    /// The most positions that are read; of more, the newest count.
    public var effort = 200_000

    /// Everything.
    public init() {}
}

/// The tracks of some devices.
public struct DeviceTracks: Sendable, Hashable {
    /// The tracks, by the devices' names.
    public var tracks: [DeviceTrack]
    /// The greatest distance, in metres, of a position that was left out.
    public var tolerance: Double
    /// The time of the first position that was read, where there may be earlier ones.
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
        /// When it was there.
        public var time: Timestamp
        /// Where it was.
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
    /// How many there were before simplification.
    public var total: Int

    /// Creates a track.
    public init(device: String, points: [Point], total: Int) {
        self.device = device
        self.points = points
        self.total = total
    }
}
