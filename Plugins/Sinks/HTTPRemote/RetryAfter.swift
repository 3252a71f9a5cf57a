#if HTTP
internal import Taffrail
internal import TaffrailText

/// The header `Retry-After`: a number of seconds, or a date in one of the three forms of RFC 9110.
enum RetryAfter {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// When the next attempt is allowed, ns since 1970; `nil` when the header makes no sense.
    ///
    /// - Parameters:
    ///   - text: The header.
    ///   - date: The header `Date` of the same answer, by which a date is corrected for a clock that is wrong.
    ///   - now: Our time.
    static func time(_ text: String, date: String?, now: Int64) -> Int64? {
        let text = text.trimmed
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            let seconds = min(Int64(text) ?? .max, 1_000_000_000)
            return now &+ seconds * 1_000_000_000
        }
        guard let time = Self.time(text) else { return nil }
        guard let sent = date.flatMap({ Self.time($0.trimmed) }) else { return time.nanoseconds }
        return now &+ max(0, time.nanoseconds &- sent.nanoseconds)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    private static func time(_ text: String) -> Timestamp? {
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
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return RFC3339.timestamp("\(year)-\(two(month + 1))-\(two(day))T\(clock)Z")
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        var text = start[...]
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
#endif
