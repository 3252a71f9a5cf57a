public import Taffrail
public import TaffrailGeo

/// Hides positions in zones and reduces the precision of all others, before they reach the queue.
public struct PrivacyGuard: AttributeGuard {
    private let filter: PrivacyFilter

    /// Creates a guard.
    public init(_ options: PrivacyOptions) { filter = PrivacyFilter(options) }

    /// Latitude and longitude, with OpenTelemetry's names.
    public var watchedNames: Set<String> { PrivacyFilter.watchedNames }

    /// Hides or reduces the position among the attributes.
    public func review(_ attributes: inout GuardedAttributes) -> Verdict { filter.review(&attributes) }
}
