/// The escaping of quoted strings in text lines: double quotes, backslashes and TAB are escaped as well.
enum QuoteEscape: EscapeRule {
    static func append(_ scalar: UInt32?, _ bytes: UnsafeRawBufferPointer, to buffer: inout LineBuffer) {
        switch scalar {
        case 0x22: buffer.append("\\\"")
        case 0x5C: buffer.append("\\\\")
        case 0x09: buffer.append("\\t")
        default: LineEscape.append(scalar, bytes, to: &buffer)
        }
    }
}
