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

extension GPSDSky {
    /// Returns the sky completed with the values of the last one.
    ///
    /// Releases of gpsd after 3.22, and some drivers, send the dilutions in one object and the satellites in another.
    ///
    /// - Parameter hasSatellites: Whether it contains a number of satellites; 0 and unknown are a number, too.
    func completed(by last: GPSDSky, hasSatellites: Bool) -> GPSDSky {
        var sky = self
        if !hasSatellites { sky.used = last.used }
        // Without a satellite in use, the last dilutions no longer apply.
        if hdop == nil && vdop == nil && pdop == nil && (sky.used ?? 0) > 0 {
            (sky.hdop, sky.vdop, sky.pdop) = (last.hdop, last.vdop, last.pdop)
        }
        return sky
    }
}
