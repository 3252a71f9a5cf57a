internal import Taffrail
public import TaffrailGeo

/// A circle on the earth, to be told of its crossing.
public struct CircularRegion: Sendable, Hashable {
    /// The name by which it is told apart.
    public var identifier: String
    /// The centre.
    public var center: Coordinate
    /// The radius in metres.
    public var radius: Double
    /// Whether entering is told. Default `true`.
    public var notifyOnEntry = true
    /// Whether leaving is told. Default `true`.
    public var notifyOnExit = true

    /// Makes a region.
    public init(center: Coordinate, radius: Double, identifier: String) {
        self.center = center
        self.radius = radius
        self.identifier = identifier
    }

    /// Whether a place is inside.
    public func contains(_ coordinate: Coordinate) -> Bool { center.distance(to: coordinate) <= radius }
}

/// On which side of a region's edge one is.
public enum RegionState: Int, Sendable, Hashable, CaseIterable {
    /// Not known yet.
    case unknown = 0
    /// Inside.
    case inside = 1
    /// Outside.
    case outside = 2
}

/// When a crossing of a region's edge is believed. A position that wavers about the edge is no crossing.
public struct RegionRules: Sendable, Hashable {
    /// How far beyond the edge one must be to have left, in metres. From 0. Default 20.
    public var hysteresis = 20.0
    /// Fixes that are less exact than this say nothing, in metres; `nil`: less exact than the region's radius, at least
    /// 100 m. Default `nil`.
    public var accuracyLimit: Double?
    /// For how long one must be on the other side, in seconds by the time of the fixes. From 0. Default 20.
    public var dwell = 20.0

    /// The usual rules.
    public init() {}
}

/// Watches one region.
struct RegionWatch: Sendable {
    let region: CircularRegion
    private(set) var state = RegionState.unknown
    /// The side on which one seems to be now, and since when.
    private var candidate: (state: RegionState, since: Double)?

    init(_ region: CircularRegion) { self.region = region }

    /// What a fix tells: the state that has now become certain, and whether the edge was crossed; `nil`: nothing new.
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
        // Time that goes backwards, as it does when a replay begins anew, starts the wait again.
        if candidate?.state != seen || candidate.map({ now < $0.since }) == true { candidate = (seen, now) }
        guard let since = candidate?.since, now - since >= rules.dwell else { return nil }
        state = seen
        candidate = nil
        return (seen, true)
    }
}
