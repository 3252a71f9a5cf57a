#if Store
internal import Taffrail
internal import TaffrailGeo

/// A position, and the other data that the file has about it.
struct ImportedPoint {
    var location: Location
    /// The time of reception; the position's own time, if that is unknown.
    var received: Timestamp
    /// The device that moved.
    var device: String?
    /// The charge, 0 to 1.
    var battery: Double?
    /// The offset of local time from UTC.
    var localOffset: Duration?
}
#endif
