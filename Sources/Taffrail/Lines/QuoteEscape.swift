internal import CTaffrail

/// The escaping of quoted strings in text lines: double quotes, backslashes and TAB are escaped as well.
enum QuoteEscape: EscapeRule {
    @inline(__always)
    static func isSpecial(_ word: UInt64) -> Bool {
        EightBytes.hasByte(
            below: 0x20,
            orMarked: EightBytes.equal(UInt8(ascii: "\""), word) | EightBytes.equal(UInt8(ascii: "\\"), word), word)
    }

    @inline(__always)
    static func isSpecial(_ bytes: UnsafeRawPointer) -> Bool { taffrail_has_unprintable_or_quote(bytes) != 0 }

    @inline(__always)
    static func staysAsIs(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    static func append(_ scalar: UInt32?, _ bytes: UnsafeRawBufferPointer, to buffer: inout LineBuffer) {
        switch scalar {
        case 0x22: buffer.append("\\\"")
        case 0x5C: buffer.append("\\\\")
        case 0x09: buffer.append("\\t")
        default: LineEscape.append(scalar, bytes, to: &buffer)
        }
    }
}
