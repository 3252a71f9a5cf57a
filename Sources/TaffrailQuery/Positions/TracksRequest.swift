public import Taffrail
public import TaffrailGeo

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
    /// The greatest distance, in metres, of an omitted position from the line between the remaining ones. It is
    /// increased if the answer would contain more than ``limit`` positions.
    public var tolerance = 0.0
    /// The maximum number of positions in the answer.
    public var limit = 10_000
    /// The maximum number of positions to read; if there are more, the newest are used.
    public var effort = 200_000

    /// Everything.
    public init() {}
}
