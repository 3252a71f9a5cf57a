package import Taffrail

/// Times in headers of HTTP (RFC 9110, section 5.6.7).
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// Returns a time such as `Mon, 05 Jan 2026 14:30:00 GMT`.
    package static func text(_ time: Timestamp) -> String {
        let seconds = time.wholeSeconds
        let date = CivilTime(secondsSince1970: seconds)
        let weekday = days[Int(((seconds / 86_400) % 7 + 7) % 7)]
        let month = TimeDigits.months[Int(date.month) - 1]
        return "\(weekday), \(Decimal.padded(date.day, 2)) \(month) \(date.year) \(date.clock) GMT"
    }

    /// Returns the time of `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37
    /// 1994`.
    package static func time(_ text: String) -> Timestamp? {
        let words = text.split { $0 == " " || $0 == "-" || $0 == "," }
        if words.count == 6 { return time(day: words[1], month: words[2], year: words[3], clock: words[4]) }
        guard words.count == 5 else { return nil }
        return time(day: words[2], month: words[1], year: words[4], clock: words[3])
    }

    private static func time(day: Substring, month: Substring, year: Substring, clock: Substring) -> Timestamp? {
        guard let month = TimeDigits.months.firstIndex(where: { $0 == month }), let day = Int(day),
            var year = Int(year),
            (1...31).contains(day), (0...9999).contains(year)
        else { return nil }
        // Two digits: of this century, unless that is far in the future.
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        let date = CivilTime(year: Int64(year), month: Int64(month + 1), day: Int64(day)).date
        return RFC3339.timestamp("\(date)T\(clock)Z")
    }
}
