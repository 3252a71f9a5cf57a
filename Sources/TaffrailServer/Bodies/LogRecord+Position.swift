internal import Taffrail
internal import TaffrailGeo

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
