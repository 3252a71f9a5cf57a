/// A date and time of day in the proleptic Gregorian calendar.
package struct CivilTime: Equatable {
    package var year: Int64
    package var month: Int64
    package var day: Int64
    /// Seconds since midnight.
    package var secondOfDay: Int64

    /// The length of a day in nanoseconds.
    package static let dayLength: Int64 = 86_400_000_000_000

    var hour: Int64 { secondOfDay / 3600 }
    var minute: Int64 { secondOfDay / 60 % 60 }
    var second: Int64 { secondOfDay % 60 }

    /// The date, such as `2026-01-05`.
    package var date: String { "\(Decimal.padded(year, 4))-\(Decimal.padded(month, 2))-\(Decimal.padded(day, 2))" }

    /// The time of day, such as `14:30:00`.
    package var clock: String {
        "\(Decimal.padded(hour, 2)):\(Decimal.padded(minute, 2)):\(Decimal.padded(second, 2))"
    }

    /// Whether the calendar has this day.
    package var exists: Bool {
        guard (1...12).contains(month), day >= 1 else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        // From March to July and from August to December, months of 31 and 30 days alternate.
        return day <= (month == 2 ? (isLeap ? 29 : 28) : 30 + (month ^ month >> 3) & 1)
    }

    /// Creates the date and time of a number of seconds since 1970 on the same clock.
    ///
    /// Years are counted from March, so that the leap day comes last and 400 years repeat.
    package init(secondsSince1970 seconds: Int64) {
        let days = CivilTime.floorDivide(seconds, by: 86_400)
        secondOfDay = seconds - days * 86_400
        let fromMarch0 = days + 719_468
        let era = CivilTime.floorDivide(fromMarch0, by: 146_097)
        let dayOfEra = fromMarch0 - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Creates a date and time from its parts.
    package init(year: Int64, month: Int64, day: Int64, secondOfDay: Int64 = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.secondOfDay = secondOfDay
    }

    /// The seconds since 1970 on the same clock.
    package var secondsSince1970: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = CivilTime.floorDivide(shifted, by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return (era * 146_097 + dayOfEra - 719_468) * 86_400 + secondOfDay
    }

    /// Returns the quotient rounded towards minus infinity; `divisor` is positive.
    @inline(__always)
    package static func floorDivide(_ value: Int64, by divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
