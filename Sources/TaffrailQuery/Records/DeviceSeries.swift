public import Taffrail

/// The measured values of a device over time.
public struct DeviceSeries: Sendable, Hashable {
    /// The values of one interval.
    public struct Values: Sendable, Hashable {
        /// The start of the interval; its length is ``SeriesAnswer/interval``.
        public var time: Timestamp
        /// The least value.
        public var least: Double
        /// The greatest value.
        public var greatest: Double

        /// Creates values.
        public init(time: Timestamp, least: Double, greatest: Double) {
            self.time = time
            self.least = least
            self.greatest = greatest
        }
    }

    /// The device.
    public var device: String
    /// Its speeds in metres a second, in the order of time. Intervals without a value have no element; the same holds
    /// for all three.
    public var speed: [Values] = []
    /// Its heights above mean sea level in metres.
    public var altitude: [Values] = []
    /// The charges of its battery, 0 to 1.
    public var battery: [Values] = []

    /// Creates series without values.
    public init(device: String) { self.device = device }
}

/// A request for ``DeviceSeries``. A property that is `nil` does not restrict them.
public struct SeriesRequest: Sendable, Hashable {
    /// Only positions of this time or later.
    public var since: Timestamp?
    /// Only positions before this time.
    public var until: Timestamp?
    /// Only this device.
    public var device: String?
    /// The most intervals into which the time is divided: fewer if there are many devices. Default 400.
    public var buckets = 400
    /// The approximate limit of positions to read. If there are more, those at the beginning of each interval count.
    public var effort = 200_000

    /// Everything.
    public init() {}
}

/// The series of some devices.
public struct SeriesAnswer: Sendable, Hashable {
    /// The series, by the devices' names.
    public var devices: [DeviceSeries]
    /// The length of an interval.
    public var interval: Duration
    /// Whether not all positions were read.
    public var isSampled: Bool

    /// Creates an answer.
    public init(devices: [DeviceSeries], interval: Duration, isSampled: Bool = false) {
        self.devices = devices
        self.interval = interval
        self.isSampled = isSampled
    }
}
