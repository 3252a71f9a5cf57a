internal import Taffrail

extension [UInt8] {
    /// Appends a string as JSON, with its quotes; escapes what JSON requires, and the characters that
    /// ``EscapedText/mustBeEscaped(_:)`` names, as in every line of a log.
    package mutating func append(json text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            var written = 0
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                if byte >= 32, byte < 127, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { continue }
                // The first bytes of the characters beyond ASCII that need an escape.
                if byte >= 128, byte != 0xC2, byte != 0xD8, byte != 0xE2 { continue }
                let (scalar, length) = EscapedText.scalar(at: index - 1, in: UnsafeRawBufferPointer(bytes))
                guard let scalar, scalar < 128 || EscapedText.mustBeEscaped(scalar) else { continue }
                append(contentsOf: UnsafeBufferPointer(rebasing: bytes[written..<index - 1]))
                append(escaped: scalar)
                index += length - 1
                written = index
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: bytes[written...]))
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(escaped scalar: UInt32) {
        switch scalar {
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            append("\\u")
            append(contentsOf: HexText.string(scalar, width: 4).utf8)
        }
    }
}
