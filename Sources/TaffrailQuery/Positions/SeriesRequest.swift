public import Taffrail

/// A request for ``DeviceSeries``. A property that is `nil` does not restrict them.
public struct SeriesRequest: Sendable, Hashable {
    /// Only positions of this time or later.
    public var since: Timestamp?
    /// Only positions before this time.
    public var until: Timestamp?
    /// Only this device.
    public var device: String?
    /// The maximum number of intervals into which the time is divided; fewer if there are many devices. Default 400.
    public var buckets = 400
    /// The approximate maximum number of positions to read. If there are more, only those at the start of each interval
    /// are read.
    public var effort = 200_000

    /// Everything.
    public init() {}
}
