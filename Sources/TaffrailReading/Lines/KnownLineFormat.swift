internal import Taffrail
internal import TaffrailText

/// A line format of other programs whose time is not at the start, or not in the form `2026-01-05 14:30:00`.
///
/// Each format is tried on a line, in this order; a line that matches none of them has no time.
package struct KnownLineFormat: Sendable {
    /// The programs that write such lines.
    let name: String
    /// An example of such a line.
    let example: String
    /// Reads the time, and the level if it is a separate word of the line.
    let read: @Sendable (_ line: UnsafeRawBufferPointer, _ zone: ZoneOffset) -> Found?

    struct Found {
        var time: Int64?
        var level: Level?
    }

    /// The table.
    static let all: [KnownLineFormat] = [
        KnownLineFormat(
            name: "access log (Apache, nginx)",
            example: #"192.0.2.1 - - [05/Jan/2026:14:30:00 +0100] "GET / HTTP/1.1" 200 512"#, read: accessLog),
        KnownLineFormat(
            name: "error log (Apache)", example: "[Mon Jan 05 14:30:00.123456 2026] [core:error] [pid 7] AH00126: x",
            read: apacheError),
        KnownLineFormat(
            name: "error log (nginx)", example: "2026/01/05 14:30:00 [error] 7#7: *1 open() failed", read: nginxError),
        KnownLineFormat(
            name: "syslog (RFC 3164)", example: "<13>Jan  5 14:30:00 pier3 ferry[7]: left", read: syslog),
        KnownLineFormat(
            name: "syslog (RFC 5424)", example: "<11>1 2026-01-05T14:30:00.123Z pier3 ferry 7 - - left", read: syslog),
        KnownLineFormat(
            name: "glog, klog (Kubernetes)", example: "E0105 14:30:00.123456       7 main.go:12] left", read: glog),
        KnownLineFormat(
            name: "Redis", example: "7:M 05 Jan 2026 14:30:00.123 # left", read: redis),
        KnownLineFormat(
            name: "Tomcat", example: "05-Jan-2026 14:30:00.123 SEVERE [main] left", read: tomcat),
        KnownLineFormat(
            name: "seconds since 1970 (Squid, dmesg in containers)", example: "1767623400.123 TCP_MISS/200 512 GET /",
            read: epoch),
    ]

    /// The names of all formats, for the help of the command.
    package static var names: [String] { all.map(\.name) }

    /// Returns the values that the first matching format reads in a line.
    static func find(in line: UnsafeRawBufferPointer, zone: ZoneOffset) -> Found? {
        for format in all { if let found = format.read(line, zone) { return found } }
        return nil
    }

    // MARK: Formats

    /// Reads `[05/Jan/2026:14:30:00 +0100]` after the host, the identity and the user.
    private static func accessLog(_ line: UnsafeRawBufferPointer, _ zone: ZoneOffset) -> Found? {
        var rest = LineWords(line)
        guard rest.skip(to: UInt8(ascii: "["), within: 256), let day = rest.number(2), rest.take("/"),
            let month = rest.month(), rest.take("/"), let year = rest.number(4), rest.take(":"),
            let second = rest.timeOfDay(), rest.take(" ")
        else { return nil }
        return Found(time: rest.time(year, month, day, second, zone))
    }

    private static func apacheError(_ line: UnsafeRawBufferPointer, _ zone: ZoneOffset) -> Found? {
        var rest = LineWords(line)
        guard rest.take("["), rest.skipWeekday(), rest.take(" "), let month = rest.month(), rest.take(" "),
            let day = rest.number(2), rest.take(" "), let second = rest.timeOfDay()
        else { return nil }
        let fraction = rest.fraction()
        guard rest.take(" "), let year = rest.number(4), rest.take("]") else { return nil }
        var found = Found(time: rest.time(year, month, day, second, zone)?.addingClamped(fraction))
        if rest.take(" ["), rest.skip(to: UInt8(ascii: ":"), within: 32) { found.level = rest.level() }
        return found
    }

    /// Reads the level, which is in brackets and in lower case. The time at the start of the line is read elsewhere.
    private static func nginxError(_ line: UnsafeRawBufferPointer, _ zone: ZoneOffset) -> Found? {
        var rest = LineWords(line)
        guard rest.number(4) != nil, rest.take("/"), rest.number(2) != nil, rest.take("/"), rest.number(2) != nil,
            rest.take(" "), rest.timeOfDay() != nil
        else { return nil }
        _ = rest.fraction()
        guard rest.take(" [") else { return nil }
        return Found(level: rest.level())
    }

    /// Reads a line with or without the priority `<N>`. The older form has no year: its time is the latest one that is
    /// not in the future.
    private static func syslog(_ line: UnsafeRawBufferPointer, _ zone: ZoneOffset) -> Found? {
        var rest = LineWords(line)
        let level = rest.priority()
        if level != nil, rest.take("1 ") {
            var parser = TimestampParser(zone: zone)
            return Found(time: parser.read(line, &rest.index), level: level)
        }
        guard let month = rest.month(), rest.take(" "), let day = rest.take(" ") ? rest.number(1) : rest.number(2),
            rest.take(" "), let second = rest.timeOfDay()
        else { return level.map { Found(level: $0) } }
        return Found(time: rest.timeWithoutYear(month, day, second, zone), level: level)
    }

    private static func glog(_ line: UnsafeRawBufferPointer, _ zone: ZoneOffset) -> Found? {
        var rest = LineWords(line)
        let level: Level
        switch line.first {
        case UInt8(ascii: "I"): level = .info
        case UInt8(ascii: "W"): level = .warning
        case UInt8(ascii: "E"): level = .error
        case UInt8(ascii: "F"): level = .critical
        default: return nil
        }
        rest.index = 1
        guard let month = rest.number(2), (1...12).contains(month), let day = rest.number(2), rest.take(" "),
            let second = rest.timeOfDay()
        else { return nil }
        let fraction = rest.fraction()
        guard fraction > 0 || rest.peek == UInt8(ascii: " ") else { return nil }
        let time = rest.timeWithoutYear(month, day, second, zone)
        return Found(time: time?.addingClamped(fraction), level: level)
    }

    private static func redis(_ line: UnsafeRawBufferPointer, _ zone: ZoneOffset) -> Found? {
        var rest = LineWords(line)
        guard rest.skipDigits(), rest.take(":"), rest.skipLetter(), rest.take(" "), let day = rest.number(2),
            rest.take(" "), let month = rest.month(), rest.take(" "), let year = rest.number(4), rest.take(" "),
            let second = rest.timeOfDay()
        else { return nil }
        let fraction = rest.fraction()
        var found = Found(time: rest.time(year, month, day, second, zone)?.addingClamped(fraction))
        if rest.take(" # ") { found.level = .warning }
        return found
    }

    private static func tomcat(_ line: UnsafeRawBufferPointer, _ zone: ZoneOffset) -> Found? {
        var rest = LineWords(line)
        guard let day = rest.number(2), rest.take("-"), let month = rest.month(), rest.take("-"),
            let year = rest.number(4), rest.take(" "), let second = rest.timeOfDay()
        else { return nil }
        let fraction = rest.fraction()
        var found = Found(time: rest.time(year, month, day, second, zone)?.addingClamped(fraction))
        if rest.take(" SEVERE ") { found.level = .error }
        return found
    }

    private static func epoch(_ line: UnsafeRawBufferPointer, _ zone: ZoneOffset) -> Found? {
        var rest = LineWords(line)
        // From 2001 to 2286 they have ten digits.
        guard let seconds = rest.number(10), seconds >= 1_000_000_000, rest.peek == UInt8(ascii: ".") else {
            return nil
        }
        let fraction = rest.fraction()
        guard rest.peek == UInt8(ascii: " ") else { return nil }
        return Found(time: seconds.nanoseconds(adding: fraction))
    }
}
