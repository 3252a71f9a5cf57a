internal import Taffrail
internal import TaffrailGeo

/// Overland: GeoJSON features in `locations`.
///
/// A phone sends a batch again until all of it is confirmed, so a feature that is no position is ignored.
enum OverlandBody {
    /// Reads a body.
    static func read(_ body: [UInt8], _ arrival: Arrival) throws(Problem) -> ReceivedRecords {
        guard let features = try JSONFields(body).array("locations") else { throw .bad("locations is missing") }
        var result = ReceivedRecords()
        for feature in features {
            guard case .map(let entries) = feature, let record = try? record(JSONFields(entries), arrival) else {
                result.ignored += 1
                continue
            }
            result.records.append(record)
        }
        return result
    }

    private static func record(_ feature: JSONFields, _ arrival: Arrival) throws(Problem) -> LogRecord {
        guard let geometry = try feature.object("geometry"), try geometry.text("type") == "Point",
            let coordinates = try geometry.array("coordinates"), coordinates.count >= 2,
            let properties = try feature.object("properties"), let time = try properties.time("timestamp")
        else { throw .bad("a feature is not a position with a time") }
        let point = JSONFields([LogValueEntry("longitude", coordinates[0]), LogValueEntry("latitude", coordinates[1])])
        var location = Location(
            latitude: try point.number("latitude", in: -90...90),
            longitude: try point.number("longitude", in: -180...180), timestamp: time)
        // -1 is unknown.
        location.horizontalAccuracy = try properties.positive("horizontal_accuracy")
        location.verticalAccuracy = try properties.positive("vertical_accuracy")
        let hasAltitude = try properties.number("vertical_accuracy") ?? 0 >= 0
        location.altitude = hasAltitude ? try properties.number("altitude") : nil
        location.speed = try properties.positive("speed")
        location.speedAccuracy = try properties.positive("speed_accuracy")
        location.course = try properties.positive("course").flatMap { $0 < 360 ? $0 : nil }
        location.courseAccuracy = try properties.positive("course_accuracy")
        var state = DeviceState()
        state.battery = try properties.positive("battery_level")
        switch try properties.text("battery_state") {
        case "charging", "full": state.isCharging = true
        case "unplugged": state.isCharging = false
        default: break
        }
        state.motion = (try properties.array("motion") ?? []).prefix(16).compactMap {
            if case .string(let text) = $0 { text } else { nil }
        }
        let device = try DeviceName.checked(try properties.text("device_id"), "device_id")
        return .position(location, device: device, state.attributes, arrival)
    }
}
