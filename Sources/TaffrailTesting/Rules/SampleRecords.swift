internal import Taffrail

/// The records that the rules write.
enum SampleRecords {
    /// A time with all digits, 2026-01-05 14:30:00.123456789 UTC.
    static let time: Int64 = 1_767_623_400_123_456_789

    /// Returns some short records, a millisecond apart.
    static func numbered(_ range: Range<Int>) -> [LogRecord] {
        range.map { record("record \($0)", after: .milliseconds($0)) }
    }

    static func record(_ message: String, after delay: Duration = .zero, _ attributes: [LogValueEntry] = [])
        -> LogRecord
    {
        LogRecord(
            timestamp: Timestamp(nanoseconds: time) + delay, level: .info, message: message, attributes: attributes)
    }

    /// Strings that a careless destination splits, truncates, changes or misinterprets.
    static let awkward: [String] = [
        "two\nlines", "carriage\r\nreturn", "a\0NUL in it", "\n", "tab\tand bell\u{7}", "escape \u{1B}[31mred\u{1B}[0m",
        "quotes \" ' ` and back\\slash \\n \\u0041", "emoji 🌊⛵️👩‍👩‍👧‍👦 and flags 🇳🇴", "e\u{301} is not \u{E9}",
        "right to left \u{202E}txt\u{202C}", "separators \u{2028} \u{2029} \u{85}", "\u{FEFF}with a mark",
        "100 %d %s %n",
        "  spaces at both ends  ", "[2026-01-05 14:30:00.123] [ERROR] not a line of its own", "{\"message\":\"json\"}",
        "MESSAGE=field\nPRIORITY=0", "<b>&amp;</b>", "'; DROP TABLE log; --", "\u{10FFFF}\u{1}\u{7F}",
    ]

    /// A value of each type, including extremes. NaN is omitted because it equals nothing.
    static let values: [LogValueEntry] = [
        LogValueEntry("text", .string("plain")),
        LogValueEntry("text.empty", .string("")),
        LogValueEntry("text.awkward", .string("line\nbreak \"quoted\" = 🌊")),
        LogValueEntry("int", .int(-7)),
        LogValueEntry("int.least", .int(.min)),
        LogValueEntry("int.greatest", .int(.max)),
        LogValueEntry("double", .double(59.911491)),
        LogValueEntry("double.small", .double(.leastNonzeroMagnitude)),
        LogValueEntry("double.large", .double(.greatestFiniteMagnitude)),
        LogValueEntry("yes", .bool(true)),
        LogValueEntry("no", .bool(false)),
        LogValueEntry("bytes", .bytes([0, 10, 255, 65])),
        LogValueEntry("bytes.empty", .bytes([])),
        LogValueEntry("date", .date(Timestamp(nanoseconds: time))),
        LogValueEntry("array", .array([.int(1), .string("two"), .array([.bool(true)])])),
        LogValueEntry("array.empty", .array([])),
        LogValueEntry(
            "map",
            .map([
                LogValueEntry("lat", .double(59.9)), LogValueEntry("inner", .map([LogValueEntry("deep", .int(3))])),
            ])),
        LogValueEntry("map.empty", .map([])),
    ]

    /// Returns a record with all fields set.
    static func complete(_ level: Level) -> LogRecord {
        LogRecord(
            timestamp: Timestamp(nanoseconds: time), level: level, message: "at level \(level)",
            eventName: "ship.departed", attributes: [LogValueEntry("pier", .int(4))], logger: "net.http",
            source: LogRecord.SourceLocation(file: "Ferry/Bridge.swift", function: "depart(from:)", line: 42),
            trace: TraceContext(
                traceID: TraceContext.TraceID(high: 0x4BF9_2F35_77B3_4DA6, low: 0xA3CE_929D_0E0E_4736),
                spanID: TraceContext.SpanID(0x00F0_67AA_0BA9_02B7)))
    }
}
