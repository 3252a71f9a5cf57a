public import Taffrail
public import TaffrailGeo

/// The track of one device.
public struct DeviceTrack: Sendable, Hashable {
    /// A position.
    public struct Point: Sendable, Hashable {
        /// The time of the position.
        public var time: Timestamp
        /// The coordinate.
        public var coordinate: Coordinate
        /// The speed in metres per second, if known.
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
    /// The positions, in chronological order.
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
