#if HTTP
internal import Taffrail

/// Parts of ClickHouse's SQL.
enum SQLText {
    /// Returns a string literal. Bytes that could end it, or that parsers might interpret, are written in hexadecimal.
    static func string(_ text: String) -> String { quoted(text, "'") }

    /// Returns an identifier.
    static func name(_ text: String) -> String { quoted(text, "`") }

    private static func quoted(_ text: String, _ mark: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0..<32, 127, UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes += Array("\\x\(HexText.string(byte, width: 2))".utf8)
            default: bytes.append(byte)
            }
        }
        return mark + String(decoding: bytes, as: UTF8.self) + mark
    }

    /// Returns a number without loss of precision.
    static func double(_ number: Double) -> String { "reinterpretAsFloat64(toUInt64(\(number.bitPattern)))" }

    /// Returns a time, in nanoseconds since 1970.
    static func time(_ nanoseconds: Int64) -> String { "fromUnixTimestamp64Nano(toInt64('\(nanoseconds)'))" }

    /// Conditions that must all hold.
    static func allOf(_ conditions: [String]) -> String {
        conditions.isEmpty ? "1" : conditions.map { "(\($0))" }.joined(separator: " AND ")
    }

    /// Conditions of which at least one must hold.
    static func anyOf(_ conditions: [String]) -> String {
        conditions.isEmpty ? "0" : conditions.map { "(\($0))" }.joined(separator: " OR ")
    }
}
#endif
