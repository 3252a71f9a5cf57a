/// The escaping of strings in JSON (RFC 8259), on one line and without characters that change the direction of text.
enum JSONEscape: EscapeRule {
    @inline(__always)
    static var quotesNonFinite: Bool { true }

    static func append(_ scalar: UInt32?, _ bytes: UnsafeRawBufferPointer, to buffer: inout LineBuffer) {
        switch scalar {
        case nil: buffer.append("\u{FFFD}")
        case 0x22: buffer.append("\\\"")
        case 0x5C: buffer.append("\\\\")
        case 0x08: buffer.append("\\b")
        case 0x09: buffer.append("\\t")
        case 0x0A: buffer.append("\\n")
        case 0x0C: buffer.append("\\f")
        case 0x0D: buffer.append("\\r")
        case .some(let scalar) where EscapedText.mustBeEscaped(scalar):
            // All of them are in the Basic Multilingual Plane.
            buffer.append("\\u")
            buffer.append(hexadecimal: UInt64(scalar), width: 4)
        default: buffer.append(bytes)
        }
    }
}
