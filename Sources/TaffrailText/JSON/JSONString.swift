internal import Taffrail

extension [UInt8] {
    /// Appends a string as JSON for programs, with its quotes: only what JSON demands is escaped, and DEL.
    package mutating func append(json text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "\""): append("\\\"")
                case UInt8(ascii: "\\"): append("\\\\")
                case 10: append("\\n")
                case 13: append("\\r")
                case 9: append("\\t")
                case 0..<32, 127:
                    append("\\u")
                    append(contentsOf: HexText.string(byte, width: 4).utf8)
                default: append(byte)
                }
            }
        }
        append(UInt8(ascii: "\""))
    }
}
