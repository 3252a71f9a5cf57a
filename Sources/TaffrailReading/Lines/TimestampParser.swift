internal import Taffrail

/// Parses the times at the start of lines. The parts that are constant within a second are cached.
struct TimestampParser {
    /// The time zone of times without an offset.
    var zone: ZoneOffset
    private var known: (UInt64, UInt64, UInt64) = (0, 0, 0)
    private var knownSeconds: Int64 = 0

    init(zone: ZoneOffset = .local) { self.zone = zone }

    /// Parses `yyyy-MM-dd HH:mm:ss` (or with a `T`), a fraction after `.` or `,`, and an offset (`Z`, `+01:00`,
    /// `+0100`).
    ///
    /// - Parameter place: The offset of the time; set to its end.
    /// - Returns: Nanoseconds since 1970, clamped to the years 1677 to 2262; `nil` if there is no time.
    @inline(__always)
    mutating func read(_ line: UnsafeRawBufferPointer, _ place: inout Int) -> Int64? {
        guard line.count &- place >= 19, let base = line.baseAddress.map({ $0 + place }) else { return nil }
        let words = (
            base.loadUnaligned(as: UInt64.self), base.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
            base.loadUnaligned(fromByteOffset: 11, as: UInt64.self)
        )
        if words != known {
            guard let civil = Self.civil(UnsafeRawBufferPointer(rebasing: line[place...])) else { return nil }
            known = words
            knownSeconds = civil.secondsSince1970
            isLocalKnown = false
        }
        place += 19
        let fraction = Self.fraction(line, &place)
        let seconds: Int64
        if let offset = Self.offset(line, &place) {
            seconds = knownSeconds &- offset
        } else {
            if !isLocalKnown {
                isLocalKnown = true
                // The zone's offset is looked up at an approximate time; near a clock change it may be wrong.
                localSeconds = knownSeconds - zone.seconds(knownSeconds - zone.seconds(knownSeconds))
            }
            seconds = localSeconds
        }
        return seconds.nanoseconds(adding: fraction)
    }

    private var localSeconds: Int64 = 0
    private var isLocalKnown = false

    private static func civil(_ text: UnsafeRawBufferPointer) -> CivilTime? {
        guard let year = number(text, 0, 4), let month = number(text, 5, 2), let day = number(text, 8, 2),
            let hour = number(text, 11, 2), let minute = number(text, 14, 2), let second = number(text, 17, 2),
            text[4] == UInt8(ascii: "-") || text[4] == UInt8(ascii: "/"), text[7] == text[4],
            text[10] == UInt8(ascii: " ") || text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":"), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
            second < 61
        else { return nil }
        return CivilTime(year: year, month: month, day: day, secondOfDay: hour * 3600 + minute * 60 + second)
    }

    /// The nanoseconds after a point or comma.
    @inline(__always)
    private static func fraction(_ line: UnsafeRawBufferPointer, _ place: inout Int) -> Int64 {
        guard place < line.count, line[place] == UInt8(ascii: ".") || line[place] == UInt8(ascii: ",") else { return 0 }
        var value: Int64 = 0
        var digits = 0
        var at = place + 1
        while at < line.count, line[at] &- UInt8(ascii: "0") < 10 {
            if digits < 9 {
                value = value * 10 + Int64(line[at] &- UInt8(ascii: "0"))
                digits += 1
            }
            at += 1
        }
        if digits > 0 { place = at }
        while digits < 9 {
            value *= 10
            digits += 1
        }
        return value
    }

    /// Seconds ahead of UTC; `nil` if there is no offset.
    @inline(__always)
    private static func offset(_ line: UnsafeRawBufferPointer, _ place: inout Int) -> Int64? {
        guard place < line.count else { return nil }
        switch line[place] {
        case UInt8(ascii: "Z"):
            place += 1
            return 0
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            let hasColon = place + 3 < line.count && line[place + 3] == UInt8(ascii: ":")
            let minutesAt = place + (hasColon ? 4 : 3)
            guard let hours = number(line, place + 1, 2), let minutes = number(line, minutesAt, 2) else { return nil }
            let seconds = hours * 3600 + minutes * 60
            let isBehind = line[place] == UInt8(ascii: "-")
            place = minutesAt + 2
            return isBehind ? -seconds : seconds
        default: return nil
        }
    }

    static func number(_ text: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int64? {
        guard start + count <= text.count else { return nil }
        var value: Int64 = 0
        for place in start..<start + count {
            let digit = text[place] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }
}
