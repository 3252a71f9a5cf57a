public import Taffrail
internal import TaffrailText

extension Location {
    /// The location as attributes, in a fixed order; unknown values are omitted.
    public var attributes: [LogValueEntry] {
        var entries: [LogValueEntry] = []
        entries.reserveCapacity(GeoAttributes.Name.allCases.count)
        forEachField { entries.append(LogValueEntry($0.text, $1)) }
        return entries
    }

    /// The same attributes, written into a record.
    var logAttributes: LogAttributes {
        LogAttributes { builder in forEachField { builder.add($0.key, $1) } }
    }

    /// Calls `body` with the known values, in a fixed order.
    @inline(__always)
    private func forEachField(_ body: (GeoAttributes.Name, LogValue) -> Void) {
        func number(_ name: GeoAttributes.Name, _ value: Double?) {
            if let value, value.isFinite { body(name, .double(value)) }
        }
        number(.latitude, coordinate.latitude)
        number(.longitude, coordinate.longitude)
        body(.time, .date(timestamp))
        number(.altitude, altitude)
        number(.ellipsoidalAltitude, ellipsoidalAltitude)
        number(.horizontalAccuracy, horizontalAccuracy)
        number(.verticalAccuracy, verticalAccuracy)
        number(.course, course)
        number(.courseAccuracy, courseAccuracy)
        number(.speed, speed)
        number(.speedAccuracy, speedAccuracy)
        if let floor { body(.floor, .int(Int64(floor))) }
        if let sourceInformation {
            body(.simulated, .bool(sourceInformation.isSimulatedBySoftware))
            body(.accessory, .bool(sourceInformation.isProducedByAccessory))
        }
        number(.climb, extra.climb)
        number(.climbAccuracy, extra.climbAccuracy)
        number(.geoidSeparation, extra.geoidSeparation)
        if let device = extra.device { body(.device, .string(device)) }
        if let satellites = extra.satellites { body(.satellites, .int(Int64(satellites))) }
        number(.hdop, extra.hdop)
        number(.vdop, extra.vdop)
        number(.pdop, extra.pdop)
        if let hasNoTime = extra.hasNoTime { body(.noTime, .bool(hasNoTime)) }
        if let uptime = extra.uptime { body(.uptime, .int(uptime)) }
    }

    /// Creates a location from attributes, in any order; unknown ones are ignored.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of a record.
    ///   - received: The time of the fix, if the attributes have none.
    /// - Returns: `nil` without a valid latitude and longitude.
    public init?(attributes: [LogValueEntry], received: Timestamp) {
        self.init(latitude: .nan, longitude: .nan, timestamp: received)
        var expected = 0
        for entry in attributes {
            var key = entry.key
            let name = key.withUTF8 { GeoAttributes.Name.find(UnsafeRawBufferPointer($0), expected: &expected) }
            if let name { set(name, entry.value) }
        }
        guard coordinate.isValid else { return nil }
    }

    /// Creates a location from a record's attributes, as above.
    init?(_ view: borrowing RecordView) {
        self.init(latitude: .nan, longitude: .nan, timestamp: view.timestamp)
        var expected = 0
        var seen: UInt32 = 0
        view.forEachAttribute { attribute in
            guard let name = GeoAttributes.Name.find(attribute.key, expected: &expected) else { return }
            let bit = UInt32(1) << UInt32(name.rawValue)
            // The first of several equal names counts.
            if seen & bit == 0 { set(name, attribute.logValue) }
            seen |= bit
        }
        guard coordinate.isValid else { return nil }
    }

    private mutating func set(_ name: GeoAttributes.Name, _ value: LogValue) {
        switch name {
        case .latitude: coordinate.latitude = value.finite ?? .nan
        case .longitude: coordinate.longitude = value.finite ?? .nan
        case .time: if case .date(let time) = value { timestamp = time }
        case .altitude: altitude = value.finite
        case .ellipsoidalAltitude: ellipsoidalAltitude = value.finite
        case .horizontalAccuracy: horizontalAccuracy = value.finite
        case .verticalAccuracy: verticalAccuracy = value.finite
        case .course: course = value.finite
        case .courseAccuracy: courseAccuracy = value.finite
        case .speed: speed = value.finite
        case .speedAccuracy: speedAccuracy = value.finite
        case .floor: floor = value.whole
        case .simulated, .accessory:
            guard case .bool(let isTrue) = value else { return }
            var information = sourceInformation ?? SourceInformation()
            if name == .simulated {
                information.isSimulatedBySoftware = isTrue
            } else {
                information.isProducedByAccessory = isTrue
            }
            sourceInformation = information
        case .climb: extra.climb = value.finite
        case .climbAccuracy: extra.climbAccuracy = value.finite
        case .geoidSeparation: extra.geoidSeparation = value.finite
        case .device: if case .string(let device) = value { extra.device = device }
        case .satellites: extra.satellites = value.whole
        case .hdop: extra.hdop = value.finite
        case .vdop: extra.vdop = value.finite
        case .pdop: extra.pdop = value.finite
        case .noTime: if case .bool(let isTrue) = value { extra.hasNoTime = isTrue }
        case .uptime: if case .int(let uptime) = value { extra.uptime = uptime }
        }
    }

    /// One line for text sinks: the coordinate, the accuracy and the speed, if known.
    public var summary: String { String(decoding: summaryBytes, as: UTF8.self) }

    /// The same as UTF-8.
    var summaryBytes: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(64)
        text.append(real: coordinate.latitude, decimals: 6)
        text.append(", ")
        text.append(real: coordinate.longitude, decimals: 6)
        if let horizontalAccuracy {
            text.append(" ±")
            text.append(real: horizontalAccuracy, decimals: 1)
            text.append(" m")
        }
        if let speed {
            text.append(" ")
            text.append(real: speed, decimals: 1)
            text.append(" m/s")
        }
        return text
    }
}
