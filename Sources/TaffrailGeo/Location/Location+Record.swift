public import Taffrail

extension Location {
    /// The location as attributes, in a fixed order; what is not known is left out.
    public var attributes: [LogValueEntry] {
        var entries: [LogValueEntry] = []
        entries.reserveCapacity(16)
        func add(_ name: GeoAttributes.Name, _ value: Double?) {
            if let value, value.isFinite { entries.append(LogValueEntry(name.key, .double(value))) }
        }
        func add(_ name: GeoAttributes.Name, _ value: Int?) {
            if let value { entries.append(LogValueEntry(name.key, .int(Int64(value)))) }
        }
        add(.latitude, coordinate.latitude)
        add(.longitude, coordinate.longitude)
        entries.append(LogValueEntry(GeoAttributes.Name.time.key, .date(timestamp)))
        add(.altitude, altitude)
        add(.ellipsoidalAltitude, ellipsoidalAltitude)
        add(.horizontalAccuracy, horizontalAccuracy)
        add(.verticalAccuracy, verticalAccuracy)
        add(.course, course)
        add(.courseAccuracy, courseAccuracy)
        add(.speed, speed)
        add(.speedAccuracy, speedAccuracy)
        add(.floor, floor)
        if let sourceInformation {
            entries.append(
                LogValueEntry(GeoAttributes.Name.simulated.key, .bool(sourceInformation.isSimulatedBySoftware)))
            entries.append(
                LogValueEntry(GeoAttributes.Name.accessory.key, .bool(sourceInformation.isProducedByAccessory)))
        }
        add(.climb, extra.climb)
        add(.climbAccuracy, extra.climbAccuracy)
        add(.geoidSeparation, extra.geoidSeparation)
        if let device = extra.device { entries.append(LogValueEntry(GeoAttributes.Name.device.key, .string(device))) }
        add(.satellites, extra.satellites)
        add(.hdop, extra.hdop)
        add(.vdop, extra.vdop)
        add(.pdop, extra.pdop)
        if let hasNoTime = extra.hasNoTime {
            entries.append(LogValueEntry(GeoAttributes.Name.noTime.key, .bool(hasNoTime)))
        }
        if let uptime = extra.uptime { entries.append(LogValueEntry(GeoAttributes.Name.uptime.key, .int(uptime))) }
        return entries
    }

    /// Reads a location from attributes, in any order; unknown ones are passed over.
    ///
    /// - Parameter received: Stands for the fix's time where the attributes have none.
    /// - Returns: `nil` without a valid latitude and longitude.
    public init?(attributes: [LogValueEntry], received: Timestamp) {
        self.init(latitude: .nan, longitude: .nan, timestamp: received)
        var expected = 0
        for entry in attributes {
            guard let name = GeoAttributes.Name.find(entry.key, expected: &expected) else { continue }
            set(name, entry.value)
        }
        guard coordinate.isValid else { return nil }
    }

    private mutating func set(_ name: GeoAttributes.Name, _ value: LogValue) {
        switch name {
        case .latitude: coordinate.latitude = value.number ?? .nan
        case .longitude: coordinate.longitude = value.number ?? .nan
        case .time: if case .date(let time) = value { timestamp = time }
        case .altitude: altitude = value.number
        case .ellipsoidalAltitude: ellipsoidalAltitude = value.number
        case .horizontalAccuracy: horizontalAccuracy = value.number
        case .verticalAccuracy: verticalAccuracy = value.number
        case .course: course = value.number
        case .courseAccuracy: courseAccuracy = value.number
        case .speed: speed = value.number
        case .speedAccuracy: speedAccuracy = value.number
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
        case .climb: extra.climb = value.number
        case .climbAccuracy: extra.climbAccuracy = value.number
        case .geoidSeparation: extra.geoidSeparation = value.number
        case .device: if case .string(let device) = value { extra.device = device }
        case .satellites: extra.satellites = value.whole
        case .hdop: extra.hdop = value.number
        case .vdop: extra.vdop = value.number
        case .pdop: extra.pdop = value.number
        case .noTime: if case .bool(let isTrue) = value { extra.hasNoTime = isTrue }
        case .uptime: if case .int(let uptime) = value { extra.uptime = uptime }
        }
    }

    /// One line for text sinks: the coordinate, the accuracy and the speed where known.
    public var summary: String {
        var text: [UInt8] = []
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
        return String(decoding: text, as: UTF8.self)
    }
}

extension LogValue {
    /// The value as a finite number.
    fileprivate var number: Double? {
        switch self {
        case .double(let value): value.isFinite ? value : nil
        case .int(let value): Double(value)
        default: nil
        }
    }

    /// The value as a whole number.
    fileprivate var whole: Int? {
        switch self {
        case .int(let value): Int(exactly: value)
        case .double(let value): Int(exactly: value)
        default: nil
        }
    }
}
