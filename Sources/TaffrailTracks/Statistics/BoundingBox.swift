/// A range of latitudes and longitudes.
public struct BoundingBox: Sendable, Hashable {
    /// The southern edge, in degrees.
    public var south: Double
    /// The western edge, in degrees, −180 to 180.
    public var west: Double
    /// The northern edge, in degrees.
    public var north: Double
    /// The eastern edge, in degrees, −180 to 180; less than ``west`` if the box crosses the antimeridian.
    public var east: Double
}
