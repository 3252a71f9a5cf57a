#if Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// The contents of values of a timeline.
extension LogValue {
    /// The string; `nil` also if it is empty, as for null.
    var name: String? { text.flatMap { $0.isEmpty ? nil : $0 } }
    /// A number, possibly in quotes.
    var anyNumber: Double? { number ?? text.flatMap { DecimalText.double($0) } }

    /// The time in a string such as `2026-01-05T14:30:00.000+01:00`.
    var time: GoogleTime? {
        guard let text, let time = RFC3339.timestamp(text) else { return nil }
        let zone = Array(text.utf8.suffix(6))
        guard zone.count == 6, zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-"),
            zone[3] == UInt8(ascii: ":"),
            let hours = Int64(text.suffix(5).prefix(2)), let minutes = Int64(text.suffix(2))
        else { return GoogleTime(time: time) }
        let seconds = hours * 3_600 + minutes * 60
        return GoogleTime(time: time, offset: .seconds(zone[0] == UInt8(ascii: "-") ? -seconds : seconds))
    }

    /// The time in a string with milliseconds since 1970.
    var milliseconds: GoogleTime? {
        guard let number = anyNumber, abs(number) < 9e12 else { return nil }
        return GoogleTime(time: Timestamp(nanoseconds: Int64(number.rounded()) &* 1_000_000))
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
