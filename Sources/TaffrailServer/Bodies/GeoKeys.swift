internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// The attributes of positions that the receiver uses.
enum GeoKeys {
    /// The event name of a position.
    static let location = GeoAttributes.locationEvent
    /// The receiver that determined the position.
    static let device = "taffrail.geo.device"
    /// Attributes that are times.
    static let times: Set<String> = [
        OriginAttributes.time, "taffrail.geo.time", "taffrail.geo.arrival", "taffrail.geo.departure",
    ]

    /// Parses the time in an attribute.
    static func time(_ text: String) -> Timestamp? { RFC3339.timestamp(text) }
}

extension LogRecord {
    /// Returns the record of a position, in the form of this program's inputs, with its device and origin.
    ///
    /// - Parameters:
    ///   - device: The name of the device, unless the client's token belongs to one.
    ///   - attributes: Further attributes.
    static func position(
        _ location: Location, device: String?, _ attributes: [LogValueEntry] = [], _ arrival: Arrival
    ) -> LogRecord {
        var record = GeoEvent.location(location).record(received: arrival.time)
        record.attributes += attributes
        OriginAttributes.mark(&record, time: location.timestamp, device: device, arrival)
        return record
    }
}
