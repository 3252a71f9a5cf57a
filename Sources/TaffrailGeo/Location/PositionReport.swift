public import Taffrail

/// A receiver's report of one epoch: a position, or the lack of one.
public struct PositionReport: Sendable, Hashable {
    /// The dimensions of a fix.
    public enum Mode: UInt8, Sendable, Hashable {
        /// The receiver has no position.
        case noFix = 1
        /// Latitude and longitude, no altitude.
        case twoD = 2
        /// Latitude, longitude and altitude.
        case threeD = 3
    }

    /// The receiver, such as `/dev/ttyACM0`, if known.
    public var device: String?
    /// The time according to the receiver; `nil` if it provides none, or a time of day without a date.
    public var time: Timestamp?
    /// The kind of fix.
    public var mode: Mode
    /// The position; `nil` exactly when there is no fix.
    public var location: Location?

    /// Creates a report of a position.
    public init(device: String? = nil, time: Timestamp?, mode: Mode, location: Location?) {
        self.device = device
        self.time = time
        self.mode = location == nil ? .noFix : mode
        self.location = location
    }
}
