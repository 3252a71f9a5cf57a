/// The names of a position's attributes in a record. Decision note 0001 lists them with units.
public enum GeoAttributes {
    /// The event name of a record that is a position.
    public static let locationEvent = "geo.location"
    /// The event name of a record that reports the reason for a missing position.
    public static let errorEvent = "geo.error"

    /// OpenTelemetry's latitude in degrees (development stability).
    public static let latitude = "geo.location.lat"
    /// OpenTelemetry's longitude in degrees (development stability).
    public static let longitude = "geo.location.lon"

    /// The domain of a `geo.error` record's code.
    public static let errorDomain = "taffrail.geo.error.domain"
    /// The code of a `geo.error` record.
    public static let errorCode = "taffrail.geo.error.code"
}
