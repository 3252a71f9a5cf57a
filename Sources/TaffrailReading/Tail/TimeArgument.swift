internal import Taffrail

/// Reads moments as people give them to a command.
package enum TimeArgument {
    /// What is understood, for messages.
    package static let forms =
        "2026-01-05, 2026-01-05 14:30[:00], 14:30, RFC 3339, 10m (ago), now, today or yesterday"

    /// Reads a moment: RFC 3339, a local date, a local date and time, a local time of today, a length of time back
    /// from now, `now`, `today` or `yesterday` (their first moments).
    ///
    /// - Returns: Nanoseconds since 1970, or `nil` for any other text.
    package static func nanoseconds(_ text: String) -> Int64? { nanoseconds(text, now: Timestamp.now.nanoseconds) }

    static func nanoseconds(_ text: String, now: Int64, zone: ZoneOffset = .local) -> Int64? {
        switch text {
        case "now": return now
        case "today": return midnight(now, zone, daysBack: 0)
        case "yesterday": return midnight(now, zone, daysBack: 1)
        default: break
        }
        if let span = DurationText.duration(text.hasPrefix("-") ? String(text.dropFirst()) : text) {
            return now.subtractingClamped(span.nanoseconds)
        }
        // Made whole: a date has a midnight, a time of day has a date.
        var whole = text
        if text.utf8.count <= 12, text.utf8.dropFirst(2).first == UInt8(ascii: ":") {
            let seconds = now / 1_000_000_000
            let today = CivilTime(secondsSince1970: seconds + zone.seconds(seconds))
            whole = "\(digits(today.year, 4))-\(digits(today.month, 2))-\(digits(today.day, 2)) \(text)"
        }
        if whole.utf8.count == 10 { whole += " 00:00:00" }
        // 2026-01-05 14:30, with an offset or without.
        let colon = whole.utf8.index(whole.startIndex, offsetBy: 16, limitedBy: whole.endIndex)
        if let colon, whole.utf8[colon...].first != UInt8(ascii: ":") {
            whole = whole[..<colon] + ":00" + whole[colon...]
        }
        return whole.withUTF8 { bytes in
            var moment = TimestampParser(zone: zone)
            var place = 0
            let time = moment.read(UnsafeRawBufferPointer(bytes), &place)
            return place == bytes.count ? time : nil
        }
    }

    private static func midnight(_ now: Int64, _ zone: ZoneOffset, daysBack: Int64) -> Int64 {
        let seconds = now / 1_000_000_000
        let day = CivilTime.floorDivide(seconds + zone.seconds(seconds), by: 86_400) - daysBack
        let local = day * 86_400
        return (local - zone.seconds(local - zone.seconds(local))).nanoseconds(adding: 0)
    }

    private static func digits(_ value: Int64, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
