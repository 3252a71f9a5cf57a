internal import Taffrail
internal import TaffrailGeo

/// OwnTracks over HTTP: an object of type `location` or `transition`, or an array of them.
///
/// A phone resends a refused object before any newer one. Therefore only an invalid position or time is refused.
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
        // Some versions check the connection with a request without a body.
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

    /// The sender of an object: from the headers, otherwise from its topic `owntracks/USER/DEVICE` or its tracker id.
    private struct Sender {
        let user: String?
        let device: String?

        init(_ fields: JSONFields, user: String?, device: String?) throws(Problem) {
            let sender = fields.anyText("topic").flatMap(OwnTracksLocation.sender)
            self.user = try DeviceName.checked(user, "the user") ?? DeviceName.known(sender?.user)
            self.device =
                try DeviceName.checked(device, "the device")
                ?? DeviceName.known(sender?.device ?? fields.anyText("tid"))
        }
    }

    private static func time(_ fields: JSONFields) throws(Problem) -> Timestamp {
        OwnTracksLocation.time(try fields.number("tst", in: OwnTracksLocation.times))
    }

    private static func location(
        _ fields: JSONFields, _ sender: Sender, _ arrival: Arrival
    ) throws(Problem) -> LogRecord {
        let coordinate = Coordinate(
            latitude: try fields.number("lat", in: -90...90), longitude: try fields.number("lon", in: -180...180))
        let seconds = try fields.number("tst", in: OwnTracksLocation.times)
        let message = OwnTracksLocation(coordinate, seconds: seconds, number: fields.anyNumber)
        var state = DeviceState()
        state.battery = message.battery
        // 0 unknown, 1 unplugged, 2 charging, 3 full.
        switch fields.anyNumber("bs") {
        case 1: state.isCharging = false
        case 2, 3: state.isCharging = true
        default: break
        }
        state.trigger = fields.anyText("t")
        state.user = sender.user
        return .position(message.location, device: sender.device, state.attributes, arrival)
    }

    /// Returns the record of a region that was entered or left.
    private static func transition(
        _ fields: JSONFields, _ sender: Sender, _ arrival: Arrival
    ) throws(Problem) -> LogRecord {
        let event = try fields.requiredText("event")
        guard event == "enter" || event == "leave" else { throw .bad("event must be enter or leave") }
        let place = fields.anyText("desc") ?? "a region"
        let time = try time(fields)
        var record = LogRecord(
            level: .info, message: "\(event == "enter" ? "entered" : "left") \(place)", eventName: "geo.region",
            attributes: [
                LogValueEntry("taffrail.geo.place", .string(place)),
                LogValueEntry("taffrail.geo.transition", .string(event)),
                LogValueEntry(LocationField.time.attribute, .date(time)),
            ], logger: GeoEvent.logger)
        if let latitude = fields.anyNumber("lat"), let longitude = fields.anyNumber("lon"),
            Coordinate(latitude: latitude, longitude: longitude).isValid
        {
            record.attributes += [
                LogValueEntry(GeoAttributes.latitude, .double(latitude)),
                LogValueEntry(GeoAttributes.longitude, .double(longitude)),
            ]
        }
        if let user = sender.user { record.attributes.append(LogValueEntry(OriginAttributes.user, .string(user))) }
        OriginAttributes.mark(&record, time: time, device: sender.device, arrival)
        return record
    }
}
