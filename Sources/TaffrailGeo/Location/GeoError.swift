/// The reason for a missing position: CoreLocation's errors, which are logged and recorded like positions.
public struct GeoError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code's domain; ``coreLocationDomain`` for all errors of Taffrail itself.
    public var domain: String
    /// The code within the domain.
    public var code: Int
    /// A one-line description for users.
    public var description: String
    /// The receiver that has no position, as in ``Location/Extra/device``; `nil`: unknown, or all receivers.
    public var device: String?
    /// Whether the time of its event is not its own, because the source provided none.
    public var hasNoTime = false

    /// CoreLocation's domain, `kCLErrorDomain`.
    public static let coreLocationDomain = "kCLErrorDomain"

    /// Creates an error.
    public init(
        domain: String = GeoError.coreLocationDomain, code: Int, description: String, device: String? = nil
    ) {
        self.domain = domain
        self.code = code
        self.description = description
        self.device = device
    }

    /// The codes of CoreLocation that Taffrail uses.
    public enum Code: Int, Sendable, CaseIterable {
        /// There is no position now; one may follow.
        case locationUnknown = 0
        /// Access was refused; no position will follow until that changes.
        case denied = 1
    }

    /// Returns the error of a missing position: no fix, a lost receiver, a gap in a recording.
    ///
    /// - Parameters:
    ///   - description: A one-line description for users. Default `no fix`.
    ///   - device: The receiver; `nil`: unknown, or all receivers.
    public static func locationUnknown(_ description: String = "no fix", device: String? = nil) -> GeoError {
        GeoError(code: Code.locationUnknown.rawValue, description: description, device: device)
    }

    /// A gap in a track.
    package static let interruption = locationUnknown("the track is interrupted")

    /// Access to the source, or to a recording, was refused.
    public static func denied(_ description: String = "access denied") -> GeoError {
        GeoError(code: Code.denied.rawValue, description: description)
    }

    /// The meaning of the code, if the domain is CoreLocation's and the code is known.
    public var knownCode: Code? { domain == Self.coreLocationDomain ? Code(rawValue: code) : nil }
}
