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
    /// Its speeds in metres per second, in chronological order. In all three series, intervals without a value are
    /// omitted.
    public var speed: [Values] = []
    /// Its heights above mean sea level in metres.
    public var altitude: [Values] = []
    /// The charges of its battery, 0 to 1.
    public var battery: [Values] = []

    /// Creates series without values.
    public init(device: String) { self.device = device }
}
