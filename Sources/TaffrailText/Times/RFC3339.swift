package import Taffrail

/// Parses and formats times: RFC 3339 in UTC.
package enum RFC3339 {
    /// Parses `2026-01-05T14:30:00Z` with any number of decimals and any offset. A leap second (`:60`) is the start of
    /// the next second.
    ///
    /// - Parameter zoneRequired: Whether to reject a time without `Z` or an offset; otherwise it is in UTC.
    /// - Returns: `nil` for any other string, and outside the years 1678 to 2261.
    package static func timestamp(_ bytes: UnsafeBufferPointer<UInt8>, zoneRequired: Bool = true) -> Timestamp? {
        var text = Scanner(bytes: UnsafeRawBufferPointer(bytes))
        guard let year = text.digits(4), text.take("-"), let month = text.digits(2), text.take("-"),
            let day = text.digits(2), text.take("T") || text.take("t") || text.take(" "), let second = text.timeOfDay()
        else { return nil }
        let time = CivilTime(year: year, month: month, day: day, secondOfDay: second)
        guard time.exists, (1678...2261).contains(year) else { return nil }
        var nanoseconds: Int64 = 0
        if text.take(".") || text.take(",") {
            guard let fraction = text.fraction() else { return nil }
            nanoseconds = fraction
        }
        guard let offset = text.offset(required: zoneRequired), text.isAtEnd else { return nil }
        return Timestamp(nanoseconds: (time.secondsSince1970 - offset) * 1_000_000_000 + nanoseconds)
    }

    /// Parses a string, as above.
    package static func timestamp(_ text: String, zoneRequired: Bool = true) -> Timestamp? {
        var text = text
        return text.withUTF8 { timestamp($0, zoneRequired: zoneRequired) }
    }

    /// Parses a time as above, in UTC without an offset, or the start of a day, a month or a year: `2026-01-05`,
    /// `2026-01`, `2026`.
    package static func timestampOrDate(_ text: String) -> Timestamp? {
        var text = text
        return text.withUTF8 { bytes in
            if let time = timestamp(bytes, zoneRequired: false) { return time }
            var scanner = Scanner(bytes: UnsafeRawBufferPointer(bytes))
            var date = CivilTime(year: scanner.digits(4) ?? 0, month: 1, day: 1)
            if scanner.take("-") {
                date.month = scanner.digits(2) ?? 0
                if scanner.take("-") { date.day = scanner.digits(2) ?? 0 }
            }
            _ = scanner.take("Z")
            guard scanner.isAtEnd, date.exists, (1678...2261).contains(date.year) else { return nil }
            return Timestamp(nanoseconds: date.secondsSince1970 * 1_000_000_000)
        }
    }

    /// Appends a time, truncated to `decimals` of a second (0 to 9).
    package static func append(_ time: Timestamp, decimals: Int = 3, to bytes: inout [UInt8]) {
        bytes.append(upTo: 32) { TimestampFormatter.writeRFC3339(time.nanoseconds, decimals: decimals, to: $0) }
    }

    /// Returns a time as a string.
    package static func string(_ time: Timestamp, decimals: Int = 3) -> String {
        var bytes: [UInt8] = []
        append(time, decimals: decimals, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a time in whole seconds with an offset of some seconds, such as `2026-01-05T15:30:00+01:00`.
    package static func string(_ time: Timestamp, offset: Int64) -> String {
        let seconds = time.wholeSeconds
        let local = CivilTime(secondsSince1970: seconds &+ offset)
        let minutes = offset.magnitude / 60
        return "\(local.date)T\(local.clock)\(offset < 0 ? "-" : "+")\(Decimal.padded(minutes / 60, 2)):"
            + Decimal.padded(minutes % 60, 2)
    }

    private struct Scanner {
        let bytes: UnsafeRawBufferPointer
        var index = 0
        var isAtEnd: Bool { index == bytes.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        mutating func digits(_ count: Int) -> Int64? {
            guard let value = TimeDigits.number(bytes, index, count) else { return nil }
            index += count
            return value
        }

        mutating func timeOfDay() -> Int64? {
            guard let second = TimeDigits.timeOfDay(bytes, index) else { return nil }
            index += 8
            return second
        }

        mutating func fraction() -> Int64? { TimeDigits.decimals(bytes, &index) }

        /// Reads an offset in seconds east of UTC.
        mutating func offset(required: Bool) -> Int64? {
            if take("z") { return 0 }
            switch TimestampParser.offset(bytes, &index) {
            case .seconds(let offset): return offset
            case .missing: return required ? nil : 0
            case .invalid: return nil
            }
        }
    }
}
