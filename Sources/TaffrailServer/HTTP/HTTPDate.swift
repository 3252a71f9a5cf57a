internal import Taffrail

/// Times in headers of HTTP (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// A time such as `Mon, 05 Jan 2026 14:30:00 GMT`.
    static func text(_ time: Timestamp) -> String {
        let seconds = CivilTime.floorDivide(time.nanoseconds, by: 1_000_000_000)
        let date = CivilTime(secondsSince1970: seconds)
        let weekday = days[Int(((seconds / 86_400) % 7 + 7) % 7)]
        let clock = [date.secondOfDay / 3_600, date.secondOfDay / 60 % 60, date.secondOfDay % 60].map(two)
        let month = months[Int(date.month) - 1]
        return "\(weekday), \(two(date.day)) \(month) \(date.year) \(clock.joined(separator: ":")) GMT"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
