internal import Taffrail
internal import TaffrailText

/// Reads the parts of a line that another program wrote, from its start.
struct LineWords {
    private let line: UnsafeRawBufferPointer
    /// The index at which the next part starts.
    var index = 0

    init(_ line: UnsafeRawBufferPointer) { self.line = line }

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// The next byte; `nil` at the end.
    var peek: UInt8? { index < line.count ? line[index] : nil }

    /// Consumes a string if it is next.
    mutating func take(_ text: StaticString) -> Bool {
        guard LineHeadReader.starts(UnsafeRawBufferPointer(rebasing: line[min(index, line.count)...]), with: text)
        else { return false }
        index += text.utf8CodeUnitCount
        return true
    }

    /// Skips past the next byte with a value, if it is among the next `limit` bytes.
    mutating func skip(to byte: UInt8, within limit: Int) -> Bool {
        guard let found = line[index..<min(line.count, index + limit)].firstIndex(of: byte) else { return false }
        index = found + 1
        return true
    }

    /// Reads a number of `digits` digits.
    mutating func number(_ digits: Int) -> Int64? {
        guard let value = TimeDigits.number(line, index, digits) else { return nil }
        index += digits
        return value
    }

    /// Skips one or more digits.
    mutating func skipDigits() -> Bool {
        let start = index
        while let byte = peek, byte &- UInt8(ascii: "0") < 10 { index += 1 }
        return index > start
    }

    /// Skips a capital letter.
    mutating func skipLetter() -> Bool {
        guard let byte = peek, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) else { return false }
        index += 1
        return true
    }

    mutating func skipWeekday() -> Bool { word(Self.weekdays) != nil }

    /// Reads a month from 1, by its English name's first three letters.
    mutating func month() -> Int64? { word(TimeDigits.months).map { Int64($0 + 1) } }

    private mutating func word(_ words: [String]) -> Int? {
        guard index + 3 <= line.count else { return nil }
        let text = String(decoding: line[index..<index + 3], as: UTF8.self)
        guard let number = words.firstIndex(of: text) else { return nil }
        index += 3
        return number
    }

    /// Reads `14:30:00`, in seconds since midnight.
    mutating func timeOfDay() -> Int64? {
        guard let second = TimeDigits.timeOfDay(line, index) else { return nil }
        index += 8
        return second
    }

    /// Reads the nanoseconds after a point; 0 if there is none.
    mutating func fraction() -> Int64 {
        guard peek == UInt8(ascii: ".") else { return 0 }
        index += 1
        return TimeDigits.decimals(line, &index) ?? 0
    }

    /// Consumes the next word and returns the level that it names, in any letter case.
    mutating func level() -> Level? {
        let start = index
        while let byte = peek, (byte | 0x20) &- UInt8(ascii: "a") < 26 { index += 1 }
        return LineHeadReader.word(UnsafeRawBufferPointer(rebasing: line[start..<index]))
    }

    /// Consumes a syslog priority `<N>` and returns its level; the facility is ignored.
    mutating func priority() -> Level? {
        let start = index
        guard take("<") else { return nil }
        var value: Int64 = 0
        while let byte = peek, byte &- UInt8(ascii: "0") < 10, value < 1000 {
            value = value * 10 + Int64(byte &- UInt8(ascii: "0"))
            index += 1
        }
        guard index > start + 1, value < 192, take(">") else {
            index = start
            return nil
        }
        return Level(syslogPriority: Int(value % 8))
    }

    /// Returns a time, with the following offset or in a zone; `nil` if it does not exist.
    mutating func time(_ year: Int64, _ month: Int64, _ day: Int64, _ second: Int64, _ zone: ZoneOffset) -> Int64? {
        let civil = CivilTime(year: year, month: month, day: day, secondOfDay: second)
        guard civil.exists else { return nil }
        switch TimestampParser.offset(line, &index) {
        case .seconds(let offset): return (civil.secondsSince1970 - offset).nanoseconds(adding: 0)
        case .missing: return zone.utc(local: civil.secondsSince1970).nanoseconds(adding: 0)
        case .invalid: return nil
        }
    }

    /// Returns the latest such time that is not in the future; `nil` if no year has this day.
    func timeWithoutYear(_ month: Int64, _ day: Int64, _ second: Int64, _ zone: ZoneOffset) -> Int64? {
        let now = Timestamp.now.nanoseconds / 1_000_000_000
        let thisYear = CivilTime(secondsSince1970: now).year
        // There may be eight years between two leap days.
        for year in stride(from: thisYear, through: thisYear - 8, by: -1) {
            let civil = CivilTime(year: year, month: month, day: day, secondOfDay: second)
            guard civil.exists else { continue }
            let time = zone.utc(local: civil.secondsSince1970)
            if time <= now + 86_400 { return time.nanoseconds(adding: 0) }
        }
        return nil
    }
}
