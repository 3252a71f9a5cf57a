#if HTTP
internal import Taffrail
internal import TaffrailText

/// The header `Retry-After`: a number of seconds, or a date in one of the three forms of RFC 9110.
package enum RetryAfter {
    /// Returns the time at which the next attempt is allowed, ns since 1970; `nil` when the header is malformed.
    ///
    /// - Parameters:
    ///   - text: The header.
    ///   - date: The header `Date` of the same response, which corrects a date if the local clock is wrong.
    ///   - now: The local time.
    package static func time(_ text: String, date: String?, now: Int64) -> Int64? {
        let text = text.trimmed
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            let seconds = min(Int64(text) ?? .max, 1_000_000_000)
            return now &+ seconds * 1_000_000_000
        }
        guard let time = HTTPDate.time(text) else { return nil }
        guard let sent = date.flatMap({ HTTPDate.time($0.trimmed) }) else { return time.nanoseconds }
        return now &+ max(0, time.nanoseconds &- sent.nanoseconds)
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
