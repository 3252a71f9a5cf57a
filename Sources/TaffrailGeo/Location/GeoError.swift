/// Why there is no position: CoreLocation's errors, which travel and are recorded like positions.
public struct GeoError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code's realm; ``coreLocationDomain`` for everything that Taffrail reports itself.
    public var domain: String
    /// The code within the domain.
    public var code: Int
    /// One line for a person.
    public var description: String

    /// CoreLocation's domain, `kCLErrorDomain`.
    public static let coreLocationDomain = "kCLErrorDomain"

    /// Makes an error.
    public init(domain: String = GeoError.coreLocationDomain, code: Int, description: String) {
        self.domain = domain
        self.code = code
        self.description = description
    }

    /// The codes of CoreLocation that Taffrail gives and understands.
    public enum Code: Int, Sendable, CaseIterable {
        /// There is no position now; one may come.
        case locationUnknown = 0
        /// Access was refused; none will come until that changes.
        case denied = 1
        /// The source cannot be reached.
        case network = 2
        /// Monitoring of a region is not possible.
        case regionMonitoringFailure = 5
        /// The source does not do what was asked.
        case unsupported = 18
    }

    /// There is no position: no fix, a lost receiver, a gap in a recording.
    public static func locationUnknown(_ description: String = "no fix") -> GeoError {
        GeoError(code: Code.locationUnknown.rawValue, description: description)
    }

    /// Access to the source, or to a recording, was refused.
    public static func denied(_ description: String = "access denied") -> GeoError {
        GeoError(code: Code.denied.rawValue, description: description)
    }

    /// What the code means, where the domain is CoreLocation's and the code a known one.
    public var knownCode: Code? { domain == Self.coreLocationDomain ? Code(rawValue: code) : nil }
}
