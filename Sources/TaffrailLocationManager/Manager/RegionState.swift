/// The position relative to a region.
public enum RegionState: Int, Sendable, Hashable, CaseIterable {
    /// Unknown.
    case unknown = 0
    /// Inside.
    case inside = 1
    /// Outside.
    case outside = 2
}
