package import Taffrail

/// Parses the times at the start of lines. The parts that are constant within a second are cached.
package struct TimestampParser {
    /// What follows the time of day.
    package enum Offset {
        /// Seconds ahead of UTC.
        case seconds(Int64)
        /// No offset.
        case missing
        /// An offset of a day or more, or of 60 minutes or more beside its hours.
        case invalid
    }

    /// The time zone of times without an offset.
    package let zone: ZoneOffset
    @usableFromInline var known: (UInt64, UInt64, UInt64) = (0, 0, 0)
    @usableFromInline var knownSeconds: Int64 = 0
    @usableFromInline var localSeconds: Int64 = 0
    @usableFromInline var isLocalKnown = false

    package init(zone: ZoneOffset = .local) { self.zone = zone }

    /// Parses `yyyy-MM-dd HH:mm:ss` (or with a `T`), a fraction after `.` or `,`, and an offset (`Z`, `+01:00`,
    /// `+0100`).
    ///
    /// - Parameter index: The offset of the time; set to its end, if there is one.
    /// - Returns: Nanoseconds since 1970, clamped to the years 1677 to 2262; `nil` if there is no time, or one that
    ///   does not exist.
    @inlinable
    @inline(__always)
    package mutating func read(_ line: UnsafeRawBufferPointer, _ index: inout Int) -> Int64? {
        guard line.count &- index >= 19, let base = line.baseAddress.map({ $0 + index }) else { return nil }
        let words = (
            base.loadUnaligned(as: UInt64.self), base.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
            base.loadUnaligned(fromByteOffset: 11, as: UInt64.self)
        )
        if words != known {
            guard let civil = Self.civil(UnsafeRawBufferPointer(rebasing: line[index...])) else { return nil }
            known = words
            knownSeconds = civil.secondsSince1970
            isLocalKnown = false
        }
        index += 19
        let fraction = Self.fraction(line, &index)
        let seconds: Int64
        switch Self.offset(line, &index) {
        case .seconds(let offset): seconds = knownSeconds &- offset
        case .missing:
            if !isLocalKnown {
                isLocalKnown = true
                localSeconds = zone.utc(local: knownSeconds)
            }
            seconds = localSeconds
        case .invalid: return nil
        }
        return seconds.nanoseconds(adding: fraction)
    }

    @usableFromInline
    static func civil(_ text: UnsafeRawBufferPointer) -> CivilTime? {
        guard let year = TimeDigits.number(text, 0, 4), let month = TimeDigits.number(text, 5, 2),
            let day = TimeDigits.number(text, 8, 2), let second = TimeDigits.timeOfDay(text, 11),
            text[4] == UInt8(ascii: "-") || text[4] == UInt8(ascii: "/"), text[7] == text[4],
            text[10] == UInt8(ascii: " ") || text[10] == UInt8(ascii: "T")
        else { return nil }
        let time = CivilTime(year: year, month: month, day: day, secondOfDay: second)
        return time.exists ? time : nil
    }

    /// Returns the nanoseconds after a point or comma.
    @inlinable
    @inline(__always)
    static func fraction(_ line: UnsafeRawBufferPointer, _ index: inout Int) -> Int64 {
        guard index < line.count, line[index] == UInt8(ascii: ".") || line[index] == UInt8(ascii: ",") else { return 0 }
        var end = index + 1
        guard let nanoseconds = TimeDigits.decimals(line, &end) else { return 0 }
        index = end
        return nanoseconds
    }

    /// Reads an offset: `Z`, `+01:00`, `+0100`.
    ///
    /// - Parameter index: Set to its end, unless it is missing or invalid.
    @inlinable
    @inline(__always)
    package static func offset(_ line: UnsafeRawBufferPointer, _ index: inout Int) -> Offset {
        guard index < line.count else { return .missing }
        switch line[index] {
        case UInt8(ascii: "Z"):
            index += 1
            return .seconds(0)
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            var end = index + 1
            guard let (hours, minutes) = TimeDigits.hoursAndMinutes(line, &end) else { return .missing }
            guard hours < 24, minutes < 60 else { return .invalid }
            let seconds = hours * 3600 + minutes * 60
            let isWest = line[index] == UInt8(ascii: "-")
            index = end
            return .seconds(isWest ? -seconds : seconds)
        default: return .missing
        }
    }
}
