#if Store
public import Taffrail
public import TaffrailGeo
internal import TaffrailText

extension TrackPoint {
    /// Creates a point from a location.
    ///
    /// - Parameters:
    ///   - location: The location.
    ///   - device: The device that moved; `nil`: the receiver named by the location.
    ///   - session: The recording session.
    ///   - received: The time of arrival, which is used for a location without a time.
    /// - Returns: `nil` for a location without valid coordinates.
    public init?(_ location: Location, device: String? = nil, session: String, received: Timestamp = .now) {
        guard location.coordinate.isValid else { return nil }
        let isUntimed = location.extra.hasNoTime == true
        self.init(
            timestamp: isUntimed ? received : location.timestamp, lat: location.coordinate.latitude,
            lon: location.coordinate.longitude, hAcc: location.horizontalAccuracy, speed: location.speed,
            device: device ?? location.extra.device ?? "", session: session)
        altitude = location.altitude
        course = location.course
        verticalAccuracy = location.verticalAccuracy
        climb = location.extra.climb
        source = location.extra.device
        if isUntimed { flags.insert(.untimed) }
        if location.sourceInformation?.isSimulatedBySoftware == true { flags.insert(.simulated) }
        if location.sourceInformation?.isProducedByAccessory == true { flags.insert(.accessory) }
    }

    /// The point as a location.
    public var location: Location {
        var location = Location(latitude: lat, longitude: lon, timestamp: timestamp)
        location.horizontalAccuracy = hAcc
        location.verticalAccuracy = verticalAccuracy
        location.altitude = altitude
        location.course = course
        location.speed = speed
        location.extra.climb = climb
        location.extra.device = source ?? device
        if flags.contains(.untimed) { location.extra.hasNoTime = true }
        if !flags.isDisjoint(with: [.simulated, .accessory]) {
            location.sourceInformation = Location.SourceInformation(
                isSimulatedBySoftware: flags.contains(.simulated), isProducedByAccessory: flags.contains(.accessory))
        }
        return location
    }
}

extension TrackPoint {
    /// Names of attributes beyond those of a location.
    package enum Attribute {
        /// The charge level of the battery of a stored point, 0 to 1.
        package static let battery = "taffrail.geo.battery"
        /// The charge level of the battery, 0 to 1: the attributes of a stored point and of a ping.
        static let batteries = [battery, PingAttributes.battery]
    }

    /// Reads a point from a record with event name `geo.location`.
    ///
    /// - Parameters:
    ///   - device: The device if the record does not name one; `nil`: the receiver, or ``unnamedDevice`` without one.
    ///   - zone: For ``localOffset``.
    /// - Returns: `nil` for any other record.
    package init?(_ view: borrowing RecordView, device: String?, zone: ZoneOffset) {
        guard let event = GeoEvent(place: view), var location = event.location else { return nil }
        // A location without a time gets the time of its record.
        if location.timestamp == view.timestamp && view[LocationField.time.attribute] == nil {
            location.extra.hasNoTime = true
        }
        // The name of this machine is not the sender's name, and a sender cannot name another device.
        var device = Self.isReceived(view) ? nil : device
        for key in [OriginAttributes.deviceID, OriginAttributes.device] {
            if case .string(let name)? = view[key], !name.isEmpty { device = name }
        }
        self.init(location, device: device, session: view.run.description, received: view.timestamp)
        for key in Attribute.batteries {
            if battery == nil, case .double(let charge)? = view[key], charge.isFinite { battery = charge }
        }
        localOffset = .seconds(zone.seconds(timestamp.wholeSeconds))
        run = view.run
        sequence = view.sequence
    }

    /// Returns whether another program or device has sent a record.
    private static func isReceived(_ view: borrowing RecordView) -> Bool {
        var isReceived = false
        view.forEachAttribute { if $0.key.starts(with: OriginAttributes.prefix.utf8) { isReceived = true } }
        return isReceived
    }
}
#endif
