#if Store
public import Taffrail

/// The limits of a store; `nil` means no limit.
public struct TrackRetention: Sendable, Hashable {
    /// The age above which points are deleted.
    public var age: Duration?
    /// The maximum number of points.
    public var rows: Int?
    /// The maximum size of the database. It is converted to a number of points by the average bytes per point.
    public var size: ByteSize?
    /// The age above which days are thinned, see ``TrackStore/thin(before:tolerance:isCancelled:)``.
    public var thinAge: Duration?
    /// The distance by which thinning may move a track, in metres. Default 10.
    public var thinTolerance = 10.0

    /// Creates a retention that keeps everything.
    public init() {}

    /// Whether everything is kept.
    public var keepsAll: Bool { age == nil && rows == nil && size == nil && thinAge == nil }
}
#endif
