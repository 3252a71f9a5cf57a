internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// Traccar's OsmAnd protocol: a query or a form with speeds in knots, or an object in JSON.
enum OsmAndBody {
    /// Reads the fields of a query, if any, and of a form.
    static func read(
        form body: [UInt8], after query: [(name: String, value: String)] = [], _ arrival: Arrival
    ) throws(Problem) -> ReceivedRecords {
        guard let form = FormFields(body) else { throw .bad("the body is not a form") }
        var device: String?
        var (latitude, longitude) = (Double?.none, Double?.none)
        var location = Location(latitude: 0, longitude: 0, timestamp: arrival.time)
        var state = DeviceState()
        var isValid = true
        var others: [LogValueEntry] = []
        for (name, value) in query + form.all where !value.isEmpty {
            switch name {
            case "id", "deviceid": device = try DeviceName.checked(value, name)
            case "lat": latitude = try number(name, value)
            case "lon": longitude = try number(name, value)
            case "location":
                let parts = value.split(separator: ",")
                guard parts.count == 2 else { throw .bad("location must be LATITUDE,LONGITUDE") }
                latitude = try number(name, String(parts[0]))
                longitude = try number(name, String(parts[1]))
            case "timestamp": location.timestamp = try time(value)
            case "speed": location.speed = try positive(name, value).map { $0 * NauticalUnits.mile / 3_600 }
            case "bearing", "heading": location.course = try positive(name, value).flatMap { $0 < 360 ? $0 : nil }
            case "altitude": location.altitude = try number(name, value)
            case "accuracy": location.horizontalAccuracy = try positive(name, value)
            case "hdop": location.extra.hdop = try positive(name, value)
            case "batt": state.battery = try positive(name, value).map { $0 / 100 }
            case "charge": state.isCharging = value == "true" || value == "1"
            case "valid": isValid = value == "true" || value == "1"
            default: others.append(LogValueEntry(name, .string(value)))
            }
        }
        guard device != nil || arrival.device != nil else { throw .bad("id is missing") }
        guard let latitude, let longitude else { throw .bad("lat and lon are missing") }
        location.coordinate = Coordinate(latitude: latitude, longitude: longitude)
        guard location.coordinate.isValid else { throw .bad("lat or lon is out of range") }
        guard isValid else { return ReceivedRecords(ignored: 1) }
        var attributes = state.attributes
        if !others.isEmpty { attributes.append(LogValueEntry("taffrail.origin.fields", .map(others))) }
        return ReceivedRecords(records: [.position(location, device: device, attributes, arrival)])
    }

    /// Reads an object with `device_id` and `location`, in which speeds are in metres per second.
    static func read(json body: [UInt8], _ arrival: Arrival) throws(Problem) -> ReceivedRecords {
        let fields = try JSONFields(body)
        let device = try DeviceName.checked(try fields.text("device_id"), "device_id")
        guard device != nil || arrival.device != nil else { throw .bad("device_id is missing") }
        guard let object = try fields.object("location"), let point = try object.object("coords") else {
            throw .bad("location with coords is missing")
        }
        guard let time = try object.time("timestamp") else { throw .bad("timestamp is missing") }
        var location = Location(
            latitude: try point.number("latitude", in: -90...90),
            longitude: try point.number("longitude", in: -180...180), timestamp: time)
        location.horizontalAccuracy = try point.positive("accuracy")
        location.altitude = try point.number("altitude")
        location.speed = try point.positive("speed")
        location.course = try point.positive("heading").flatMap { $0 < 360 ? $0 : nil }
        var state = DeviceState()
        if let battery = try object.object("battery") {
            state.battery = try battery.positive("level")
            if case .bool(let isCharging)? = battery.entries.first(where: { $0.key == "is_charging" })?.value {
                state.isCharging = isCharging
            }
        }
        if let activity = try object.object("activity"), let type = try activity.text("type") { state.motion = [type] }
        state.trigger = try object.text("event")
        return ReceivedRecords(records: [.position(location, device: device, state.attributes, arrival)])
    }

    private static func number(_ name: String, _ value: String) throws(Problem) -> Double {
        guard let number = Double(value), number.isFinite else { throw .bad("\(name) must be a number") }
        return number
    }

    private static func positive(_ name: String, _ value: String) throws(Problem) -> Double? {
        let number = try number(name, value)
        return number < 0 ? nil : number
    }

    /// Parses a time: a number, in seconds below 2147483647 and otherwise in milliseconds; or a date and time with or
    /// without `T`, in UTC unless it has an offset.
    private static func time(_ text: String) throws(Problem) -> Timestamp {
        if let number = Double(text), number >= 0, number < 9e12 {
            return Timestamp(secondsSince1970: number < 2_147_483_647 ? number : number / 1_000)
        }
        guard let time = RFC3339.timestamp(text, zoneRequired: false) else { throw .bad("timestamp must be a time") }
        return time
    }
}
