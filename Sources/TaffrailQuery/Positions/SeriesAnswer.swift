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
