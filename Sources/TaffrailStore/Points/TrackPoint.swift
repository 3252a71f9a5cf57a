#if Store
public import Foundation
public import Taffrail
public import TaffrailGeo

/// One position of a track, as a ``TrackStore`` keeps it.
///
/// A store keeps coordinates to 1e-7 degrees (11 mm), times to the nanosecond, the battery to 1 %, the local offset to a
/// minute, and every other number to 0.01 of its unit. A query returns ``rounded``.
public struct TrackPoint: Sendable, Hashable, Identifiable {
    /// The time of the fix, or of its arrival if ``Flags/untimed`` is set.
    public var timestamp: Timestamp
    /// Degrees north, −90 to 90.
    public var lat: Double
    /// Degrees east, −180 to 180.
    public var lon: Double
    /// The radius in which the true position probably lies, in metres; `nil` if unknown.
    public var hAcc: Double?
    /// The speed over ground in metres per second; `nil` if unknown.
    public var speed: Double?
    /// The height above mean sea level in metres.
    public var altitude: Double?
    /// The direction of travel in degrees clockwise from true north.
    public var course: Double?
    /// The uncertainty of the altitude in metres.
    public var verticalAccuracy: Double?
    /// The vertical speed in metres per second; positive is up.
    public var climb: Double?
    /// The device that moved. Never empty.
    public var device: String
    /// The source of the fix, such as `/dev/ttyACM0`.
    public var source: String?
    /// The recording session: the run that logged the point, or the file from which it was imported.
    public var session: String
    /// The charge of the device's battery, 0 to 1.
    public var battery: Double?
    /// The offset of local time from UTC.
    public var localOffset: Duration?
    /// The run that logged it.
    public var run: RingID?
    /// Its number within the run.
    public var sequence: UInt64?
    /// The flags of the point.
    public var flags: Flags
    /// The time at which the same fix was last saved again; `nil` if it was saved only once.
    public var lastSeen: Timestamp?

    /// The special properties of a point.
    public struct Flags: OptionSet, Sendable, Hashable {
        /// The bits, as they are stored.
        public let rawValue: Int64

        /// Creates a set from its bits.
        public init(rawValue: Int64) { self.rawValue = rawValue }

        /// The source provided no time: the timestamp is the time of arrival.
        public static let untimed = Flags(rawValue: 1 << 0)
        /// Software generated the fix: a simulator or a replay.
        public static let simulated = Flags(rawValue: 1 << 1)
        /// An external device provided the fix.
        public static let accessory = Flags(rawValue: 1 << 2)
        /// An outlier: farther from its neighbours than the device can have moved. Set, like the next two, only by
        /// ``TrackStore/analyse(isCancelled:)``; such points are not part of trips.
        public static let jump = Flags(rawValue: 1 << 3)
        /// A short excursion during a visit.
        public static let drift = Flags(rawValue: 1 << 4)
        /// Its accuracy is worse than 200 m.
        public static let inaccurate = Flags(rawValue: 1 << 5)
        /// The flags that exclude points from trips.
        public static let excluded: Flags = [.jump, .drift, .inaccurate]
    }

    /// Creates a point.
    ///
    /// - Parameters:
    ///   - timestamp: The time of the position.
    ///   - lat: The latitude in degrees.
    ///   - lon: The longitude in degrees.
    ///   - hAcc: The horizontal accuracy in metres, if known.
    ///   - speed: The speed in m/s, if known.
    ///   - device: The device that moved; an empty name becomes ``unnamedDevice``.
    ///   - session: The recording session.
    public init(
        timestamp: Timestamp, lat: Double, lon: Double, hAcc: Double? = nil, speed: Double? = nil, device: String,
        session: String
    ) {
        self.timestamp = timestamp
        self.lat = lat
        self.lon = lon
        self.hAcc = hAcc
        self.speed = speed
        self.device = device.isEmpty ? Self.unnamedDevice : device
        self.session = session
        flags = []
    }

    /// The name of an unnamed device: `device`.
    public static let unnamedDevice = "device"

    /// The identity, which is the same for the same fix of the same device in every store.
    ///
    /// A UUID of version 8. Its first 48 bits are ``timestamp`` in milliseconds since 1970, so that it sorts by time; the rest is a
    /// hash of device, time and coordinates.
    public var id: UUID { PointKey(self).uuid }

    /// The coordinates.
    public var coordinate: Coordinate { Coordinate(latitude: lat, longitude: lon) }

    /// The point as a store returns it: with the precision that is kept.
    public var rounded: TrackPoint {
        var point = self
        let row = PointRow(self)
        row.setValues(of: &point)
        return point
    }
}
#endif
