internal import Taffrail
internal import TaffrailGeo

/// The attributes of positions that the receiver uses.
enum GeoKeys {
    /// The receiver that determined the position.
    static let device = LocationField.device.attribute
    /// Attributes that are times.
    static let times: Set<String> = [
        OriginAttributes.time, LocationField.time.attribute, "taffrail.geo.arrival", "taffrail.geo.departure",
    ]
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
