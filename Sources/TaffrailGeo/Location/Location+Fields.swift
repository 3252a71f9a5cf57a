public import Taffrail
internal import TaffrailText

extension Location {
    /// Calls `body` with the known values, in a fixed order.
    ///
    /// Inlined, so that the names in `body` are constants.
    @inlinable
    @inline(__always)
    package func forEachField(_ body: (LocationField, LogValue) -> Void) {
        func number(_ field: LocationField, _ value: Double?) {
            if let value, value.isFinite { body(field, .double(value)) }
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
            body(.isSimulatedBySoftware, .bool(sourceInformation.isSimulatedBySoftware))
            body(.isProducedByAccessory, .bool(sourceInformation.isProducedByAccessory))
        }
        number(.climb, extra.climb)
        number(.climbAccuracy, extra.climbAccuracy)
        number(.geoidSeparation, extra.geoidSeparation)
        if let device = extra.device { body(.device, .string(device)) }
        if let satellites = extra.satellites { body(.satellites, .int(Int64(satellites))) }
        number(.hdop, extra.hdop)
        number(.vdop, extra.vdop)
        number(.pdop, extra.pdop)
        if let hasNoTime = extra.hasNoTime { body(.hasNoTime, .bool(hasNoTime)) }
        if let uptime = extra.uptime { body(.uptime, .int(uptime)) }
    }

    /// Sets a value. Instead of a measured or counted number, a value of another type counts as unknown, like NaN and the
    /// infinities. Instead of a time, a text or a Boolean, a value of another type is ignored.
    package mutating func set(_ field: LocationField, _ value: LogValue) {
        switch field {
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
        case .isSimulatedBySoftware, .isProducedByAccessory:
            guard case .bool(let isTrue) = value else { return }
            var information = sourceInformation ?? SourceInformation()
            if field == .isSimulatedBySoftware {
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
        case .hasNoTime: if case .bool(let isTrue) = value { extra.hasNoTime = isTrue }
        case .uptime: if case .int(let uptime) = value { extra.uptime = uptime }
        }
    }

    /// Sets a value that is a number in a file. A number that is out of the value's range counts as unknown.
    package mutating func set(_ field: LocationField, number: Double?) {
        var number = number ?? .nan
        switch field {
        case .latitude, .longitude, .altitude, .ellipsoidalAltitude, .floor, .climb, .geoidSeparation: break
        case .isSimulatedBySoftware, .isProducedByAccessory: return set(field, .bool(number != 0))
        case .course: number = Self.course(number) ?? .nan
        default: if number < 0 { number = .nan }
        }
        set(field, .double(number))
    }
}
