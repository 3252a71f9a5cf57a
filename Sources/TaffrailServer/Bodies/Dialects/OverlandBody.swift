internal import Taffrail
internal import TaffrailGeo

/// Overland: GeoJSON features in `locations`.
///
/// A phone resends a batch until all of it is confirmed, and then deletes it. Features that are not positions are
/// therefore ignored, and positions with invalid other properties are accepted.
enum OverlandBody {
    /// Reads a body.
    static func read(_ body: [UInt8], _ arrival: Arrival) throws(Problem) -> ReceivedRecords {
        guard let features = try JSONFields(body).array("locations") else { throw .bad("locations is missing") }
        var result = ReceivedRecords()
        var values = try ValueCount(arrival.memory, of: body)
        for feature in features {
            guard case .map(let entries) = feature, let record = try? record(JSONFields(entries), arrival) else {
                result.ignored += 1
                continue
            }
            try values.add(record)
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
        // -1 means unknown.
        location.horizontalAccuracy = properties.anyPositive("horizontal_accuracy")
        location.verticalAccuracy = properties.anyPositive("vertical_accuracy")
        let hasAltitude = properties.anyNumber("vertical_accuracy") ?? 0 >= 0
        location.altitude = hasAltitude ? properties.anyNumber("altitude") : nil
        location.speed = properties.anyPositive("speed")
        location.speedAccuracy = properties.anyPositive("speed_accuracy")
        location.course = properties.anyPositive("course").flatMap { $0 < 360 ? $0 : nil }
        location.courseAccuracy = properties.anyPositive("course_accuracy")
        var state = DeviceState()
        state.battery = properties.anyPositive("battery_level")
        switch properties.anyText("battery_state") {
        case "charging", "full": state.isCharging = true
        case "unplugged": state.isCharging = false
        default: break
        }
        state.motion = ((try? properties.array("motion")) ?? []).prefix(16).compactMap {
            if case .string(let text) = $0 { text } else { nil }
        }
        let device = DeviceName.known(properties.anyText("device_id"))
        return .position(location, device: device, state.attributes, arrival)
    }
}
