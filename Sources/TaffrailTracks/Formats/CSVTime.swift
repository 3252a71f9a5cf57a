internal import Taffrail
internal import TaffrailText

/// Dates and times of day in tables with separate columns.
enum CSVTime {
    /// Returns whether a column's name is one for dates.
    static func isDate(_ name: String) -> Bool {
        ["date", "utcd", "utcdate", "gpsdate"].contains(CSVColumn.plain(name))
    }

    /// Parses `2026/01/05`, `2026-01-05`, `2026.01.05`, `20260105` or `05.01.2026`.
    ///
    /// - Returns: `nil` for any other format; `01/05/2026` is ambiguous.
    static func day(_ text: String) -> CivilTime? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "-" || $0 == "." }
        let numbers = parts.compactMap { part in part.allSatisfy(\.isWholeNumber) ? Int64(part) : nil }
        guard numbers.count == parts.count else { return nil }
        var date: CivilTime?
        if parts.count == 3, parts[0].count == 4 {
            date = CivilTime(year: numbers[0], month: numbers[1], day: numbers[2])
        } else if parts.count == 3, parts[2].count == 4, text.contains(".") {
            date = CivilTime(year: numbers[2], month: numbers[1], day: numbers[0])
        } else if parts.count == 1, text.count == 8 {
            date = CivilTime(year: numbers[0] / 10_000, month: numbers[0] / 100 % 100, day: numbers[0] % 100)
        }
        guard let date, date.exists, (1678...2261).contains(date.year) else { return nil }
        return date
    }

    /// Parses `14:30`, `14:30:05.25`, with or without a zone, or `143005.25`, on a date.
    static func time(_ text: String, on day: CivilTime) -> Timestamp? {
        var text = text
        if !text.contains(":"), text.prefix(6).count == 6, text.prefix(6).allSatisfy(\.isWholeNumber) {
            let (hours, rest) = (text.prefix(2), text.dropFirst(2))
            text = "\(hours):\(rest.prefix(2)):\(rest.dropFirst(2))"
        }
        if text.count == 4 || text.dropFirst().first == ":" { text = "0" + text }
        if text.count == 5 { text += ":00" }
        var bytes: [UInt8] = []
        for (number, width) in [(day.year, 4), (day.month, 2), (day.day, 2)] {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "-")) }
            bytes.append(Int(number), width: width)
        }
        return RFC3339.timestamp(String(decoding: bytes, as: UTF8.self) + "T" + text, zoneRequired: false)
    }
}
