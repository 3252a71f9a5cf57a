/// The zones in which positions are hidden, and the precision of all others.
public struct PrivacyOptions: Sendable, Hashable {
    /// Places around which positions are hidden.
    public var zones: [PrivacyZone] = []
    /// The number of decimals of positions in degrees: 4 are 11 m, 3 are 111 m. `nil`, the default: unlimited.
    public var precision: Int?

    /// Hides nothing.
    public init() {}
}
