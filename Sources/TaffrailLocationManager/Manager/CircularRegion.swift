internal import Taffrail
public import TaffrailGeo

/// A circle on the earth, monitored for crossings.
public struct CircularRegion: Sendable, Hashable {
    /// A unique name.
    public var identifier: String
    /// The centre.
    public var center: Coordinate
    /// The radius in metres.
    public var radius: Double
    /// Whether to report entries. Default `true`.
    public var notifyOnEntry = true
    /// Whether to report exits. Default `true`.
    public var notifyOnExit = true

    /// Creates a region.
    public init(center: Coordinate, radius: Double, identifier: String) {
        self.center = center
        self.radius = radius
        self.identifier = identifier
    }

    /// Returns whether a coordinate is inside.
    public func contains(_ coordinate: Coordinate) -> Bool { center.distance(to: coordinate) <= radius }
}

/// The position relative to a region.
public enum RegionState: Int, Sendable, Hashable, CaseIterable {
    /// Unknown.
    case unknown = 0
    /// Inside.
    case inside = 1
    /// Outside.
    case outside = 2
}

/// When a crossing of a region's edge counts. Positions that fluctuate around the edge are not crossings.
public struct RegionRules: Sendable, Hashable {
    /// The distance beyond the edge at which a region counts as left, in metres. From 0. Default 20.
    public var hysteresis = 20.0
    /// Fixes with a lower accuracy than this are ignored, in metres; `nil`: the region's radius, at least 100 m.
    /// Default `nil`.
    public var accuracyLimit: Double?
    /// How long the position must be on the other side, in seconds by the time of the fixes. From 0. Default 20.
    public var dwell = 20.0

    /// The default rules.
    public init() {}
}

/// Monitors one region.
struct RegionWatch: Sendable {
    let region: CircularRegion
    private(set) var state = RegionState.unknown
    /// The apparent side, and since when.
    private var candidate: (state: RegionState, since: Double)?

    init(_ region: CircularRegion) { self.region = region }

    /// Returns the effect of a fix: the newly confirmed state, and whether the edge was crossed; `nil`: no change.
    mutating func take(_ location: Location, rules: RegionRules) -> (state: RegionState, isCrossing: Bool)? {
        let limit = rules.accuracyLimit ?? max(region.radius, 100)
        if let accuracy = location.horizontalAccuracy, accuracy > limit { return nil }
        let distance = region.center.distance(to: location.coordinate)
        let edge = region.radius + (state == .inside ? rules.hysteresis : 0)
        let seen = distance <= edge ? RegionState.inside : .outside
        guard seen != state else {
            candidate = nil
            return nil
        }
        guard state != .unknown else {
            state = seen
            return (seen, false)
        }
        let now = location.timestamp.secondsSince1970
        // When time goes backwards, as at the start of a repeated replay, the wait restarts.
        if candidate?.state != seen || candidate.map({ now < $0.since }) == true { candidate = (seen, now) }
        guard let since = candidate?.since, now - since >= rules.dwell else { return nil }
        state = seen
        candidate = nil
        return (seen, true)
    }
}
