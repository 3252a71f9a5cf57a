internal import Taffrail

/// The rule of a time zone for the future, in the format of the variable `TZ` (POSIX, with the extensions of RFC 8536):
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
struct TimeZoneRule: Sendable, Hashable {
    /// A day of each year, and a time on it.
    private struct Change: Sendable, Hashable {
        enum Day: Sendable, Hashable {
            /// The day 1 to 365, in which 29 February does not count.
            case julian(Int64)
            /// The day 0 to 365.
            case zeroBased(Int64)
            /// A day of the week (0: Sunday) in the nth or, for 5, the last week of a month.
            case weekday(month: Int64, week: Int64, day: Int64)
        }

        var day: Day
        /// Seconds after midnight; −167 to 167 hours.
        var time: Int64

        /// Returns the local time in a year, in seconds since 1970.
        func seconds(in year: Int64) -> Int64 {
            let start = CivilTime(year: year, month: 1, day: 1).secondsSince1970
            switch day {
            case .julian(let number):
                let march = CivilTime(year: year, month: 3, day: 1).secondsSince1970
                let isLeap = march - start == 60 * 86_400
                return start + (number - 1 + (isLeap && number >= 60 ? 1 : 0)) * 86_400 + time
            case .zeroBased(let number): return start + number * 86_400 + time
            case .weekday(let month, let week, let day):
                let first = CivilTime(year: year, month: month, day: 1).secondsSince1970
                let next =
                    CivilTime(year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1)
                    .secondsSince1970
                // 1970-01-01 was a Thursday.
                let weekday = ((first / 86_400 + 4) % 7 + 7) % 7
                var date = first + ((day - weekday + 7) % 7 + (week - 1) * 7) * 86_400
                while date >= next { date -= 7 * 86_400 }
                return date + time
            }
        }
    }

    /// Seconds to add to UTC.
    private let standard: Int64
    private let summer: Int64?
    private let start: Change?
    private let end: Change?

    /// Parses a rule.
    init?(_ text: some Collection<UInt8>) {
        var text = Scanner(rest: Array(text)[...])
        guard text.name(), let west = text.time() else { return nil }
        standard = -west
        guard !text.rest.isEmpty else {
            (summer, start, end) = (nil, nil, nil)
            return
        }
        guard text.name() else { return nil }
        summer = text.rest.first == UInt8(ascii: ",") ? standard + 3_600 : text.time().map { -$0 }
        start = text.change()
        end = text.change()
        guard summer != nil, start != nil, end != nil, text.rest.isEmpty else { return nil }
    }

    /// Returns the seconds to add to UTC.
    func offset(at time: Int64) -> Int64 {
        guard let summer, let start, let end else { return standard }
        let year = CivilTime(secondsSince1970: time + standard).year
        let first = start.seconds(in: year) - standard
        let last = end.seconds(in: year) - summer
        let isSummer = first < last ? (first..<last).contains(time) : time >= first || time < last
        return isSummer ? summer : standard
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        /// Skips letters, or any characters in angle brackets.
        mutating func name() -> Bool {
            if take("<") {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
                rest = rest[(end + 1)...]
                return true
            }
            let letters = rest.prefix { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
            rest = rest.dropFirst(letters.count)
            return letters.count >= 3
        }

        mutating func number() -> Int64? {
            let digits = rest.prefix { $0 &- 48 < 10 }
            guard (1...3).contains(digits.count) else { return nil }
            rest = rest.dropFirst(digits.count)
            return digits.reduce(0) { $0 * 10 + Int64($1 - 48) }
        }

        /// Reads `[+-]h[h][h][:mm[:ss]]` in seconds.
        mutating func time() -> Int64? {
            let isNegative = take("-")
            if !isNegative { _ = take("+") }
            guard var seconds = number().map({ $0 * 3_600 }) else { return nil }
            if take(":") {
                guard let minutes = number() else { return nil }
                seconds += minutes * 60
                if take(":") {
                    guard let last = number() else { return nil }
                    seconds += last
                }
            }
            return isNegative ? -seconds : seconds
        }

        mutating func change() -> Change? {
            guard take(",") else { return nil }
            let day: Change.Day
            if take("M") {
                guard let month = number(), (1...12).contains(month), take("."), let week = number(),
                    (1...5).contains(week), take("."), let weekday = number(), (0...6).contains(weekday)
                else { return nil }
                day = .weekday(month: month, week: week, day: weekday)
            } else if take("J") {
                guard let number = number(), (1...365).contains(number) else { return nil }
                day = .julian(number)
            } else {
                guard let number = number(), (0...365).contains(number) else { return nil }
                day = .zeroBased(number)
            }
            // Two hours after midnight unless stated otherwise.
            guard take("/") else { return Change(day: day, time: 7_200) }
            return time().map { Change(day: day, time: $0) }
        }
    }
}
