/// The rules for crossings of a region's edge. Positions that fluctuate around the edge are not crossings.
public struct RegionRules: Sendable, Hashable {
    /// The distance beyond the edge at which a device in the region has left it, in metres. From 0. Default 20.
    public var hysteresis = 20.0
    /// Fixes whose accuracy exceeds this radius are ignored, in metres; `nil`: the region's radius, at least 100 m.
    /// Default `nil`.
    public var accuracyLimit: Double?
    /// How long the position must be on the other side, by the time of the fixes. From 0. Default 20 s.
    public var dwell = Duration.seconds(20)

    /// The default rules.
    public init() {}
}
