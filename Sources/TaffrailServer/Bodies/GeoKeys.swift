internal import Taffrail
internal import TaffrailGeo

/// The attributes of positions that the receiver uses.
enum GeoKeys {
    /// The receiver that determined the position.
    static let device = LocationField.device.attribute
    /// The time of receipt by the monotonic clock of the machine that determined the position.
    static let uptime = LocationField.uptime.attribute
    /// Attributes that are times.
    static let times: Set<String> = [
        OriginAttributes.time, LocationField.time.attribute, "taffrail.geo.arrival", "taffrail.geo.departure",
    ]
}
