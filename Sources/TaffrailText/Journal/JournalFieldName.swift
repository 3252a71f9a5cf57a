internal import Taffrail

/// The names of journal fields for attributes.
///
/// journald accepts `A-Z`, `0-9` and `_`, at most 64 of them, with no leading digit or underscore, and silently drops
/// every other field.
struct JournalFieldName {
    /// Names with a meaning for journald or Taffrail; an attribute with such a name gets the prefix `F_`.
    static let reserved: Set<String> = [
        "MESSAGE", "MESSAGE_ID", "PRIORITY", "CODE_FILE", "CODE_LINE", "CODE_FUNC", "INVOCATION_ID",
        "USER_INVOCATION_ID", "SYSLOG_FACILITY", "SYSLOG_IDENTIFIER", "SYSLOG_PID", "SYSLOG_TIMESTAMP", "SYSLOG_RAW",
        "TID", "UNIT", "USER_UNIT", "OBJECT_PID", "LEVEL", "LOGGER", "EVENT", "TRACE_ID", "SPAN_ID", "TAFFRAIL_SEQ",
        "TAFFRAIL_RUN", "TAFFRAIL_TIME",
    ]
    static let longest = 64

    private var names: [String: String] = [:]
    /// The number of names to cache.
    private static let limit = 1024

    /// Returns the field's name for an attribute's, independent of other attributes.
    mutating func name(for attribute: String) -> String {
        if let known = names[attribute] { return known }
        let made = Self.plainName(for: attribute)
        if names.count < Self.limit { names[attribute] = made }
        return made
    }

    private static func plainName(for attribute: String) -> String {
        var name = ""
        for byte in attribute.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): name.unicodeScalars.append(Unicode.Scalar(byte - 32))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default: name += "_"
            }
        }
        let starts = name.utf8.first
        if starts == nil || starts == UInt8(ascii: "_") || starts.map({ $0 < UInt8(ascii: "A") }) == true {
            name = "F_" + name
        }
        if reserved.contains(name) || name.hasPrefix("COREDUMP_") { name = "F_" + name }
        return name.utf8.count <= longest ? name : marked(name, for: attribute)
    }

    /// Returns the name with a checksum of the attribute's name at its end, for long names and for the second of two
    /// attributes with the same field name.
    static func marked(_ name: String, for attribute: String) -> String {
        let sum = UInt32(truncatingIfNeeded: fingerprint(of: attribute).low)
        return String(name.prefix(longest - 9)) + "_" + HexText.string(sum, width: 8).uppercased()
    }

    /// Returns the `MESSAGE_ID` of an event name: the name itself if it is 32 hexadecimal digits, else its 128-bit
    /// FNV-1a hash.
    static func messageID(for event: String) -> String {
        if event.utf8.count == 32, event.allSatisfy(\.isHexDigit) { return event.lowercased() }
        let sum = fingerprint(of: event)
        return HexText.string(sum.high, width: 16) + HexText.string(sum.low, width: 16)
    }

    /// Returns the FNV-1a hash of a string, 128 bits (Fowler, Noll, Vo; draft-eastlake-fnv).
    private static func fingerprint(of text: String) -> (high: UInt64, low: UInt64) {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in text.utf8 {
            hash ^= UInt128(byte)
            hash &*= 0x0000_0000_0100_0000_0000_0000_0000_013B
        }
        return (UInt64(truncatingIfNeeded: hash >> 64), UInt64(truncatingIfNeeded: hash))
    }
}
