/// Formats times: `2026-01-05 14:30:00.123`, `2026-01-05T14:30:00.123456789Z`, `2026-01-05T15:30:00.123+01:00`.
///
/// The parts that are constant within a second are cached, and so is the zone's offset within a minute (zones change on
/// whole minutes only).
package struct TimestampFormatter {
    /// What surrounds the date and the time, and separates them.
    enum Style {
        /// A bracket in front and a space; for ``writeBracketed(_:to:)``.
        case bracketed
        /// A space, and no suffix.
        case plain
        /// `T`, and the offset from UTC: RFC 3339.
        case rfc3339
    }

    private let zone: ZoneOffset
    private let style: Style
    private let digits: Int
    private let divisor: Int64
    private var second = Int64.min
    private var minute = Int64.min
    private var offset: Int64 = 0
    /// `yyyy-MM-dd HH:mm:ss.000` of ``second``, as laid out in memory; the bracket in front, if any.
    private var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    /// The start of the millisecond whose digits are in ``lastWord``.
    private var millisecond: Int64 = 0
    private var lastWord: UInt64 = 0
    /// The suffix.
    private var tail: UInt64 = 0
    private var tailLength = 0

    /// The length of the text written by ``writeBracketed(_:to:)``.
    static let bracketedLength = 24

    init(_ zone: ZoneOffset, _ style: Style, _ precision: LineOptions.Precision) {
        self.zone = zone
        self.style = style
        (digits, divisor) = precision.fraction
        if style == .bracketed { update(to: 0) }
    }

    /// Appends a time in the plain style or that of RFC 3339.
    @inline(__always)
    mutating func append(_ nanoseconds: Int64, to buffer: inout LineBuffer) {
        let now = CivilTime.floorDivide(nanoseconds, by: 1_000_000_000)
        if now != second { update(toSecond: now) }
        buffer.reserve(48)
        let to = buffer.end
        to.storeBytes(of: words.0, as: UInt64.self)
        to.storeBytes(of: words.1, toByteOffset: 8, as: UInt64.self)
        to.storeBytes(of: words.2, toByteOffset: 16, as: UInt64.self)
        var fraction = nanoseconds &- now &* 1_000_000_000
        if divisor != 1 { fraction /= divisor }
        Decimal.write(UInt64(truncatingIfNeeded: fraction), width: digits, to: to + 20)
        (to + 20 + digits).storeBytes(of: tail, as: UInt64.self)
        buffer.advance(20 &+ digits &+ tailLength)
    }

    /// Appends the offset from UTC at a time: `+01:00`.
    mutating func append(offsetOf nanoseconds: Int64, to buffer: inout LineBuffer) {
        let now = CivilTime.floorDivide(nanoseconds, by: 1_000_000_000)
        if now != second { update(toSecond: now) }
        appendOffset(to: &buffer)
    }

    private func appendOffset(to buffer: inout LineBuffer) {
        let minutes = (offset.magnitude + 30) / 60
        buffer.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        buffer.append(decimal: Int64(minutes / 60), width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(decimal: Int64(minutes % 60), width: 2)
    }

    /// Writes the 24 bytes `[yyyy-MM-dd HH:mm:ss.SSS`; only in the bracketed style.
    @inline(__always)
    mutating func writeBracketed(_ nanoseconds: Int64, to: UnsafeMutableRawPointer) {
        if UInt64(bitPattern: nanoseconds &- millisecond) >= 1_000_000 { update(to: nanoseconds) }
        to.storeBytes(of: words.0, as: UInt64.self)
        to.storeBytes(of: words.1, toByteOffset: 8, as: UInt64.self)
        to.storeBytes(of: lastWord, toByteOffset: 16, as: UInt64.self)
    }

    @inline(never)
    private mutating func update(to nanoseconds: Int64) {
        let now = CivilTime.floorDivide(nanoseconds, by: 1_000_000_000)
        if now != second { update(toSecond: now) }
        let count = (nanoseconds &- now &* 1_000_000_000) / 1_000_000
        millisecond = now &* 1_000_000_000 &+ count &* 1_000_000
        let digits = UInt64(truncatingIfNeeded: count)
        lastWord =
            words.2 &+ ((digits % 10) << 56 | (digits / 10 % 10) << 48 | (digits / 100) << 40).littleEndian
    }

    @inline(never)
    private mutating func update(toSecond now: Int64) {
        let nowMinute = CivilTime.floorDivide(now, by: 60)
        if nowMinute != minute {
            offset = zone.seconds(now)
            minute = nowMinute
            if style == .rfc3339 { updateTail() }
        }
        second = now
        let time = CivilTime(secondsSince1970: now &+ offset)
        let start = style == .bracketed ? 1 : 0
        withUnsafeMutableBytes(of: &words) { bytes in
            guard let base = bytes.baseAddress else { return }
            bytes[0] = UInt8(ascii: "[")
            TimestampFormatter.write(time, separator: UInt8(ascii: style == .rfc3339 ? "T" : " "), to: base + start)
            bytes[start + 19] = UInt8(ascii: ".")
            Decimal.write(0, width: 3, to: base + start + 20)
        }
    }

    private mutating func updateTail() {
        var text = LineBuffer(capacity: 64)
        if offset == 0 { text.append(UInt8(ascii: "Z")) } else { appendOffset(to: &text) }
        tail = 0
        withUnsafeMutableBytes(of: &tail) { $0.copyBytes(from: text.bytes) }
        tailLength = text.count
    }

    /// Writes the 19 bytes `yyyy-MM-dd HH:mm:ss`, with another separator instead of the space.
    static func write(_ time: CivilTime, separator: UInt8, to: UnsafeMutableRawPointer) {
        put(time.year, 4, UInt8(ascii: "-"), at: to)
        put(time.month, 2, UInt8(ascii: "-"), at: to + 5)
        put(time.day, 2, separator, at: to + 8)
        put(time.hour, 2, UInt8(ascii: ":"), at: to + 11)
        put(time.minute, 2, UInt8(ascii: ":"), at: to + 14)
        Decimal.write(UInt64(truncatingIfNeeded: time.second), width: 2, to: to + 17)
    }

    @inline(__always)
    private static func put(_ value: Int64, _ width: Int, _ after: UInt8, at to: UnsafeMutableRawPointer) {
        Decimal.write(UInt64(truncatingIfNeeded: value), width: width, to: to)
        to.storeBytes(of: after, toByteOffset: width, as: UInt8.self)
    }

    /// Writes `2026-01-05T14:30:00.123456789Z` to `to`, which has room for 30 bytes.
    ///
    /// - Parameter decimals: The digits of the fraction of a second, 0 to 9; the rest is truncated.
    /// - Returns: The length.
    package static func writeRFC3339(_ nanoseconds: Int64, decimals: Int, to: UnsafeMutableRawPointer) -> Int {
        let seconds = CivilTime.floorDivide(nanoseconds, by: 1_000_000_000)
        write(CivilTime(secondsSince1970: seconds), separator: UInt8(ascii: "T"), to: to)
        var length = 19
        if decimals > 0 {
            var fraction = UInt64(truncatingIfNeeded: nanoseconds &- seconds &* 1_000_000_000)
            for _ in decimals..<9 { fraction /= 10 }
            to.storeBytes(of: UInt8(ascii: "."), toByteOffset: length, as: UInt8.self)
            Decimal.write(fraction, width: decimals, to: to + length + 1)
            length += 1 + decimals
        }
        to.storeBytes(of: UInt8(ascii: "Z"), toByteOffset: length, as: UInt8.self)
        return length + 1
    }
}
