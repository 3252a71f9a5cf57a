internal import Taffrail

/// The name of a file rotated by logrotate: `app.log.1`, `app.log.2.gz` (higher numbers are older) or, with its option
/// `dateext`, `app.log-20260105`, `app.log-2026010514.gz`, `app.log-20260105-1767623400`.
struct NumberedName {
    let base: String
    /// 0 in a name with a date.
    let number: Int
    /// The date as it is in the name; empty in a name with a number.
    private let date: String
    let isCompressed: Bool
    let text: String

    /// Whether the name has a date. Other programs also use such names.
    var isDated: Bool { !date.isEmpty }

    /// Parses a name; `nil` for any other.
    init?(_ name: String) {
        text = name
        isCompressed = name.hasSuffix(".gz")
        let plain = isCompressed ? name.dropLast(3) : name[...]
        if let point = plain.lastIndex(of: "."), point > plain.startIndex {
            let digits = plain[plain.index(after: point)...]
            if (1...9).contains(digits.utf8.count), Self.areDigits(digits), let number = Int(digits) {
                self.number = number
                date = ""
                base = String(plain[..<point])
                return
            }
        }
        guard let end = Self.date(atEndOf: plain) else { return nil }
        let start = plain[..<end.startIndex].dropLast()
        guard !start.isEmpty else { return nil }
        number = 0
        date = String(end)
        base = String(start)
    }

    /// Returns the date after a hyphen at the end of a name: `YYYYMMDD`, `YYYYMMDDHH`, or `YYYYMMDD-` and the seconds
    /// since 1970.
    private static func date(atEndOf name: Substring) -> Substring? {
        guard let hyphen = name.lastIndex(of: "-") else { return nil }
        let last = name[name.index(after: hyphen)...]
        if isDay(last) { return last }
        guard last.utf8.count == 10, areDigits(last) else { return nil }
        if let other = name[..<hyphen].lastIndex(of: "-"), isDay(name[name.index(after: other)..<hyphen]) {
            return name[name.index(after: other)...]
        }
        guard isDay(last.prefix(8)), let hour = Int(last.suffix(2)), hour < 24 else { return nil }
        return last
    }

    private static func areDigits(_ text: Substring) -> Bool { text.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } }

    /// Returns whether a string is a valid date `YYYYMMDD`.
    private static func isDay(_ text: Substring) -> Bool {
        guard text.utf8.count == 8, areDigits(text), let number = Int64(text) else { return false }
        let day = CivilTime(year: number / 10_000, month: number / 100 % 100, day: number % 100)
        // An invalid day of the month would be normalized to another day.
        return CivilTime(secondsSince1970: day.secondsSince1970) == day
    }

    /// Returns the files of a log, oldest first: those with a date, then those with a number.
    static func all(of log: LogPath) -> [NumberedName] {
        let names = ((try? Directory.entries(of: log.path)) ?? []).compactMap { NumberedName($0.name) }
        let own = names.filter { $0.base == log.base }
        let dated = own.filter { $0.isDated }.sorted { ($0.date, $0.text) < ($1.date, $1.text) }
        return dated + own.filter { !$0.isDated }.sorted { ($0.number, $0.text) > ($1.number, $1.text) }
    }
}
