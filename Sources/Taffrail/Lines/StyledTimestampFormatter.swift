/// Formats times: `2026-01-05 14:30:00.123`, `2026-01-05T14:30:00.123456789Z`, `2026-01-05T15:30:00.123+01:00`.
///
/// The parts that are constant within a second, and the zone's offset within a minute, are cached.
struct StyledTimestampFormatter {
    /// The separator of date and time, and the suffix.
    enum Style: Sendable {
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
    /// `yyyy-MM-dd HH:mm:ss.` in the first 20 bytes.
    private var head: (UInt64, UInt64, UInt64) = (0, 0, 0)
    private var tail: UInt64 = 0
    private var tailLength = 0

    init(_ zone: ZoneOffset, _ style: Style, _ precision: LineOptions.Precision) {
        self.zone = zone
        self.style = style
        digits = precision.digits
        divisor = precision.divisor
    }

    /// Appends a time.
    @inline(__always)
    mutating func append(_ nanoseconds: Int64, to buffer: inout LineBuffer) {
        let now = CivilTime.floorDivide(nanoseconds, by: 1_000_000_000)
        if now != second { update(to: now) }
        buffer.reserve(48)
        let to = buffer.end
        to.storeBytes(of: head.0, as: UInt64.self)
        to.storeBytes(of: head.1, toByteOffset: 8, as: UInt64.self)
        to.storeBytes(of: head.2, toByteOffset: 16, as: UInt64.self)
        var fraction = nanoseconds &- now &* 1_000_000_000
        if divisor != 1 { fraction /= divisor }
        Decimal.write(UInt64(truncatingIfNeeded: fraction), width: digits, to: to + 20)
        (to + 20 + digits).storeBytes(of: tail, as: UInt64.self)
        buffer.advance(20 &+ digits &+ tailLength)
    }

    /// Appends the offset from UTC at a time: `+01:00`.
    mutating func append(offsetOf nanoseconds: Int64, to buffer: inout LineBuffer) {
        let now = CivilTime.floorDivide(nanoseconds, by: 1_000_000_000)
        if now != second { update(to: now) }
        appendOffset(to: &buffer)
    }

    private func appendOffset(to buffer: inout LineBuffer) {
        let minutes = (offset.magnitude + 30) / 60
        buffer.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        buffer.append(decimal: Int64(minutes / 60), width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(decimal: Int64(minutes % 60), width: 2)
    }

    @inline(never)
    private mutating func update(to now: Int64) {
        let nowMinute = CivilTime.floorDivide(now, by: 60)
        if nowMinute != minute {
            offset = zone.seconds(now)
            minute = nowMinute
            updateTail()
        }
        second = now
        let time = CivilTime(secondsSince1970: now &+ offset)
        let separator = style == .plain ? UInt8(ascii: " ") : UInt8(ascii: "T")
        withUnsafeMutableBytes(of: &head) { bytes in
            guard let base = bytes.baseAddress else { return }
            TimestampFormatter.write(time, separator: separator, to: base)
            bytes[19] = UInt8(ascii: ".")
        }
    }

    private mutating func updateTail() {
        guard style == .rfc3339 else { return }
        let text: [UInt8]
        if offset == 0 {
            text = [UInt8(ascii: "Z")]
        } else {
            var buffer = LineBuffer()
            appendOffset(to: &buffer)
            text = [UInt8](buffer.bytes)
        }
        tail = 0
        withUnsafeMutableBytes(of: &tail) { $0.copyBytes(from: text) }
        tailLength = text.count
    }
}
