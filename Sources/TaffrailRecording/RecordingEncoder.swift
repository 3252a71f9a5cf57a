internal import Taffrail
package import TaffrailGeo
internal import TaffrailText

/// Encodes the events of a recording, one per line.
package enum RecordingEncoder {
    /// Appends an event without a line break.
    package static func append(_ event: RecordedEvent, to bytes: inout [UInt8]) {
        switch event.event {
        case .location(let location):
            head("location", event, &bytes)
            bytes.append(",\"data\":")
            append(location, &bytes)
        case .error(let error):
            head("error", event, &bytes)
            append(error, to: &bytes)
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

    /// Appends the members of an error, each after a comma.
    package static func append(_ error: GeoError, to bytes: inout [UInt8]) {
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
    }

    private static func head(_ type: StaticString, _ event: RecordedEvent, _ bytes: inout [UInt8]) {
        bytes.append("{\"type\":\"")
        bytes.append(type)
        bytes.append("\",\"timestamp\":\"")
        RFC3339.append(event.timestamp, to: &bytes)
        bytes.append("\",\"relativeTime\":")
        bytes.append(real: event.relativeTime.roundedToMillionths)
    }

    private static func append(_ location: Location, _ bytes: inout [UInt8]) {
        bytes.append("{\"coordinate\":{\"latitude\":")
        bytes.append(real: location.coordinate.latitude)
        bytes.append(",\"longitude\":")
        bytes.append(real: location.coordinate.longitude)
        bytes.append("}")
        location.forEachField { field, value in if field.part == .motion { member(field, value, &bytes) } }
        bytes.append(",\"timestamp\":\"")
        RFC3339.append(location.timestamp, to: &bytes)
        bytes.append("\"")
        location.forEachField { field, value in if field.part == .ellipsoid { member(field, value, &bytes) } }
        var start = bytes.count
        location.forEachField { field, value in if field.part == .source { member(field, value, &bytes) } }
        nest(",\"sourceInformation\":{", from: start, &bytes)
        start = bytes.count
        location.forEachField { field, value in if field.part == .receiver { member(field, value, &bytes) } }
        if location.extra.hasNoTime == true { bytes.append(",\"hasNoTime\":true") }
        nest(",\"extra\":{", from: start, &bytes)
        bytes.append("}")
    }

    /// Appends a value, after a comma.
    @inline(__always)
    private static func member(_ field: LocationField, _ value: LogValue, _ bytes: inout [UInt8]) {
        bytes.append(field.names.member)
        switch value {
        case .double(let number): bytes.append(real: number)
        case .int(let number): bytes.append(decimal: Int(number))
        case .string(let text): bytes.append(json: text)
        default: bytes.append(json: value)
        }
    }

    /// Puts the members from `start`, if any, into an object with `head` as its beginning.
    private static func nest(_ head: String, from start: Int, _ bytes: inout [UInt8]) {
        guard bytes.count > start else { return }
        // The first member's comma is replaced by the object's head.
        bytes.replaceSubrange(start...start, with: head.utf8)
        bytes.append("}")
    }
}
