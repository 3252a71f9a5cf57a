internal import Taffrail
internal import TaffrailGeo

/// OwnTracks over HTTP: an object of type `location` or `transition`, or an array of them.
enum OwnTracksBody {
    /// Reads a body. Objects of other types are ignored.
    ///
    /// - Parameters:
    ///   - user: The user in the headers of the request.
    ///   - device: The device in the headers of the request.
    static func read(
        _ body: [UInt8], user: String?, device: String?, _ arrival: Arrival
    ) throws(Problem) -> ReceivedRecords {
        var result = ReceivedRecords()
        // Some versions send a request without a body to find out whether there is a server.
        guard body.contains(where: { $0 > 32 }) else { return result }
        let objects: [LogValue]
        switch try JSONFields.value(of: body) {
        case .array(let elements): objects = elements
        case let value: objects = [value]
        }
        for object in objects {
            guard case .map(let entries) = object else { throw .bad("the body must be a JSON object") }
            let fields = JSONFields(entries)
            let sender = try Sender(fields, user: user, device: device)
            switch try fields.text("_type") {
            case "location": result.records.append(try location(fields, sender, arrival))
            case "transition": result.records.append(try transition(fields, sender, arrival))
            case "encrypted": throw Problem(422, "encrypted payloads cannot be read: use https instead")
            case nil: throw .bad("_type is missing")
            default: result.ignored += 1
            }
        }
        return result
    }

    /// Who has sent an object: from the headers, else from its topic `owntracks/USER/DEVICE`, else its tracker id.
    private struct Sender {
        let user: String?
        let device: String?

        init(_ fields: JSONFields, user: String?, device: String?) throws(Problem) {
            let topic = try fields.text("topic")?.split(separator: "/").map(String.init) ?? []
            let isWhole = topic.count >= 3
            self.user = try DeviceName.checked(user ?? (isWhole ? topic[1] : nil), "the user")
            let tracker = try fields.text("tid")
            self.device = try DeviceName.checked(device ?? (isWhole ? topic[2] : tracker), "the device")
        }
    }

    private static func time(_ fields: JSONFields) throws(Problem) -> Timestamp {
        Timestamp(secondsSince1970: try fields.number("tst", in: 0...9_000_000_000))
    }

    private static func location(
        _ fields: JSONFields, _ sender: Sender, _ arrival: Arrival
    ) throws(Problem) -> LogRecord {
        var location = Location(
            latitude: try fields.number("lat", in: -90...90), longitude: try fields.number("lon", in: -180...180),
            timestamp: try time(fields))
        location.horizontalAccuracy = try fields.positive("acc")
        location.altitude = try fields.number("alt")
        location.verticalAccuracy = try fields.positive("vac")
        // In kilometres per hour.
        location.speed = try fields.positive("vel").map { $0 / 3.6 }
        location.course = try fields.positive("cog").flatMap {
            $0 <= 360 ? $0.truncatingRemainder(dividingBy: 360) : nil
        }
        var state = DeviceState()
        state.battery = try fields.positive("batt").map { $0 / 100 }
        // 0 unknown, 1 unplugged, 2 charging, 3 full.
        switch try fields.number("bs") {
        case 1: state.isCharging = false
        case 2, 3: state.isCharging = true
        default: break
        }
        state.trigger = try fields.text("t")
        state.user = sender.user
        return .position(location, device: sender.device, state.attributes, arrival)
    }

    /// The border of a region was crossed.
    private static func transition(
        _ fields: JSONFields, _ sender: Sender, _ arrival: Arrival
    ) throws(Problem) -> LogRecord {
        let event = try fields.requiredText("event")
        guard event == "enter" || event == "leave" else { throw .bad("event must be enter or leave") }
        let place = try fields.text("desc") ?? "a region"
        let time = try time(fields)
        var record = LogRecord(
            level: .info, message: "\(event == "enter" ? "entered" : "left") \(place)", eventName: "geo.region",
            attributes: [
                LogValueEntry("taffrail.geo.place", .string(place)),
                LogValueEntry("taffrail.geo.transition", .string(event)),
                LogValueEntry("taffrail.geo.time", .date(time)),
            ], logger: GeoEvent.logger)
        if try fields.number("lat") != nil {
            let latitude = try fields.number("lat", in: -90...90)
            let longitude = try fields.number("lon", in: -180...180)
            record.attributes += [
                LogValueEntry(GeoAttributes.latitude, .double(latitude)),
                LogValueEntry(GeoAttributes.longitude, .double(longitude)),
            ]
        }
        if let user = sender.user { record.attributes.append(LogValueEntry(Origin.user, .string(user))) }
        Origin.mark(&record, time: time, device: sender.device, arrival)
        return record
    }
}
