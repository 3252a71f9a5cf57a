public import TaffrailGeo

/// An event of a ``LocationManager``.
public enum LocationManagerEvent: Sendable, Hashable {
    /// A position.
    case location(Location)
    /// The reason for a missing position.
    case error(GeoError)
    /// The authorization has changed.
    case authorization(AuthorizationStatus)
    /// An arrival or, with a departure date, a departure.
    case visit(Visit)
    /// Monitoring of a region has started.
    case monitoringStarted(CircularRegion)
    /// A region was entered.
    case entered(CircularRegion)
    /// A region was left.
    case exited(CircularRegion)
    /// The position relative to a region has been determined.
    case determined(RegionState, CircularRegion)

    /// The position, if it is one.
    public var location: Location? { if case .location(let location) = self { location } else { nil } }
}
