/// The limits that define a visit.
public struct VisitRules: Sendable, Hashable {
    /// The maximum distance from the centre, in metres. From 1. Default 100.
    public var radius = 100.0
    /// The minimum duration of a visit, by the time of the fixes. From 0. Default 5 min.
    public var dwell = Duration.seconds(300)
    /// How many consecutive fixes outside end a visit; a single outlier should not. From 1. Default 2.
    public var fixesOutside = 2
    /// Fixes whose accuracy exceeds this radius are ignored, in metres. Default 200.
    public var accuracyLimit = 200.0

    /// The default rules.
    public init() {}
}
