package import Taffrail

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Sendable, Hashable {
    package var year: Int
    /// 1 to 12.
    package var month: Int
    /// 1 to 31.
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that is `days` after 1970-01-01.
    ///
    /// The year is taken to begin in March, so that the leap day is its last; 400 years have 146,097 days.
    package init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// How many days it is after 1970-01-01.
    package var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Whether there is such a day.
    package var exists: Bool {
        guard (1...12).contains(month), day >= 1 else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= lengths[month - 1]
    }
}

/// Moments as text: RFC 3339 in UTC.
package enum RFC3339 {
    /// Reads `2026-01-05T14:30:00Z` with any decimals and any offset. A leap second (`:60`) is the next second's start.
    ///
    /// - Parameter zoneRequired: Whether a text without `Z` or offset is refused; otherwise it is taken for UTC.
    /// - Returns: `nil` for what is no such text, and outside the years 1678 to 2261.
    package static func timestamp(_ bytes: UnsafeBufferPointer<UInt8>, zoneRequired: Bool = true) -> Timestamp? {
        var text = Scanner(bytes: bytes)
        guard let year = text.digits(4), text.take("-"), let month = text.digits(2), text.take("-"),
            let day = text.digits(2), text.take("T") || text.take("t") || text.take(" "), let hour = text.digits(2),
            text.take(":"), let minute = text.digits(2), text.take(":"), let second = text.digits(2)
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.exists, (1678...2261).contains(year), hour < 24, minute < 60, second <= 60 else { return nil }
        var nanoseconds = 0
        if text.take(".") || text.take(",") {
            guard let fraction = text.fraction() else { return nil }
            nanoseconds = fraction
        }
        guard let offset = text.offset(required: zoneRequired), text.isAtEnd else { return nil }
        let seconds = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return Timestamp(nanoseconds: Int64(seconds * 1_000_000_000 + nanoseconds))
    }

    /// Reads a text, as above.
    package static func timestamp(_ text: String, zoneRequired: Bool = true) -> Timestamp? {
        var text = text
        return text.withUTF8 { timestamp($0, zoneRequired: zoneRequired) }
    }

    /// Reads a moment as above, in UTC where it names no zone, or the start of a day, a month or a year: `2026-01-05`,
    /// `2026-01`, `2026`.
    package static func timestampOrDate(_ text: String) -> Timestamp? {
        var text = text
        return text.withUTF8 { bytes in
            if let time = timestamp(bytes, zoneRequired: false) { return time }
            var scanner = Scanner(bytes: bytes)
            var date = CivilDate(year: scanner.digits(4) ?? 0, month: 1, day: 1)
            if scanner.take("-") {
                date.month = scanner.digits(2) ?? 0
                if scanner.take("-") { date.day = scanner.digits(2) ?? 0 }
            }
            _ = scanner.take("Z")
            guard scanner.isAtEnd, date.exists, (1678...2261).contains(date.year) else { return nil }
            return Timestamp(nanoseconds: Int64(date.daysSince1970 * 86_400) * 1_000_000_000)
        }
    }

    /// Appends a moment, cut to `decimals` of a second (0 to 9).
    package static func append(_ time: Timestamp, decimals: Int = 3, to bytes: inout [UInt8]) {
        let seconds = floorDivide(Int(time.nanoseconds), 1_000_000_000)
        let nanoseconds = Int(time.nanoseconds) - seconds * 1_000_000_000
        let days = floorDivide(seconds, 86_400)
        let date = CivilDate(daysSince1970: days)
        let ofDay = UInt(seconds - days * 86_400)
        var text = ShortText()
        text.prepend("Z")
        if decimals > 0 {
            var divisor = 1
            for _ in decimals..<9 { divisor *= 10 }
            text.prepend(UInt(nanoseconds / divisor), width: decimals)
            text.prepend(".")
        }
        text.prepend(ofDay % 60, width: 2)
        text.prepend(":")
        text.prepend(ofDay / 60 % 60, width: 2)
        text.prepend(":")
        text.prepend(ofDay / 3_600, width: 2)
        text.prepend("T")
        text.prepend(UInt(date.day), width: 2)
        text.prepend("-")
        text.prepend(UInt(date.month), width: 2)
        text.prepend("-")
        // A timestamp's years are 1677 to 2262.
        text.prepend(UInt(date.year), width: 4)
        bytes.append(text)
    }

    /// A moment as text.
    package static func string(_ time: Timestamp, decimals: Int = 3) -> String {
        var bytes: [UInt8] = []
        append(time, decimals: decimals, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The quotient rounded down, also for negative numbers.
    package static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }

    private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        var index = 0
        var isAtEnd: Bool { index == bytes.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        mutating func digits(_ count: Int) -> Int? {
            guard index + count <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[index..<index + count] {
                guard byte &- 48 < 10 else { return nil }
                value = value * 10 + Int(byte - 48)
            }
            index += count
            return value
        }

        /// Nanoseconds from any count of decimals; those beyond the ninth are cut.
        mutating func fraction() -> Int? {
            var value = 0
            var scale = 100_000_000
            let start = index
            while index < bytes.count, bytes[index] &- 48 < 10 {
                value += Int(bytes[index] - 48) * scale
                scale /= 10
                index += 1
            }
            return index > start ? value : nil
        }

        /// Seconds east of UTC.
        mutating func offset(required: Bool) -> Int? {
            if take("Z") || take("z") { return 0 }
            let sign: Int
            if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return required ? nil : 0 }
            guard let hours = digits(2), hours < 24 else { return nil }
            _ = take(":")
            guard let minutes = digits(2), minutes < 60 else { return nil }
            return sign * (hours * 3_600 + minutes * 60)
        }
    }
}
