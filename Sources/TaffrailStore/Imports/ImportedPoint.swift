#if Store
internal import Taffrail
internal import TaffrailGeo

/// A position, and the other data about it in the file.
struct ImportedPoint {
    var location: Location
    /// The time of reception, or the position's own time if that is unknown.
    var received: Timestamp
    /// The device that moved.
    var device: String?
    /// The charge, 0 to 1.
    var battery: Double?
    /// The offset of local time from UTC.
    var localOffset: Duration?
}
#endif
