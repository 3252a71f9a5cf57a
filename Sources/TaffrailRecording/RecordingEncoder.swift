internal import Taffrail
package import TaffrailGeo
internal import TaffrailText

/// Encodes the events of a recording, one per line.
package enum RecordingEncoder {
    /// Rounds seconds to a microsecond, which shortens the output; values beyond the precision of Double are unchanged.
    package static func microseconds(_ seconds: Double) -> Double {
        abs(seconds) < 1e9 ? (seconds * 1e6).rounded() / 1e6 : seconds
    }

    /// Appends an event without a line break.
    package static func append(_ event: RecordedEvent, to bytes: inout [UInt8]) {
        switch event.event {
        case .location(let location):
            head("location", event, &bytes)
            bytes.append(",\"data\":")
            append(location, &bytes)
        case .error(let error):
            head("error", event, &bytes)
            bytes.append(",\"code\":")
            bytes.append(decimal: error.code)
            bytes.append(",\"domain\":")
            bytes.append(json: error.domain)
            bytes.append(",\"description\":")
            bytes.append(json: error.description)
            if let device = error.device {
                bytes.append(",\"device\":")
                bytes.append(json: device)
            }
            if error.hasNoTime { bytes.append(",\"hasNoTime\":true") }
        case .log(let record):
            head("log", event, &bytes)
            bytes.append(",\"data\":")
            bytes.append(object: { object in
                object.add(record)
                object.add(
                    run: record.run == .none ? "" : record.run.description,
                    sequence: record.sequence == 0 ? nil : record.sequence)
            })
        }
        bytes.append("}")
    }

    private static func head(_ type: StaticString, _ event: RecordedEvent, _ bytes: inout [UInt8]) {
        bytes.append("{\"type\":\"")
        bytes.append(type)
        bytes.append("\",\"timestamp\":\"")
        RFC3339.append(event.timestamp, to: &bytes)
        bytes.append("\",\"relativeTime\":")
        bytes.append(real: microseconds(event.relativeTime))
    }

    private static func append(_ location: Location, _ bytes: inout [UInt8]) {
        bytes.append("{\"coordinate\":{\"latitude\":")
        bytes.append(real: location.coordinate.latitude)
        bytes.append(",\"longitude\":")
        bytes.append(real: location.coordinate.longitude)
        bytes.append("}")
        number(",\"altitude\":", location.altitude, &bytes)
        number(",\"horizontalAccuracy\":", location.horizontalAccuracy, &bytes)
        number(",\"verticalAccuracy\":", location.verticalAccuracy, &bytes)
        number(",\"course\":", location.course, &bytes)
        number(",\"courseAccuracy\":", location.courseAccuracy, &bytes)
        number(",\"speed\":", location.speed, &bytes)
        number(",\"speedAccuracy\":", location.speedAccuracy, &bytes)
        if let floor = location.floor {
            bytes.append(",\"floor\":")
            bytes.append(decimal: floor)
        }
        bytes.append(",\"timestamp\":\"")
        RFC3339.append(location.timestamp, to: &bytes)
        bytes.append("\"")
        number(",\"ellipsoidalAltitude\":", location.ellipsoidalAltitude, &bytes)
        if let source = location.sourceInformation {
            bytes.append(",\"sourceInformation\":{\"isSimulatedBySoftware\":")
            bytes.append(source.isSimulatedBySoftware ? "true" : "false")
            bytes.append(",\"isProducedByAccessory\":")
            bytes.append(source.isProducedByAccessory ? "true" : "false")
            bytes.append("}")
        }
        append(location.extra, &bytes)
        bytes.append("}")
    }

    private static func append(_ extra: Location.Extra, _ bytes: inout [UInt8]) {
        let start = bytes.count
        number(",\"climb\":", extra.climb, &bytes)
        number(",\"climbAccuracy\":", extra.climbAccuracy, &bytes)
        number(",\"geoidSeparation\":", extra.geoidSeparation, &bytes)
        if let device = extra.device {
            bytes.append(",\"device\":")
            bytes.append(json: device)
        }
        if let satellites = extra.satellites {
            bytes.append(",\"satellites\":")
            bytes.append(decimal: satellites)
        }
        number(",\"hdop\":", extra.hdop, &bytes)
        number(",\"vdop\":", extra.vdop, &bytes)
        number(",\"pdop\":", extra.pdop, &bytes)
        if extra.hasNoTime == true { bytes.append(",\"hasNoTime\":true") }
        guard bytes.count > start else { return }
        // The first member's comma is replaced by the object's head.
        bytes.replaceSubrange(start...start, with: ",\"extra\":{".utf8)
        bytes.append("}")
    }

    private static func number(_ key: StaticString, _ value: Double?, _ bytes: inout [UInt8]) {
        guard let value, value.isFinite else { return }
        bytes.append(key)
        bytes.append(real: value)
    }
}
