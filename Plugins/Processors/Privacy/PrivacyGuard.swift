public import Taffrail
public import TaffrailGeo

/// Hides positions in zones and cuts the precision of all others, before they reach the queue.
public struct PrivacyGuard: AttributeGuard {
    private let filter: PrivacyFilter

    /// Makes a guard.
    public init(_ options: PrivacyOptions) { filter = PrivacyFilter(options) }

    /// Latitude and longitude, as OpenTelemetry names them.
    public var watchedNames: Set<String> { PrivacyFilter.watchedNames }

    /// Hides or cuts the place among the attributes.
    public func review(_ attributes: inout GuardedAttributes) -> Verdict { filter.review(&attributes) }
}
