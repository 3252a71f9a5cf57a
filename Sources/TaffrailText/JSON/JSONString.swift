internal import Taffrail

extension [UInt8] {
    /// Appends a string as JSON for programs, with its quotes; escapes only DEL and what JSON requires.
    package mutating func append(json text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            var written = 0
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                if byte >= 32, byte != 127, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { continue }
                append(contentsOf: bytes[written..<index - 1])
                append(escaped: byte)
                written = index
            }
            append(contentsOf: bytes[written...])
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 10: append("\\n")
        case 13: append("\\r")
        case 9: append("\\t")
        default:
            append("\\u")
            append(contentsOf: HexText.string(byte, width: 4).utf8)
        }
    }
}
