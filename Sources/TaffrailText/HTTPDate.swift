package import Taffrail

/// Times in headers of HTTP (RFC 9110, section 5.6.7).
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns a time such as `Mon, 05 Jan 2026 14:30:00 GMT`.
    package static func text(_ time: Timestamp) -> String {
        let seconds = CivilTime.floorDivide(time.nanoseconds, by: 1_000_000_000)
        let date = CivilTime(secondsSince1970: seconds)
        let weekday = days[Int(((seconds / 86_400) % 7 + 7) % 7)]
        let clock = [date.secondOfDay / 3_600, date.secondOfDay / 60 % 60, date.secondOfDay % 60].map(two)
        let month = months[Int(date.month) - 1]
        return "\(weekday), \(two(date.day)) \(month) \(date.year) \(clock.joined(separator: ":")) GMT"
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
        guard let month = months.firstIndex(where: { $0 == month }), let day = Int(day), var year = Int(year),
            (1...31).contains(day), (0...9999).contains(year)
        else { return nil }
        // Two digits: of this century, unless that is far in the future.
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        return RFC3339.timestamp("\(year)-\(two(Int64(month + 1)))-\(two(Int64(day)))T\(clock)Z")
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
