/// The satellites in view of a receiver of gpsd.
public struct GPSDSky: Sendable, Hashable {
    /// The receiver.
    public var device: String?
    /// The number of satellites used in the fix.
    public var used: Int?
    /// The horizontal dilution of precision.
    public var hdop: Double?
    /// The vertical dilution of precision.
    public var vdop: Double?
    /// The position (3D) dilution of precision.
    public var pdop: Double?
}
