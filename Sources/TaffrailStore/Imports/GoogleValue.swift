#if Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// A value of a timeline, small enough to keep it completely in memory.
indirect enum GoogleValue {
    case object([String: GoogleValue])
    case array([GoogleValue])
    case string(String)
    case real(Double)
    /// Anything else.
    case none

    /// Reads the value that begins with a token.
    init(_ reader: inout JSONReader, _ token: JSONToken) throws(ReadError) {
        switch token {
        case .beginObject:
            var members: [String: GoogleValue] = [:]
            while try reader.nextKey() {
                let name = reader.text
                members[name] = try GoogleValue(&reader, try reader.next())
            }
            self = .object(members)
        case .beginArray:
            var elements: [GoogleValue] = []
            while true {
                let token = try reader.next()
                if token == .endArray { break }
                elements.append(try GoogleValue(&reader, token))
            }
            self = .array(elements)
        case .string: self = .string(reader.text)
        case .number: self = .real(reader.number)
        default: self = .none
        }
    }

    subscript(_ name: String) -> GoogleValue? { if case .object(let members) = self { members[name] } else { nil } }
    var list: [GoogleValue] { if case .array(let elements) = self { elements } else { [] } }
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var number: Double? { if case .real(let number) = self { number } else { nil } }
    /// A number, possibly in quotes.
    var anyNumber: Double? { number ?? text.flatMap { DecimalText.double($0) } }

    /// A time, and the offset of local time from UTC, if the string contains it.
    struct Time {
        var time: Timestamp
        var offset: Duration?

        func later(by duration: Duration) -> Time { Time(time: time + duration, offset: offset) }
    }

    /// The time in a string such as `2026-01-05T14:30:00.000+01:00`.
    var time: Time? {
        guard let text, let time = RFC3339.timestamp(text) else { return nil }
        let zone = Array(text.utf8.suffix(6))
        guard zone.count == 6, zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-"),
            zone[3] == UInt8(ascii: ":"),
            let hours = Int64(text.suffix(5).prefix(2)), let minutes = Int64(text.suffix(2))
        else { return Time(time: time) }
        let seconds = hours * 3_600 + minutes * 60
        return Time(time: time, offset: .seconds(zone[0] == UInt8(ascii: "-") ? -seconds : seconds))
    }

    /// The time in a string with milliseconds since 1970.
    var milliseconds: Time? {
        guard let number = anyNumber, abs(number) < 9e12 else { return nil }
        return Time(time: Timestamp(nanoseconds: Int64(number.rounded()) &* 1_000_000))
    }

    /// The coordinate in a string such as `55.6761°, 12.5683°` or `geo:55.6761,12.5683`.
    var coordinate: Coordinate? {
        guard let text else { return nil }
        let plain = text.hasPrefix("geo:") ? text.dropFirst(4) : text[...]
        let parts = plain.split(separator: ",").map { part in
            DecimalText.double(String(part.filter { $0 != "\u{B0}" && $0 != " " }))
        }
        guard parts.count == 2, let lat = parts[0], let lon = parts[1] else { return nil }
        let coordinate = Coordinate(latitude: lat, longitude: lon)
        return coordinate.isValid ? coordinate : nil
    }
}
#endif
