internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// A position with the state of its device: `deviceId`, `timestamp`, `latitude`, `longitude`,
/// `horizontalAccuracyMeters`, `speedMps`, `mode` and `batteryLevel`.
struct PingBody {
    let device: String
    var location: Location
    let mode: PingMode?
    let battery: Double?

    /// Parses a body.
    init(_ body: [UInt8]) throws(Problem) {
        let fields = try JSONFields(body)
        guard let device = try DeviceName.checked(try fields.requiredText("deviceId"), "deviceId"),
            let time = try fields.time("timestamp")
        else { throw .bad("timestamp is missing") }
        self.device = device
        location = Location(
            latitude: try fields.number("latitude", in: -90...90),
            longitude: try fields.number("longitude", in: -180...180), timestamp: time)
        if let accuracy = try fields.number("horizontalAccuracyMeters") {
            // CoreLocation marks invalid positions this way.
            guard accuracy >= 0 else { throw .bad("horizontalAccuracyMeters is negative: the position is not valid") }
            location.horizontalAccuracy = accuracy
        }
        location.speed = try fields.positive("speedMps")
        let name = try fields.text("mode")
        mode = name.flatMap { PingMode(rawValue: $0) }
        guard (name == nil) == (mode == nil) else {
            throw .bad("mode must be \(PingMode.allCases.map(\.rawValue).joined(separator: ", ")) or null")
        }
        // -1 means that the battery is not monitored.
        battery = try fields.positive("batteryLevel")
        guard battery ?? 0 <= 1 else { throw .bad("batteryLevel must be from 0 to 1") }
    }

    /// Returns the ping as a record.
    func record(_ arrival: Arrival) -> LogRecord {
        var attributes: [LogValueEntry] = []
        if let mode { attributes.append(LogValueEntry(PingAttributes.mode, .string(mode.rawValue))) }
        if let battery { attributes.append(LogValueEntry(PingAttributes.battery, .double(battery))) }
        return .position(location, device: device, attributes, arrival)
    }

    /// Returns the ping as in `GET /logs`: the fields that were sent, and `receivedAt`.
    ///
    /// - Parameter record: The record in the queue, which the configuration may have changed.
    /// - Returns: `nil` if the record is not a position.
    static func json(_ record: LogRecord) -> [UInt8]? {
        guard let location = Location(attributes: record.attributes, received: record.timestamp) else { return nil }
        var object = PingDialect.object(
            location, device: location.extra.device, mode: record[PingAttributes.mode],
            battery: record[PingAttributes.battery])
        object.add("receivedAt", PingDialect.time(record.timestamp))
        return object.closed
    }
}
