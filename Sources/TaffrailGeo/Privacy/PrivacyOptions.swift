/// What is left out or blurred before a byte is written.
public struct PrivacyOptions: Sendable, Hashable {
    /// Places around which positions are hidden.
    public var zones: [PrivacyZone] = []
    /// To how many decimals of a degree positions are cut: 4 are 11 m, 3 are 111 m. `nil`, the default: none are cut.
    public var precision: Int?

    /// Nothing is left out.
    public init() {}
}
