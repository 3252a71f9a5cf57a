package import Taffrail
internal import TaffrailText

/// Parses times given to a command.
package enum TimeArgument {
    /// The accepted forms, for messages.
    package static let forms =
        "2026-01-05, 2026-01-05 14:30[:00], 14:30, RFC 3339, 10m or -10m (ago), 10 minutes ago, 1767623400 or "
        + "@1767623400 (seconds since 1970), now, today or yesterday"

    /// Parses a time: RFC 3339, a local date, a local date and time, a local time of today, a duration before now,
    /// `now`, or `today` or `yesterday` (midnight).
    ///
    /// - Returns: Nanoseconds since 1970, or `nil` for any other string.
    package static func nanoseconds(_ text: String, zone: ZoneOffset = .local) -> Int64? {
        nanoseconds(text, now: Timestamp.now.nanoseconds, zone: zone)
    }

    static func nanoseconds(_ text: String, now: Int64, zone: ZoneOffset = .local) -> Int64? {
        switch text {
        case "now": return now
        case "today": return midnight(now, zone, daysBack: 0)
        case "yesterday": return midnight(now, zone, daysBack: 1)
        default: break
        }
        if let span = back(text) { return now.subtractingClamped(span.nanoseconds) }
        if let time = secondsSince1970(text) { return time }
        // Complete it: a date gets midnight, a time of day gets a date.
        var whole = text
        if text.utf8.count <= 12, text.utf8.dropFirst(2).first == UInt8(ascii: ":") {
            let seconds = now / 1_000_000_000
            let today = CivilTime(secondsSince1970: seconds + zone.seconds(seconds))
            whole = "\(today.date) \(text)"
        }
        if whole.utf8.count == 10 { whole += " 00:00:00" }
        // 2026-01-05 14:30, with or without an offset.
        let colon = whole.utf8.index(whole.startIndex, offsetBy: 16, limitedBy: whole.endIndex)
        if let colon, whole.utf8[colon...].first != UInt8(ascii: ":") {
            whole = whole[..<colon] + ":00" + whole[colon...]
        }
        return whole.withUTF8 { bytes in
            var parser = TimestampParser(zone: zone)
            var index = 0
            let time = parser.read(UnsafeRawBufferPointer(bytes), &index)
            return index == bytes.count ? time : nil
        }
    }

    /// Returns a duration before now: `10m`, `-10m`, `10m ago`, `10 minutes ago`.
    private static func back(_ text: String) -> Duration? {
        if text.hasPrefix("-") { return DurationText.duration(String(text.dropFirst())) }
        guard text.hasSuffix(" ago") else { return DurationText.duration(text) }
        // Units are written out, in the singular or plural.
        let words = text.dropLast(4).split(separator: " ").map { word in
            Self.units.first { $0.name == word || $0.name + "s" == word }?.unit ?? String(word)
        }
        return DurationText.duration(words.joined())
    }

    private static let units: [(name: String, unit: String)] = [
        ("second", "s"), ("sec", "s"), ("minute", "m"), ("min", "m"), ("hour", "h"), ("day", "d"), ("week", "w"),
    ]

    /// Parses seconds since 1970, as `date +%s` prints them; with fewer than nine digits only after `@`.
    private static func secondsSince1970(_ text: String) -> Int64? {
        let digits = text.hasPrefix("@") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), text.hasPrefix("@") || parts[0].utf8.count >= 9,
            let seconds = Int64(parts[0]),
            seconds >= 0, seconds < 9_000_000_000
        else { return nil }
        var fraction: Int64 = 0
        if parts.count == 2 {
            guard let value = Int64(parts[1]), value >= 0, parts[1].utf8.count <= 9 else { return nil }
            fraction = (0..<9 - parts[1].utf8.count).reduce(value) { value, _ in value * 10 }
        }
        return seconds.nanoseconds(adding: fraction)
    }

    private static func midnight(_ now: Int64, _ zone: ZoneOffset, daysBack: Int64) -> Int64 {
        let seconds = now / 1_000_000_000
        let day = CivilTime.floorDivide(seconds + zone.seconds(seconds), by: 86_400) - daysBack
        return zone.utc(local: day * 86_400).nanoseconds(adding: 0)
    }
}
